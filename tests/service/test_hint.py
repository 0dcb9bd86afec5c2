"""The master's look (H21) at the whole service: a player asks, and plays what he is told."""

import contextlib
import os
import signal
from collections.abc import Iterator
from typing import Final

import pytest

from schemas import subjects
from schemas.commands import (
    HandOptions,
    HokmOptions,
    OpenMatch,
    Options,
    SeatPlan,
    StartMatch,
)
from schemas.feed import Advice, Ask, Happened, Refused, Snapshot, encode_ask
from schemas.ids import MatchId
from schemas.refusals import Refusal
from services.cli.client import SAY_AGAIN, new_match_id
from tests.service.guests import Guest, guests
from tests.service.up_process import Up, running
from tests.waiting import until

pytestmark = pytest.mark.slow
WITHIN: Final = 60.0
TRIES: Final = 15
"""How often a player asks before he gives up."""
TURNS: Final = 6
"""Own turns that are played as advised."""
HOKM: Final = HokmOptions(target=100)
HAND: Final = HandOptions(variant="classic", seats=3, rounds=9)


def masked(options: Options) -> tuple[SeatPlan, ...]:
    """Seat 0 is mine, all others are the house's at its best."""
    seats = options.seats if isinstance(options, HandOptions) else 4
    house = (SeatPlan(seat=seat, filled_by="house", level="chrome") for seat in range(1, seats))
    return (SeatPlan(seat=0, filled_by="owner"), *house)


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    with running(tmp_path_factory.mktemp("hint") / "data") as found:
        yield found


async def begin(guest: Guest, options: Options) -> MatchId:
    match = new_match_id()
    for action in (OpenMatch(options=options, seats=masked(options)), StartMatch()):
        assert isinstance(await guest.do(match, action), Happened)
    return match


async def my_turn(guest: Guest, match: MatchId) -> Snapshot:
    """The table once it waits for me; asked for as it changes, for who asks all the time is cut off
    as a flood.
    """
    table = await guest.snapshot(match)
    while table.view is None or table.view.turn != 0:
        seen = table.version
        await until(lambda: latest(guest, match) > seen, "the others' move", within=WITHIN)  # noqa: B023
        table = await guest.snapshot(match)
    return table


def latest(guest: Guest, match: MatchId) -> int:
    """The version of the last event that he was told."""
    told = (one.event.version for one in guest.told(match) if isinstance(one, Happened))
    return max(told, default=0)


async def advised(guest: Guest, match: MatchId) -> Advice | Refused:
    """As docs/clients.md says: ask, and again after two seconds without an answer."""
    heard = len(guest.heard)

    def answers() -> list[Advice | Refused]:
        told = guest.told(match, heard)
        return [one for one in told if isinstance(one, Advice | Refused)]

    for _ in range(TRIES):
        await guest.say(subjects.ask(match, guest.name), encode_ask(Ask(what="advice")))
        with contextlib.suppress(AssertionError):
            await until(answers, "an advice", within=SAY_AGAIN)
            return answers()[-1]
    raise AssertionError(f"no advice in {TRIES} asks")


async def play_as_advised(guest: Guest, match: MatchId) -> None:
    table = await my_turn(guest, match)
    advice = await advised(guest, match)
    assert isinstance(advice, Advice), advice
    assert advice.move == table.move
    done = await guest.do(match, advice.suggestion.actions[0], move=advice.move)
    assert isinstance(done, Happened), done


@pytest.mark.parametrize("options", [HOKM, HAND], ids=["hokm", "hand"])
async def test_H21_what_the_master_says_first_is_accepted_turn_after_turn(
    up: Up, options: Options
) -> None:
    async with guests(up, 1) as (guest,):
        match = await begin(guest, options)
        for _ in range(TURNS):
            await play_as_advised(guest, match)
        with up.log() as log:
            types = {row.entry.type for row in log.load(match)}
        assert not [one for one in types if "advi" in one]


async def test_H21_a_spectator_is_told_nothing_and_gets_none(up: Up) -> None:
    async with guests(up, 2) as (guest, other):
        match = await begin(guest, HOKM)
        await play_as_advised(guest, match)
        refused = await advised(other, match)
        assert isinstance(refused, Refused)
        assert refused.code is Refusal.NOT_SEATED
        assert not [one for one in other.told(match) if isinstance(one, Advice)]


async def test_a_bot_worker_killed_while_it_is_asked_costs_nobody_a_match(up: Up) -> None:
    """Once while it advises, once while it plays: each time the table or the player asks again."""
    async with guests(up, 1) as (guest,):
        match = await begin(guest, HOKM)
        for _ in range(3):
            await my_turn(guest, match)
            await guest.say(subjects.ask(match, guest.name), encode_ask(Ask(what="advice")))
            killed = kill_bot(up)
            await play_as_advised(guest, match)
            await another_bot(up, killed)
            await another_bot(up, kill_bot(up))
        await my_turn(guest, match)


def kill_bot(up: Up) -> int:
    """The process that was killed; it is listed for a moment yet."""
    process = up.children()["bot"]
    os.kill(process, signal.SIGKILL)
    return process


async def another_bot(up: Up, killed: int) -> None:
    found = {killed, None}
    await until(lambda: up.children().get("bot") not in found, "another bot worker", within=WITHIN)
