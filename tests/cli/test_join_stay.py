"""A person's stay: coming, starting, a lost line, the autopilot, getting up, a rematch."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from hashlib import sha256
from typing import Final

import pytest

from schemas.commands import (
    AbandonMatch,
    HokmOptions,
    LeaveSeat,
    OpenMatch,
    SeatPlan,
    StartMatch,
    TakeSeat,
)
from schemas.events import NonceAdded, SeatTaken
from schemas.feed import Happened
from schemas.ids import OPS, house_voice
from services.cli.join import arrival, talk
from services.cli.join.arrival import Parting, Wishes
from services.cli.join.opening import Opening
from services.rules import sight
from services.rules.match import game_of
from tests.cli.joining import (
    ME,
    Keys,
    Paper,
    Seat,
    after_lines,
    first,
    house,
    lines,
    nobody,
    of_bots,
)
from tests.table.hall import ANNE, BEHROUZ, FOUR_PEOPLE, Hall, assert_happened
from tests.table.playing import live
from tests.waiting import until

OPEN: Final = Wishes(opening=of_bots(HokmOptions()).action)
LONG: Final = HokmOptions(target=100)


@asynccontextmanager
async def playing(keys: Keys, seat: Seat, wishes: Wishes) -> AsyncIterator[None]:
    """A session goes on beside the test; in the end Ctrl-D closes it."""
    task = asyncio.create_task(seat.play(keys, wishes))
    yield
    keys.end()
    await task


async def shows(paper: Paper, text: str) -> None:
    await until(lambda: text in paper.text, f"{text!r} to be shown")


# Coming ---------------------------------------------------------------------------------------


async def test_a_free_seat_is_taken_and_a_nonce_added() -> None:
    async with Hall() as hall:
        await hall.open()
        paper = nobody()
        seat = Seat(hall)
        assert await seat.play(paper, Wishes()) is Parting.AWAY
        bodies = [row.entry.type for row in hall.rows()]
        assert bodies[-2:] == ["seat_taken", "nonce_added"]
        assert live(hall).state.chairs[1].player == ME
        assert "You sit at seat 1." in paper.text
        assert "Fair deal" in paper.text


async def test_no_nonce_is_added_to_who_wants_none() -> None:
    async with Hall() as hall:
        await hall.open()
        await Seat(hall).play(nobody(), Wishes(nonce=False, seat=3))
        assert hall.types()[-1] == "seat_taken"
        assert live(hall).state.chairs[3].player == ME


async def test_who_comes_back_keeps_his_seat_and_his_nonce() -> None:
    async with Hall() as hall:
        await hall.open()
        await Seat(hall).play(nobody(), Wishes())
        version = live(hall).version
        paper = nobody()
        assert await Seat(hall).play(paper, Wishes()) is Parting.AWAY
        assert live(hall).version == version
        assert "You sit at seat 1." in paper.text
        assert "Fair deal" not in paper.text


async def test_a_seat_that_is_taken_is_refused_in_words() -> None:
    async with Hall() as hall:
        await hall.open()
        paper = nobody()
        assert await Seat(hall).play(paper, Wishes(seat=0)) is Parting.NO_SEAT
        assert "That seat is taken." in paper.text
        assert "full" not in paper.text


async def test_a_full_table_has_no_seat() -> None:
    async with Hall() as hall:
        await hall.start()
        paper = nobody()
        assert await Seat(hall).play(paper, Wishes()) is Parting.NO_SEAT
    assert "This table is full" in paper.text


async def test_an_invited_friend_needs_the_code() -> None:
    plan = (*FOUR_PEOPLE[:3], SeatPlan(seat=3, filled_by="invited"))
    plan = (plan[0], *(SeatPlan(seat=s, filled_by="house", level="white") for s in (1, 2)), plan[3])
    hash_ = sha256(b"open sesame").hexdigest()
    opening = OpenMatch(options=HokmOptions(), seats=plan, invitation=hash_)
    async with Hall() as hall:
        assert_happened(await hall.say(ANNE, opening))
        paper = nobody()
        assert await Seat(hall).play(paper, Wishes(code="sesame")) is Parting.NO_SEAT
        assert "The invitation code is not right." in paper.text
        paper = nobody()
        assert await Seat(hall).play(paper, Wishes()) is Parting.NO_SEAT
        assert "Seat 3 is for an invited friend: say --code" in paper.text
        assert await Seat(hall).play(nobody(), Wishes(code="open sesame")) is Parting.AWAY
        assert live(hall).state.chairs[3].player == ME


async def test_a_match_that_is_not_there_is_told() -> None:
    async with Hall() as hall:
        seat = Seat(hall, match="m_" + "f" * 32)
        assert await seat.play(nobody(), Wishes()) is Parting.NO_MATCH


async def test_a_table_that_does_not_answer_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrival, "LEARN_AGAIN", 0.02)
    monkeypatch.setattr(arrival, "ANSWER_WITHIN", 0.1)
    hall = Hall()
    paper = nobody()
    assert await Seat(hall).play(paper, Wishes()) is Parting.SILENT
    assert "does not answer" in paper.text


async def test_a_match_that_is_over_tells_how_it_ended() -> None:
    async with Hall() as hall, house(hall):
        await Seat(hall).play(Paper(after_lines([], first)), OPEN)
        paper = nobody()
        assert await Seat(hall).play(paper, Wishes()) is Parting.ENDED
        assert "The match is over" in paper.text


# Starting -------------------------------------------------------------------------------------


async def test_the_owner_starts_once_all_seats_are_taken() -> None:
    async with Hall() as hall:
        seat = Seat(hall)
        keys = Keys(seat.wake)
        plan = (*FOUR_PEOPLE[:3], SeatPlan(seat=3, filled_by="house", level="white"))
        wishes = Wishes(opening=Opening(HokmOptions(), plan, None).action)
        async with playing(keys, seat, wishes):
            await shows(keys, "Free seats: 2")
            keys.type("start")
            await shows(keys, "something else comes first")
            assert_happened(await hall.say(ANNE, TakeSeat(seat=1)))
            assert_happened(await hall.say(BEHROUZ, TakeSeat(seat=2)))
            await shows(keys, "Start? [Y/n]")
            keys.type("n")
            await shows(keys, "Not started")
            keys.type("start")
            await shows(keys, "The match starts.")


async def test_who_sits_down_in_a_lobby_hears_all_that_comes_next() -> None:
    async with Hall() as hall:
        await hall.open()
        client = Seat(hall).client
        await client.enter()
        assert await client.learn(5)
        assert_happened(await hall.say(ME, TakeSeat(seat=1)))
        assert_happened(await hall.say(BEHROUZ, TakeSeat(seat=2)))
        await until(lambda: len(client.news) == 2, "both events")
        assert (client.seat, client.gap) == (1, False)
        assert await client.refresh(5)
        assert not client.jumped
        await client.leave()


async def test_who_did_not_open_the_table_waits_for_its_start() -> None:
    async with Hall() as hall:
        plan = (FOUR_PEOPLE[0], FOUR_PEOPLE[1])
        bots = tuple(SeatPlan(seat=s, filled_by="house", level="white") for s in (2, 3))
        assert_happened(await hall.say(ANNE, OpenMatch(options=HokmOptions(), seats=plan + bots)))
        seat = Seat(hall)
        keys = Keys(seat.wake)
        async with playing(keys, seat, Wishes()):
            await shows(keys, "The host may start.")
            keys.type("start")
            await shows(keys, "You may not do that.")
            assert_happened(await hall.say(ANNE, StartMatch()))
            await shows(keys, "The match starts.")


async def test_a_lobby_that_is_closed_ends_the_stay() -> None:
    async with Hall() as hall:
        await hall.open()
        seat = Seat(hall)
        task = asyncio.create_task(seat.play(Keys(seat.wake), Wishes()))
        await until(lambda: "nonce_added" in hall.types(), "the seat to be taken")
        assert_happened(await hall.say(OPS, AbandonMatch(reason="operator")))
        assert await task is Parting.ENDED


# The line -------------------------------------------------------------------------------------


async def test_a_gap_is_closed_by_a_snapshot() -> None:
    async with Hall() as hall:
        await hall.open()
        seat = Seat(hall)
        keys = Keys(seat.wake)
        async with playing(keys, seat, Wishes(seat=2)):
            await until(lambda: "nonce_added" in hall.types(), "a nonce")
            await until(lambda: seat.client.version == live(hall).version, "all to be heard")
            await seat.client.leave()
            assert_happened(await hall.say(ANNE, LeaveSeat()))
            await seat.client.enter()
            assert_happened(await hall.say(ANNE, TakeSeat(seat=0)))
            await shows(keys, "Something was missed")
            assert seat.client.version == live(hall).version


async def test_a_lower_version_is_dropped() -> None:
    async with Hall() as hall:
        await hall.open()
        seat = Seat(hall)
        await seat.play(nobody(), Wishes())
        state, version = seat.client.state, seat.client.version
        for message in [one for one in hall.feeds if f".{ME}." in one.subject]:
            seat.client.hear(message)
        assert seat.client.version == version
        assert seat.client.state is not None
        assert state is not None
        assert seat.client.state.chairs == state.chairs


async def test_a_broken_connection_is_told_and_the_match_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(talk, "TICK", 0.01)
    monkeypatch.setattr("services.cli.join.person.TICK", 0.01)
    async with Hall() as hall, house(hall):
        seat = Seat(hall)
        keys = Keys(seat.wake)
        async with playing(keys, seat, OPEN):
            await shows(keys, "Start?")
            hall.broker.disconnect(seat.bus)
            await shows(keys, "Connection lost")
            await hall.broker.reconnect(seat.bus)
            await shows(keys, "… back.")
            keys.type("y")
            await shows(keys, "The match starts.")


async def test_a_short_break_that_nobody_saw_is_made_good() -> None:
    async with Hall() as hall:
        await hall.open()
        seat = Seat(hall)
        keys = Keys(seat.wake)
        async with playing(keys, seat, Wishes(seat=2)):
            await until(lambda: "nonce_added" in hall.types(), "a nonce")
            hall.broker.disconnect(seat.bus)
            hall.broker.disconnect(seat.bus)
            await hall.broker.reconnect(seat.bus)
            await shows(keys, "… back.")
            await until(lambda: not seat.client.gap, "a snapshot")


async def test_a_move_that_comes_too_late_is_told_and_the_match_goes_on() -> None:
    async with Hall() as hall:
        seat = Seat(hall)
        keys = Keys(seat.wake)
        async with playing(keys, seat, Wishes(opening=of_bots(LONG).action)):
            await shows(keys, "Start?")
            keys.type("y")
            await shows(keys, "The match starts.")
            await to_my_turn(hall)
            await shows(keys, "Time left: ")  # until then an answer to its ask may still come
            await seat.client.leave()
            hall.turn_clock(50)
            await expiries(hall, 1)
            await until(lambda: last_told(hall) == live(hall).version, "to be told all of it")
            await seat.client.enter()
            keys.type("1")
            await shows(keys, "Too late: the game has moved on.")
            await shows(keys, "Something was missed")
            await until(lambda: seat.client.version == live(hall).version, "a snapshot")


# The autopilot --------------------------------------------------------------------------------


async def to_my_turn(hall: Hall) -> None:
    """The others play what the house would until it is seat 0's turn."""
    while sight.turn(live(hall).state) != 0:
        await house_moves(hall)


