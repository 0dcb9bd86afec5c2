"""Guests at the page: each a program that drives a browser of its own and says what was seen."""

import json
import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

from msgspec import Struct, structs

from tests.npm_packages import NODE, beside_packages
from tests.page.browsers import browser
from tests.service.up_process import Up

HERE: Final = Path(__file__).parent


class Guest(Struct, frozen=True):
    """How somebody comes: `width` and `height` in pixels; `keyboard`: without a pointer; `quick`:
    likes to play quickly; `breaks`: the broker and the table worker are killed in the midst of
    his match.
    """

    language: str
    width: int
    height: int
    keyboard: bool = False
    quick: bool = True
    breaks: bool = False

    @property
    def name(self) -> str:
        return f"{self.language}-{self.width}"


class Program(Struct, frozen=True):
    """A module of this folder with those that it imports, copied to `folder`; it may run for
    `longest` seconds. Pictures stay in `shots`.
    """

    name: str
    folder: Path
    modules: tuple[str, ...] = ()
    longest: int = 150
    shots: Path | None = None

    def copied(self) -> Path:
        return beside_packages(HERE / self.name, self.folder, *(HERE / one for one in self.modules))


def seen_by(
    up: Up,
    program: Program,
    guests: Sequence[Guest],
    at_once: int,
    asked: Mapping[str, object] | None = None,
) -> Mapping[str, Any]:
    """What each guest saw, by name; so many are there at once. `asked`: of all of them."""
    copied = program.copied()

    def come(guest: Guest) -> dict[str, Any]:
        return _said(up, program, copied, {**(asked or {}), **structs.asdict(guest)})

    with ThreadPoolExecutor(at_once) as pool:
        return {guest.name: one for guest, one in zip(guests, pool.map(come, guests), strict=True)}


def said_by(up: Up, program: Program, asked: Mapping[str, object]) -> dict[str, Any]:
    """What one program said."""
    return _said(up, program, program.copied(), asked)


def _said(up: Up, program: Program, copied: Path, asked: Mapping[str, object]) -> dict[str, Any]:
    page = {"url": f"{up.ready['web']}/", "browser": browser(), "shots": str(program.shots)}
    words: list[str | Path] = [NODE, copied, json.dumps({**page, **asked})]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        first = process.stdout.readline() if asked.get("breaks") else b""
        if first == b"break\n":
            _break_down(up)
            first = b""
        rest, wrong = process.communicate(timeout=program.longest)
    assert process.returncode == 0, wrong.decode()
    found: dict[str, Any] = json.loads(first + rest)
    assert "stuck" not in found, found
    return found


def _break_down(up: Up) -> None:
    children = up.children()
    for name in ("nats-server", "table"):
        os.kill(children[name], signal.SIGKILL)
