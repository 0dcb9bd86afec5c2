"""Before the start: what is waited for, how a friend comes, and going away again."""

import asyncio
from typing import Final

from schemas.commands import TakeSeat
from services.cli.join.arrival import Parting, Wishes
from services.cli.join.opening import Opening, opening
from tests.cli.joining import Keys, Paper, Seat, nobody
from tests.table.hall import ANNE, BEHROUZ, MATCH, Hall, assert_happened
from tests.table.playing import live
from tests.waiting import until

WAITING: Final = "Waiting for other players. Free seats: 1."
LOST: Final = "The code for your friend"
"""Begins what is said to who cannot be shown it again."""


def table() -> Opening:
    """Anne, a friend, two masks."""
    return opening("hokm", {}, seat=0, others=("black", "friend", "black"))


def wishes(opened: Opening, *, again: bool = False) -> Wishes:
    return Wishes(opening=opened.action, code=opened.code, again=again)


async def shows(paper: Paper, text: str, times: int = 1) -> None:
    await until(lambda: paper.text.count(text) >= times, f"{text!r} to be shown, {times} times")


async def test_what_is_typed_before_the_start_is_told_what_is_waited_for() -> None:
    opened = table()
    async with Hall() as hall:
        seat = Seat(hall, player=ANNE)
        keys = Keys(seat.wake)
        task = asyncio.create_task(seat.play(keys, wishes(opened)))
        await shows(keys, WAITING)
        keys.type("1")
        await shows(keys, WAITING, times=2)
        assert_happened(await hall.say(BEHROUZ, TakeSeat(seat=2, code=opened.code)))
        await shows(keys, "Start? [Y/n]")
        for line in ("no", "y"):
            keys.type(line)
        await shows(keys, "Type “start” when you are ready.", times=2)
        keys.end()
        await task
    assert "It is not your turn" not in keys.text


async def test_the_friends_command_is_shown_as_often_as_it_is_looked_for() -> None:
    opened = table()
    async with Hall() as hall:
        seat = Seat(hall, player=ANNE)
        keys = Keys(seat.wake)
        task = asyncio.create_task(seat.play(keys, wishes(opened)))
        await shows(keys, WAITING)
        keys.type("show")
        await shows(keys, f"waraq join {MATCH} --code {opened.code}", times=2)
        assert_happened(await hall.say(BEHROUZ, TakeSeat(seat=2, code=opened.code)))
        await shows(keys, "Start? [Y/n]")
        keys.type("show")
        await until(lambda: len(keys.prompts) == 2, "the question again")
        keys.end()
        await task
    assert keys.text.count(f"--code {opened.code}") == 2


async def test_who_comes_back_to_his_table_is_told_that_its_code_is_kept_nowhere() -> None:
    opened = table()
    async with Hall() as hall:
        first = nobody()
        await Seat(hall, player=ANNE).play(first, wishes(opened))
        assert LOST not in first.text
        back = nobody()
        await Seat(hall, player=ANNE).play(back, Wishes())
        assert LOST in back.text
        friend = nobody()
        await Seat(hall, player=BEHROUZ).play(friend, Wishes(code=opened.code))
        full = nobody()
        await Seat(hall, player=ANNE).play(full, Wishes())
    assert LOST not in friend.text + full.text


async def test_a_rematch_says_where_the_friend_is_asked_for_it() -> None:
    opened = table()
    async with Hall() as hall:
        paper = nobody()
        await Seat(hall, player=ANNE).play(paper, wishes(opened, again=True))
    assert "asked for the next match where the last one ended" in paper.text
    assert f"  waraq join {MATCH} --code {opened.code}" in paper.lines


async def test_going_away_before_the_start_tells_of_the_half_hour_and_of_no_house() -> None:
    async with Hall() as hall:
        paper = nobody()
        assert await Seat(hall, player=ANNE).play(paper, wishes(table())) is Parting.AWAY
    assert "closed half an hour after it was opened" in paper.text
    assert "the house plays" not in paper.text


async def test_getting_up_before_the_start_frees_the_seat_and_says_so() -> None:
    opened = table()
    async with Hall() as hall:
        assert_happened(await hall.say(ANNE, opened.action))
        seat = Seat(hall, player=BEHROUZ)
        keys = Keys(seat.wake)
        task = asyncio.create_task(seat.play(keys, Wishes(code=opened.code)))
        await shows(keys, "The host may start.")
        keys.type("leave")
        await shows(keys, "Your seat is free again then.")
        keys.type("y")
        assert await task is Parting.LEFT
        assert not live(hall).state.chairs[2].filled