async def house_moves(hall: Hall) -> None:
    state = live(hall).state
    seat = sight.turn(state)
    assert seat is not None
    view = sight.view(state, seat)
    assert view is not None
    move = game_of(state).house_move(view)
    assert_happened(await hall.say(house_voice(seat), move, move=state.move))


async def expiries(hall: Hall, number: int) -> None:
    await until(lambda: hall.types().count("turn_timed_out") == number, f"{number} expiries")


def last_told(hall: Hall) -> int:
    """The version of the last event that was told to me, whether I heard it or not."""
    told = [one.event.version for one in hall.heard(ME) if isinstance(one, Happened)]
    return max(told, default=0)


async def test_H24_after_two_expiries_the_house_plays_until_one_is_back() -> None:
    async with Hall() as hall:
        seat = Seat(hall)
        keys = Keys(seat.wake)
        wishes = Wishes(opening=of_bots(LONG).action)
        async with playing(keys, seat, wishes):
            await shows(keys, "Start?")
            keys.type("")
            await shows(keys, "The match starts.")
            for _ in range(2):
                await to_my_turn(hall)
                expired = hall.types().count("turn_timed_out") + 1
                hall.turn_clock(50)
                await expiries(hall, expired)
            await shows(keys, "Time is up: you")
            await shows(keys, "The house plays for you.")
            assert live(hall).state.chairs[0].control == "house"
            for _ in range(4):  # it is not asked for again after each card
                await house_moves(hall)
            await until(lambda: seat.client.version == live(hall).version, "the cards")
            assert keys.text.count("The house plays for you.") == 1
            keys.type("")
            await until(lambda: live(hall).state.chairs[0].control == "owner", "the owner's return")
            await shows(keys, "Plays again: you")


