"""What comes a day late, and what a match that is over still says (clients.md, The end)."""

import pytest
from msgspec.structs import replace

from schemas.commands import (
    AbandonMatch,
    Command,
    Draw,
    HandOptions,
    HokmOptions,
    LeaveSeat,
    OpenMatch,
    Options,
    StartMatch,
    TakeSeat,
)
from schemas.feed import Ask, Happened, History, Snapshot, encode_feed
from schemas.ids import OPS
from schemas.refusals import Refusal
from services.cli.client import MatchClient
from services.rules import sight
from services.rules.match import MatchState, game_of
from services.table import shelf as shelves
from services.table.waits import LOBBY
from tests.table.hall import (
    ANNE,
    BEHROUZ,
    FOUR_PEOPLE,
    PLAYERS,
    Hall,
    assert_happened,
    assert_refused,
)
from tests.table.playing import live, play_house, score, speaker
from tests.waiting import until

DAY = 86_400.0


def opened_with(options: Options) -> Command:
    return Command(id="o" * 16, action=OpenMatch(options=options, seats=FOUR_PEOPLE))


OPENING = opened_with(HokmOptions(target=1))


def next_card(state: MatchState, id_: str) -> Command:
    """What the house would do for the seat on turn."""
    view = sight.view(state, sight.turn(state))
    assert view is not None
    return Command(id=id_ * 16, move=state.move, action=game_of(state).house_move(view))


async def begin(hall: Hall, options: Options | None = None) -> None:
    """A match of four people that has begun, opened by `OPENING` or one of other `options`."""
    opening = OPENING if options is None else opened_with(options)
    assert_happened(await hall.repeat(ANNE, opening))
    for seat in (1, 2, 3):
        assert_happened(await hall.say(PLAYERS[seat], TakeSeat(seat=seat)))
    assert_happened(await hall.say(ANNE, StartMatch()))


async def to_the_end(hall: Hall) -> None:
    while not live(hall).state.over:
        await (play_house(hall, own=True) if live(hall).state.ended is None else score(hall))


async def expire(hall: Hall) -> None:
    await hall.open()
    hall.turn_clock(LOBBY)
    await until(lambda: "match_abandoned" in hall.types(), "the lobby to be closed")


def a_day_later(before: Hall) -> Hall:
    """Another worker at the same log; the broker has forgotten all that it ever heard."""
    hall = Hall(store=before.store)
    hall.clock.seconds = before.clock.seconds + DAY
    return hall


# A day late -----------------------------------------------------------------------------------


async def test_an_old_command_said_a_day_later_gets_its_event_again_and_happens_once() -> None:
    async with Hall() as before:
        await begin(before)
        state = live(before).state
        card, player = next_card(state, "c"), speaker(state, own=True)
        first = await before.repeat(player, card)
        assert_happened(first)
    rows = before.rows()
    async with a_day_later(before) as after:
        assert await after.repeat(player, card) == first
        assert await after.repeat(player, card) == first
        assert_refused(await after.repeat(BEHROUZ, OPENING), Refusal.NOT_ALLOWED)
        other = next(one for one in PLAYERS if one != player)
        assert_refused(await after.repeat(other, card), Refusal.NOT_ALLOWED)
        assert after.rows() == rows


async def test_a_drawn_card_is_told_again_with_its_event_at_once_and_a_day_later() -> None:
    """To who drew it: what it was stands in no public line."""
    async with Hall() as before:
        await begin(before, HandOptions(variant="classic", seats=4, rounds=3))
        await play_house(before, own=True)  # who has a card more than the others throws it
        state = live(before).state
        drawing, player = next_card(state, "d"), speaker(state, own=True)
        assert drawing.action == Draw(source="stock")
        first = await before.repeat(player, drawing)
        assert isinstance(first, Happened)
        assert len(first.cards) == 1
        assert await before.repeat(player, drawing) == first
    async with a_day_later(before) as after:
        assert await after.repeat(player, drawing) == first


async def test_a_refused_card_said_a_day_later_is_not_played() -> None:
    async with Hall() as before:
        await begin(before)
        state = live(before).state
        card, player = next_card(state, "c"), speaker(state, own=True)
        assert_happened(await before.repeat(player, card))
        late = replace(card, id="l" * 16)
        assert_refused(await before.repeat(player, late), Refusal.STALE_MOVE)
    rows = before.rows()
    async with a_day_later(before) as after:
        assert_refused(await after.repeat(player, late), Refusal.STALE_MOVE)
        assert after.rows() == rows


