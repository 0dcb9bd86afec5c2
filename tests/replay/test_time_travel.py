"""Replay at each version, for every viewer, is what a client folded from its feed by then."""

import asyncio
from typing import Final

import msgspec
import pytest
from msgspec import Struct

from schemas.commands import HandOptions, HokmOptions, Options
from schemas.events import (
    ControlChanged,
    MatchEnded,
    RoundScored,
    SeatTaken,
    TurnTimedOut,
)
from schemas.views import View
from services.event_log.port import Row
from services.replay import deductions, rebuild
from services.replay.looks import look
from services.replay.rebuild import Moment
from services.rules import sight
from tests.replay.clients import Client, Saw
from tests.replay.evening import EVA, Played, evening
from tests.table.hall import ANNE, BEHROUZ, Hall

TABLES: Final[dict[str, Options]] = {
    "hokm": HokmOptions(target=4),
    "hokm_five_shown": HokmOptions(target=4, show_five_before_trump=True),
    "classic_2": HandOptions(variant="classic", seats=2, rounds=3),
    "classic_4": HandOptions(variant="classic", seats=4, rounds=3),
    "partnership": HandOptions(variant="partnership", seats=4, rounds=3),
    "saudi_3": HandOptions(variant="saudi", seats=3, rounds=3),
    "saudi_partnership": HandOptions(variant="saudi_partnership", seats=4, rounds=3),
}


class Past(Struct, frozen=True):
    """A match that was played, and all its versions rebuilt from the log alone."""

    played: Played
    rows: tuple[Row, ...]
    moments: tuple[Moment, ...]

    def at(self, version: int) -> Moment:
        return self.moments[version - 1]


async def play(options: Options, seed: int) -> Past:
    async with Hall() as hall:
        played = await evening(hall, options, seed)
        rows = hall.rows()
    return Past(played, rows, tuple(rebuild.moments(rows)))


@pytest.fixture(params=TABLES, scope="module")
def past(request: pytest.FixtureRequest) -> Past:
    """One match for all tests that look at it."""
    return asyncio.run(play(TABLES[request.param], seed=len(request.param)))


def view_of(saw: Saw) -> View | None:
    view: View | None = msgspec.convert(saw.view, View | None)
    return view


def viewer_of(saw: Saw) -> str:
    return "public" if saw.seat is None else f"seat:{saw.seat}"


def everything_seen(played: Played) -> list[Saw]:
    """What any client folded, and what any snapshot said."""
    clients: list[Client] = [*played.clients.values(), played.watcher]
    return [saw for client in clients for saw in (*client.folded, *client.told)]


def test_replay_at_each_version_is_the_view_that_a_client_folded_up_to_it(past: Past) -> None:
    for saw in everything_seen(past.played):
        moment = past.at(saw.version)
        assert moment.head == saw.head
        assert rebuild.seen_by(viewer_of(saw), moment.state) == saw.view, saw


def test_what_could_be_told_is_what_a_client_could_tell_from_what_it_folded(past: Past) -> None:
    for saw in everything_seen(past.played)[::7]:
        view = view_of(saw)
        told = None if view is None else deductions.deduced(view)
        assert look(viewer_of(saw), past.at(saw.version).state).deduced == told


def test_every_viewer_was_compared_at_every_version_from_the_first_deal_on(past: Past) -> None:
    """But for a seat while nobody sat there."""
    compared = {(viewer_of(saw), saw.version) for saw in everything_seen(past.played)}
    dealt = [one for one in past.moments if rebuild.seen_by("public", one.state) is not None]
    for one in dealt:
        sitting = [f"seat:{at}" for at, chair in enumerate(one.state.chairs) if chair.player]
        for viewer in ("public", *sitting):
            assert (viewer, one.version) in compared
    assert dealt[-1].version == len(past.rows)


def test_before_the_first_deal_a_client_knows_of_no_cards_and_replay_shows_none(past: Past) -> None:
    early = [saw for saw in past.played.clients[ANNE].folded if saw.view is None]
    assert [saw.version for saw in early] == list(range(2, len(early) + 2))
    for saw in early:
        for viewer in rebuild.viewers(past.rows):
            assert rebuild.seen_by(viewer, past.at(saw.version).state) is None


def test_the_judge_sees_what_the_table_itself_had_in_memory(past: Past) -> None:
    for version, live in past.played.table.items():
        moment = past.at(version)
        assert moment.head == live.head
        assert moment.state == live.state
        judged = msgspec.to_builtins(sight.judge(live.state))
        assert rebuild.seen_by("judge", moment.state) == judged
    assert len(past.rows) in past.played.table
    assert len(past.played.table) > len(past.rows) / 2


def test_the_evening_had_what_an_evening_has(past: Past) -> None:
    """Somebody left, another sat in for him, he came back; one slept and woke up again."""
    bodies = [one.event.body for one in past.moments]
    seat_1 = [body.player for body in bodies if isinstance(body, SeatTaken) and body.seat == 1]
    assert seat_1 == [BEHROUZ, EVA, BEHROUZ]
    changes = [(body.seat, body.control) for body in bodies if isinstance(body, ControlChanged)]
    assert changes == [(0, "house"), (0, "owner")]
    assert sum(isinstance(body, TurnTimedOut) for body in bodies) == 3
    assert sum(isinstance(body, RoundScored) for body in bodies) >= 3
    assert isinstance(bodies[-1], MatchEnded)


def test_another_version_or_another_seat_is_not_what_was_folded(past: Past) -> None:
    """The comparison above would be worth nothing if it held for anything."""
    for saw in past.played.clients[ANNE].folded[-60:]:
        assert saw.seat == 0
        assert rebuild.seen_by("seat:1", past.at(saw.version).state) != saw.view
    differ = [
        saw.version
        for saw in past.played.clients[ANNE].folded
        if rebuild.seen_by(viewer_of(saw), past.at(saw.version - 1).state) != saw.view
    ]
    assert len(differ) > len(past.rows) / 2