async def test_the_clock_is_shown_before_the_prompt() -> None:
    async with Hall() as hall, house(hall):
        paper = Paper(after_lines(["y"], lambda _paper: None))
        await Seat(hall).play(paper, OPEN)
        assert "Time left: " in paper.text


# Going ----------------------------------------------------------------------------------------


async def test_the_end_of_input_keeps_the_seat() -> None:
    async with Hall() as hall, house(hall):
        paper = Paper(lines("y"))
        seat = Seat(hall)
        assert await seat.play(paper, OPEN) is Parting.AWAY
        assert "You leave the terminal and keep your seat" in paper.text
        assert f"waraq join {seat.match}" in paper.text
        assert live(hall).state.chairs[0].player == ME


async def test_leaving_is_asked_about_and_gives_the_seat_to_the_house() -> None:
    async with Hall() as hall, house(hall):
        paper = Paper(lines("y", "leave", "n", "leave", "y"))
        assert await Seat(hall).play(paper, OPEN) is Parting.LEFT
        assert hall.types()[-1] != "match_ended"
        assert live(hall).state.chairs[0].player is None


@asynccontextmanager
async def interrupted() -> AsyncIterator[tuple[Keys, asyncio.Task[Parting]]]:
    """A person at a table of his own, who has pressed Ctrl-C and is asked what he wants."""
    async with Hall() as hall:
        seat = Seat(hall)
        keys = Keys(seat.wake)
        task = asyncio.create_task(seat.play(keys, OPEN))
        await shows(keys, "Start?")
        keys.interrupt()
        await shows(keys, "come back later (b)")
        yield keys, task