async def test_a_seat_that_was_refused_with_its_move_is_not_taken_a_day_later() -> None:
    async with Hall() as before:
        await before.open()
        assert_happened(await before.say(BEHROUZ, TakeSeat(seat=1)))
        wish = Command(id="w" * 16, move=live(before).state.move, action=TakeSeat(seat=1))
        assert_refused(await before.repeat(PLAYERS[2], wish), Refusal.SEAT_TAKEN)
        assert_happened(await before.say(BEHROUZ, LeaveSeat()))
    async with a_day_later(before) as after:
        assert_refused(await after.repeat(PLAYERS[2], wish), Refusal.STALE_MOVE)


@pytest.mark.parametrize("restarted", [False, True], ids=["forgotten", "restarted"])
async def test_nothing_is_accepted_in_a_match_that_is_over(
    monkeypatch: pytest.MonkeyPatch,
    *,
    restarted: bool,
) -> None:
    """In memory it says `match_over`, and to what it accepted its event; forgotten it knows none
    but its opening.
    """
    async with Hall() as hall:
        await begin(hall)
        state = live(hall).state
        card, player = next_card(state, "c"), speaker(state, own=True)
        first = await hall.repeat(player, card)
        await to_the_end(hall)
        rows, late = hall.rows(), replace(card, id="l" * 16, move=live(hall).state.move)
        assert await hall.repeat(player, card) == first
        assert_refused(await hall.repeat(player, late), Refusal.MATCH_OVER)
        assert_refused(await hall.say(ANNE, StartMatch()), Refusal.MATCH_OVER)
        if not restarted:
            monkeypatch.setattr(shelves, "MOST_LIVE", 0)
            assert_refused(await hall.repeat(player, late), Refusal.MATCH_OVER)  # the last time
            await _assert_forgotten(hall, player, (card, late))
    if restarted:
        async with a_day_later(hall) as after:
            await _assert_forgotten(after, player, (card, late))
    assert hall.rows() == rows


async def _assert_forgotten(hall: Hall, player: str, commands: tuple[Command, ...]) -> None:
    for command in commands:
        assert_refused(await hall.repeat(player, command), Refusal.UNKNOWN_MATCH)
    assert assert_happened(await hall.repeat(ANNE, OPENING)).version == 1
    other = replace(OPENING, id="p" * 16)
    assert_refused(await hall.repeat(BEHROUZ, other), Refusal.MATCH_EXISTS)


# What is asked of it --------------------------------------------------------------------------


async def test_a_match_that_goes_on_does_not_say_that_it_is_over() -> None:
    async with Hall() as hall:
        await hall.open()
        lobby = await hall.snapshot(BEHROUZ)
        for seat in (1, 2, 3):
            assert_happened(await hall.say(PLAYERS[seat], TakeSeat(seat=seat)))
        assert_happened(await hall.say(ANNE, StartMatch()))
        played = await hall.snapshot(BEHROUZ)
    for found in (lobby, played):
        assert found.over is None
        assert b'"over"' not in encode_feed(found)


async def _asked(hall: Hall) -> tuple[Snapshot, History]:
    found = await hall.ask(BEHROUZ, Ask(what="history", since=0))
    assert isinstance(found, History)
    return await hall.snapshot(BEHROUZ), found


async def test_a_lobby_that_nobody_started_says_so_also_after_a_restart() -> None:
    async with Hall() as before:
        await expire(before)
        first, _ = await _asked(before)
        assert (first.over, first.view, first.due) == ("expired", None, None)
    async with a_day_later(before) as after:
        again, history = await _asked(after)
        assert replace(again, now=first.now) == first
        assert history.events[-1].event.version == again.version
        assert_refused(await after.say(BEHROUZ, TakeSeat(seat=1)), Refusal.UNKNOWN_MATCH)
        assert_refused(await after.say(ANNE, StartMatch()), Refusal.UNKNOWN_MATCH)


async def test_a_match_that_an_operator_stopped_says_so() -> None:
    async with Hall() as hall:
        await begin(hall)
        assert_happened(await hall.say(OPS, AbandonMatch(reason="operator")))
        found, _ = await _asked(hall)
        assert found.over == "operator"
        assert found.view is not None
        assert (found.view.phase, found.view.winner) == ("match_over", None)


async def test_a_match_that_was_played_out_says_so_also_after_a_restart() -> None:
    async with Hall() as before:
        await begin(before)
        await to_the_end(before)
        first, _ = await _asked(before)
        assert first.over == "ended"
    async with a_day_later(before) as after:
        again, _ = await _asked(after)
        assert replace(again, now=first.now) == first


async def test_a_client_that_missed_the_end_of_a_lobby_learns_it_from_a_snapshot() -> None:
    async with Hall() as hall:
        await expire(hall)
        client = MatchClient(hall.line, ANNE, hall.rows()[0].entry.stream)
        client.take(await hall.snapshot(ANNE))
        assert client.ended is not None
        assert (client.ended.winner, client.ended.score) == (None, ())
