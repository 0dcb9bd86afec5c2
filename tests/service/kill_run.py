"""The kill run: `kill -9` of workers at random while matches are played, then every invariant.

    python -m tests.service.kill_run --matches 50 --kills 40 --seed 1 [--log-url postgresql://…]

Prints one JSON line of numbers; exit code 4 if an invariant does not hold.
"""

import argparse
import asyncio
import contextlib
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
from services.event_log.port import Reader, Row
from services.event_log.sql import file_url, open_reader
from services.messaging import streams
from services.messaging.jetstream import connect
from services.messaging.port import ConsumerSpec, Delivery
from services.replay.audit import audit_all
from services.table.live import rebuild
from services.table.outbox import position_of
from tests.service.up_process import WARAQ, Up, environment, running
from tests.waiting import until

VICTIMS: Final = ("table", "bot", "scoring")
EVERYTHING: Final = ConsumerSpec(
    stream=streams.EVENTS, name="kill-run", filter="event.>", max_pending=1_000_000
)
EVENTS_WITHIN: Final = 30.0
"""Seconds that the stream EVENTS has to hold the whole log once all is quiet."""
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
            found = _count(log)
            published = asyncio.run(_published(Place(data, more), found["events"]))
            rows = _rows(log)
        finally:
            log.close()
    found["seed"] = wanted.seed
    found["play_exit"] = playing.returncode
    found["matches_asked"] = wanted.matches
    found["matches_ended"] = sum(one["winner"] is not None for one in ended)
    found["kills"] = sum(killed.values())
    found["killed"] = dict(killed)
    lines = {(row.partition, row.position): row.entry.line for row in rows}
    found["not_in_stream"] = len(lines.keys() - published.keys())
    found["in_stream_without_row"] = len(published.keys() - lines.keys())
    found["other_in_stream"] = sum(lines.get(at) != line for at, line in published.items())
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


def _rows(log: Reader) -> list[Row]:
    rows: list[Row] = []
    for partition in range(log.info().partitions):
        last = 0
        while page := log.read(partition, last):
            rows += page
            last = page[-1].position
    return rows


def _dense(rows: list[Row]) -> bool:
    """Positions are 1..n in each partition."""
    positions: dict[int, list[int]] = {}
    for row in rows:
        positions.setdefault(row.partition, []).append(row.position)
    return all(found == list(range(1, len(found) + 1)) for found in positions.values())


def _count(log: Reader) -> dict[str, Any]:
    """What must hold of the log alone."""
    rows = _rows(log)
    commands = Counter((r.entry.stream, r.entry.command) for r in rows if r.entry.command)
    of_streams: dict[str, list[Row]] = {}
    for row in rows:
        of_streams.setdefault(row.entry.stream, []).append(row)
    states = [rebuild(stream) for stream in of_streams.values()]
    return {
        "events": len(rows),
        "positions_whole": _dense(rows),
        "commands": commands.total(),
        "commands_doubled": commands.total() - len(commands),
        "moves_doubled": _moves_doubled(of_streams),
        "matches_in_log": len(of_streams),
        "matches_not_over": sum(live is None or not live.state.over for live in states),
        "audit_bad": sum(not finding.ok for finding in audit_all(log)),
    }


def _moves_doubled(of_streams: dict[str, list[Row]]) -> int:
    """Trumps and cards that stand in the log beyond what a round can hold."""
    doubled = 0
    for stream in of_streams.values():
        cards: Counter[str] = Counter()
        for row in stream:
            if row.entry.type == "five_dealt":
                cards.clear()
            if row.entry.type in ("card_played", "trump_chosen"):
                body = json.loads(row.entry.line)["body"]
                said = "trump" if row.entry.type == "trump_chosen" else body["card"]
                cards[said] += 1
                doubled += cards[said] > 1
    return doubled


async def _published(place: Place, events: int) -> dict[tuple[int, int], str]:
    """The stream EVENTS by partition and position, once it holds `events` or time is up."""
    found: dict[tuple[int, int], str] = {}

    def hear(delivery: Delivery) -> None:
        message = delivery.message
        partition = int(message.subject.split(".")[1])
        found[partition, position_of(message)] = message.data.decode()
        delivery.ack()

    entry = login(place, "cli")
    bus = await connect(entry.url, user=entry.user, password=entry.password, name="kill run")
    await bus.consume(EVERYTHING, hear)
    with contextlib.suppress(AssertionError):  # what is missing is counted
        await until(lambda: len(found) >= events, "the whole log", within=EVENTS_WITHIN)
    await bus.close()
    return found


def whole(found: dict[str, Any]) -> bool:
    """Every invariant of the run."""
    nothing = (
        "commands_doubled",
        "moves_doubled",
        "matches_not_over",
        "audit_bad",
        "not_in_stream",
        "in_stream_without_row",
        "other_in_stream",
        "play_exit",
    )
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
