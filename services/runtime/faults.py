"""What may be said of a fault: its kind and its place, never its text, which may name cards."""

from pathlib import Path
from traceback import extract_tb
from typing import Final

FRAMES: Final = 12
"""The most frames told of one fault, the innermost ones."""


def place_of(error: BaseException) -> str:
    """Kind, file and line: `AssertionError at play.py:112`."""
    frames = extract_tb(error.__traceback__)
    where = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return type(error).__name__ + where


def trace_of(error: BaseException) -> str:
    """The way to the fault, without anything that a frame or the fault held; of several in a
    group the first one's.
    """
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    frames = extract_tb(error.__traceback__)[-FRAMES:]
    way = " > ".join(f"{Path(one.filename).name}:{one.lineno} {one.name}" for one in frames)
    return f"{type(error).__name__}: {way}"