@pytest.mark.parametrize(
    ("answer", "parting"), [("l", Parting.LEFT), ("b", Parting.AWAY), ("quit", Parting.AWAY)]
)
async def test_an_interrupt_asks_once(answer: str, parting: Parting) -> None:
    async with interrupted() as (keys, task):
        keys.type(answer)
        assert await task is parting


async def test_after_an_interrupt_one_may_play_on_and_a_second_one_goes() -> None:
    async with interrupted() as (keys, task):
        keys.type("")
        await until(lambda: keys.prompts[-1].startswith("All seats"), "the question again")
        keys.interrupt()
        await until(lambda: keys.prompts[-1].startswith("Leave the seat"), "the other question")
        keys.interrupt()
        assert await task is Parting.AWAY


async def test_an_answer_to_an_interrupt_that_means_nothing_is_asked_again() -> None:
    async with interrupted() as (keys, task):
        keys.type("what\x1b[2J")
        await shows(keys, "“what[2J” is none of the three.")
        assert keys.prompts[-1].startswith("Leave the seat")
        assert len(keys.prompts) == 3
        keys.type("b")
        assert await task is Parting.AWAY


async def test_nobody_is_told_another_players_nonce_as_his_own() -> None:
    async with Hall() as hall:
        await hall.open()
        await Seat(hall).play(nobody(), Wishes())
        told = [one.event for one in hall.heard(ME) if isinstance(one, Happened)]
        assert [type(one.body) for one in told] == [SeatTaken, NonceAdded]
