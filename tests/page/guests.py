"""Guests at the page: each a program that drives a browser of its own and says what was seen."""

import json
import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from msgspec import Struct, structs

from tests.npm_packages import NODE
from tests.page.browsers import browser
from tests.service.up_process import Up


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


class Party(Struct, frozen=True):
    """Where guests come to: pictures stay in `shots`; so many are there at once, each for so many
    seconds at most.
    """

    program: Path
    shots: Path
    at_once: int
    longest: int


def seen_by(up: Up, party: Party, guests: Sequence[Guest]) -> Mapping[str, Any]:
    """What each saw, by name."""
    with ThreadPoolExecutor(party.at_once) as pool:
        found = pool.map(lambda guest: _sat(up, party, guest), guests)
        return {guest.name: one for guest, one in zip(guests, found, strict=True)}


def _sat(up: Up, party: Party, guest: Guest) -> dict[str, Any]:
    asked = {"url": f"{up.ready['web']}/", "browser": browser(), "shots": str(party.shots)}
    words: list[str | Path] = [NODE, party.program, json.dumps(asked | structs.asdict(guest))]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        assert process.stdout is not None
        first = process.stdout.readline() if guest.breaks else b""
        if first == b"break\n":
            _break_down(up)
            first = b""
        said, _ = process.communicate(timeout=party.longest)
    found: dict[str, Any] = json.loads(first + said)
    return found


def _break_down(up: Up) -> None:
    children = up.children()
    for name in ("nats-server", "table"):
        os.kill(children[name], signal.SIGKILL)
