"""A reader that is further behind than the streams reach back: nothing is lost by it.

The log is what is read, and what somebody waits for is said again.
"""

from pathlib import Path

import pytest

from schemas.commands import COMMAND_BYTES
from services.messaging import streams
from services.messaging.server import STORE_BYTES
from tests.broker import SPY
from tests.drills.rig import NOTHING_LOST, Load, Rig
from tests.invariants import by_stream, rows_of
from tests.waiting import until


def test_all_streams_at_their_limits_fit_into_the_brokers_store() -> None:
    commands = streams.WAITING_COMMANDS * COMMAND_BYTES
    assert commands + streams.EVENTS_BYTES + streams.TURNS_BYTES < STORE_BYTES
    for spec in streams.all_streams(16):
        bounded = spec.max_bytes > 0 or (spec.max_messages > 0 and spec.max_message_bytes > 0)
        assert bounded, spec.name


async def purge(rig: Rig, stream: str) -> None:
    """As age and size do it to a stream, but at once."""
    bus = await rig.bus(SPY)
    answer = await bus._client.request(f"$JS.API.STREAM.PURGE.{stream}", b"", timeout=5)
    assert b'"success":true' in answer.data
    await bus.close()


def waiting_for_points(rig: Rig) -> int:
    """Matches whose latest round has ended and has no score."""
    with rig.reader() as log:
        latest = [rows[-1].entry.type for rows in by_stream(rows_of(log)).values()]
    return sum(tag == "round_revealed" for tag in latest)


@pytest.mark.slow
async def test_scoring_comes_back_when_nothing_it_has_to_read_is_in_the_stream_any_more(
    tmp_path: Path,
) -> None:
    async with Rig(tmp_path) as rig:
        assert rig.waraq("db", "upgrade").code == 0
        await rig.start("table")
        await rig.start("bot")
        scoring = await rig.start("scoring")
        load = Load(rig)
        await load.begin()
        await load.more(2)
        await rig.stop(scoring)
        await until(lambda: waiting_for_points(rig) >= 4, "every match to wait", within=60)
        await purge(rig, streams.EVENTS)
        assert rig.waraq("doctor").code == 4, "no scoring worker listens"

        await rig.start("scoring")
        await load.more(4)
        await load.finish()
        found = await rig.numbers(in_stream=False)
        assert not any(found[name] for name in NOTHING_LOST), found
        assert found["matches_in_log"] == len(load.played)


@pytest.mark.slow
async def test_bots_find_what_is_wanted_now_and_not_what_was(tmp_path: Path) -> None:
    """Turns that were dropped are put before them again while somebody waits."""
    async with Rig(tmp_path) as rig:
        assert rig.waraq("db", "upgrade").code == 0
        await rig.start("table")
        bot = await rig.start("bot")
        await rig.start("scoring")
        load = Load(rig)
        await load.begin()
        await load.more(1)
        await rig.stop(bot)
        await purge(rig, streams.TURNS)
        await rig.start("bot")
        await load.more(2)
        await load.finish()
