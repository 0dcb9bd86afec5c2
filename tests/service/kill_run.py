"""The kill run: `kill -9` of workers at random while matches are played, then every invariant.

    python -m tests.service.kill_run --matches 50 --kills 40 --seed 1 [--log-url postgresql://…]

Prints one JSON line of numbers; exit code 4 if an invariant does not hold.
"""

import argparse
import asyncio
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any, Final

from msgspec import Struct

from services.cli.place import Place, login
from services.event_log.sql import file_url, open_reader
from services.messaging.jetstream import connect
from tests.invariants import (
    NOTHING_IN_LOG,
    NOTHING_IN_STREAM,
    Lines,
    count_log,
    count_published,
    published,
    rows_of,
)
from tests.service.up_process import WARAQ, Up, environment, running

VICTIMS: Final = ("table", "bot", "scoring")
PAUSE: Final = (0.05, 0.6)
"""Seconds between two kills, drawn between these."""


HOKM: Final = ("--game", "hokm", "--bots", "white")
SAUDI: Final = ("--variant", "saudi", "--seats", "3", "--rounds", "3")
HAND: Final = ("--game", "hand", *SAUDI, "--bots", "black")


class Run(Struct, frozen=True):
    """What is played and killed, where."""

    data: Path
    matches: int
    kills: int
    seed: int
    more: dict[str, str]
    game: tuple[str, ...] = HOKM


def run(wanted: Run) -> dict[str, Any]:
    """Play, kill, and count."""
    data, more = wanted.data, wanted.more
    with running(data, **more) as up:
        playing = subprocess.Popen(
            [*WARAQ, "play", *wanted.game, "--matches", str(wanted.matches), "--json"],
            env=environment(data, more),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        killed = _kill_at_random(up, playing, wanted.kills, Random(wanted.seed))
        out, _ = playing.communicate(timeout=600)
        ended = [json.loads(line) for line in out.splitlines()]
        log = open_reader(more.get("WARAQ_LOG_URL") or file_url(data / "log.db"))
        try:
            rows = rows_of(log)
            found = count_log(log, rows)
            in_stream = asyncio.run(_published(Place(data, more), found["events"]))
        finally:
            log.close()
    found["seed"] = wanted.seed
    found["play_exit"] = playing.returncode
    found["matches_asked"] = wanted.matches
    found["matches_ended"] = sum(one["winner"] is not None for one in ended)
    found["kills"] = sum(killed.values())
    found["killed"] = dict(killed)
    found |= count_published(rows, in_stream)
    return found


def _kill_at_random(
    up: Up, playing: subprocess.Popen[str], kills: int, random: Random
) -> Counter[str]:
    killed: Counter[str] = Counter()
    while playing.poll() is None and killed.total() < kills:
        time.sleep(random.uniform(*PAUSE))
        children = up.children()
        victim = random.choice(VICTIMS)
        if victim in children:
            os.kill(children[victim], signal.SIGKILL)
            killed[victim] += 1
    return killed


async def _published(place: Place, events: int) -> Lines:
    """The stream EVENTS, as the command line may read it."""
    entry = login(place, "cli")
    bus = await connect(entry.url, user=entry.user, password=entry.password, name="kill run")
    found = await published(bus, events)
    await bus.close()
    return found


def whole(found: dict[str, Any]) -> bool:
    """Every invariant of the run."""
    nothing = (*NOTHING_IN_LOG, *NOTHING_IN_STREAM, "play_exit")
    return (
        found["positions_whole"]
        and found["matches_ended"] == found["matches_asked"]
        and not any(found[name] for name in nothing)
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=50)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--log-url")
    parser.add_argument("--game", choices=["hokm", "hand"], default="hokm")
    words = parser.parse_args()
    more = {"WARAQ_LOG_URL": words.log_url} if words.log_url else {}
    with tempfile.TemporaryDirectory(prefix="waraq-kills-") as folder:
        data = Path(folder) / "data"
        game = HAND if words.game == "hand" else HOKM
        found = run(Run(data, words.matches, words.kills, words.seed, more, game))
    sys.stdout.write(json.dumps(found) + "\n")
    sys.exit(0 if whole(found) else 4)


if __name__ == "__main__":
    main()
