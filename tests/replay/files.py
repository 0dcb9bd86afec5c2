"""Match files for tests: written, read, and taken apart without the writer's help."""

import io
from collections.abc import Sequence
from functools import cache
from typing import Final

import msgspec

from services.event_log.port import Row
from services.replay.audit import Policy
from services.replay.match_file import MatchFile, match_file, write
from services.replay.match_reading import read
from services.replay.signed_heads import HeadKey, key_from
from tests.bot.hurried import HURRIED
from tests.eventful import eventful, table_of

HEAD_KEY: Final = key_from(b"h" * 32)
SEEDS: Final = range(5)
"""Hokm, and Hand in its four variants."""
VIEWERS: Final = ("judge", "public", "seat:0", "seat:1")


@cache
def over(seed: int, policy: Policy = HURRIED) -> tuple[Row, ...]:
    """An eventful match that came to its end by the rules."""
    return tuple(eventful(seed, table_of(seed), "whole", policy=policy))


@cache
def broken_off(seed: int) -> tuple[Row, ...]:
    """One that was abandoned, most often within a round."""
    return tuple(eventful(seed, table_of(seed), "played"))


def running(seed: int) -> tuple[Row, ...]:
    """One that is in the middle of a round."""
    rows = over(seed)
    dealt = [at for at, row in enumerate(rows) if row.entry.type == "cards_shuffled"]
    return rows[: dealt[-1] + 20]


def as_bytes(rows: Sequence[Row], viewer: str, key: HeadKey | None = None) -> bytes:
    return b"".join(write(match_file(rows, viewer, key)))


def read_all(data: bytes) -> list[MatchFile]:
    return list(read(io.BytesIO(data)))


def read_one(data: bytes) -> MatchFile:
    (found,) = read_all(data)
    return found


def rewritten(data: bytes) -> bytes:
    """What comes of a file that a program reads and writes again."""
    return b"".join(line for file in read_all(data) for line in write(file))


def pairs(line: bytes) -> list[tuple[str, bytes]]:
    """The keys of a line and the text of their values."""
    found = msgspec.json.decode(line, type=dict[str, msgspec.Raw])
    return [(key, bytes(value)) for key, value in found.items()]


def joined(parts: Sequence[tuple[str, bytes]]) -> bytes:
    return b"{" + b",".join(b'"%s":%s' % (key.encode(), data) for key, data in parts) + b"}\n"
