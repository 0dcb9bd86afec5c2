"""Turns that take a search: beside all else, once each, and only while a match waits for them."""

import asyncio
import logging

import pytest
from msgspec.structs import replace

from schemas import subjects
from schemas.commands import Advise, PlayCard, Suggestion
from schemas.ids import Seat
from schemas.views import BotTurn
from services.bot import worker
from services.bot.answering import Unthought
from services.bot.policy import needs_search, suggest
from services.messaging import streams
from tests.bot.positions import position, turn
from tests.bot.test_worker import ONE_CARD, Table, match_id, turn_at, working
from tests.waiting import until


@pytest.fixture
async def table() -> Table:
    opened = Table()
    await opened.open()
    return opened


class Thinking:
    """Searches that end when the test says so."""

    def __init__(self) -> None:
        self.turns: list[BotTurn] = []
        self.given_up: list[int] = []
        self.go = asyncio.Event()

    async def __call__(self, asked: BotTurn) -> Suggestion:
        self.turns.append(asked)
        try:
            await self.go.wait()
        except asyncio.CancelledError:
            self.given_up.append(asked.move)
            raise
        return suggest(asked)

    async def begun(self, count: int) -> None:
        await until(lambda: len(self.turns) >= count, f"{count} searches begun")


def hard_turn(seat: Seat, *, match: str = match_id(0), move: int = 7) -> BotTurn:
    """A turn with a choice between two cards, for the strongest level."""
    view = replace(HARD, seat=seat, turn=seat)
    return replace(turn(view), match=match, move=move, level="chrome")


HARD = position("AD 2D 9H", trump="S", trick="KD")


def test_only_a_choice_of_the_strongest_or_its_advice_takes_a_search() -> None:
    hard = hard_turn(0)
    assert needs_search(hard)
    assert needs_search(replace(hard, view=ONE_CARD, task="advise")), "its chance is weighed"
    assert not needs_search(replace(hard, level="black"))
    assert not needs_search(replace(hard, level="black", task="advise"))
    assert not needs_search(replace(hard, view=ONE_CARD))
    naming = replace(HARD, phase="choosing_trump", trump=None, playable=())
    assert not needs_search(replace(hard, view=naming, task="advise"))


async def test_others_are_answered_while_searches_go_on_and_those_go_on_together(
    table: Table,
) -> None:
    thinking = Thinking()
    async with working(table, thinking):
        for number in range(3):
            await table.ask(hard_turn(number, match=match_id(number)))
        await table.ask(turn_at(3, match=match_id(9)))
        await table.heard.wait(1)
        assert table.heard.subjects == [f"cmdin.{match_id(9)}.house3"]
        await thinking.begun(3)
        waits = list(table.broker.stream(streams.TURNS).matching(subjects.TURNS))
        assert len(waits) == 3, "no answer, no acknowledgement"
        thinking.go.set()
        await table.heard.wait(4)
        await table.nothing_waits()
    assert sorted(table.heard.subjects[1:]) == [f"cmdin.{match_id(n)}.house{n}" for n in range(3)]


async def test_the_same_question_that_comes_again_meanwhile_is_thought_about_once(
    table: Table,
) -> None:
    thinking = Thinking()
    async with working(table, thinking):
        await table.ask(hard_turn(1))
        await thinking.begun(1)
        await table.ask(hard_turn(1))
        await table.ask(hard_turn(2, match=match_id(5), move=8))
        await thinking.begun(2)
        thinking.go.set()
        await table.heard.wait(2)
        await table.nothing_waits()
    assert [asked.seat for asked in thinking.turns] == [1, 2]
    assert [command.move for command in table.commands] == [7, 8]


async def test_an_advice_and_the_bots_own_turn_at_the_same_move_are_answered_both(
    table: Table,
) -> None:
    """The seat has changed hands meanwhile: two questions, two answers."""
    thinking = Thinking()
    async with working(table, thinking):
        await table.ask(replace(hard_turn(1), task="advise"))
        await thinking.begun(1)
        await table.ask(hard_turn(1))
        await thinking.begun(2)
        thinking.go.set()
        await table.heard.wait(2)
        await table.nothing_waits()
    actions = {type(command.action) for command in table.commands}
    assert actions == {Advise, PlayCard}


async def test_what_a_match_waits_for_no_more_is_acknowledged_and_not_thought_about_further(
    table: Table,
) -> None:
    """Time was up, or the card that advice was asked about is played: the answer came too late."""
    thinking = Thinking()
    async with working(table, thinking):
        await table.ask(replace(hard_turn(1), task="advise"))
        await table.ask(hard_turn(3, match=match_id(5), move=6))
        await thinking.begun(2)
        await table.ask(hard_turn(2, move=8))
        await thinking.begun(3)
        await until(lambda: thinking.given_up == [7], "the earlier one given up")
        thinking.go.set()
        await table.heard.wait(2)
        await table.nothing_waits()
    assert sorted(table.heard.subjects) == [
        f"cmdin.{match_id(0)}.house2",
        f"cmdin.{match_id(5)}.house3",
    ]


async def test_an_earlier_turn_that_comes_late_is_answered_and_stops_no_later_one(
    table: Table,
) -> None:
    """A log that was restored counts its moves from an earlier one."""
    thinking = Thinking()
    async with working(table, thinking):
        await table.ask(hard_turn(1, move=8))
        await thinking.begun(1)
        await table.ask(hard_turn(2, move=7))
        await thinking.begun(2)
        thinking.go.set()
        await table.heard.wait(2)
        await table.nothing_waits()
    assert sorted(command.move or 0 for command in table.commands) == [7, 8]


async def test_a_search_of_which_nothing_comes_is_logged_and_leaves_the_table_to_ask_again(
    table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail(_: BotTurn) -> Suggestion:
        raise Unthought("two processes died of it")

    async with working(table, fail):
        await table.ask(hard_turn(1))
        await until(lambda: "the policy failed" in caplog.messages, "a line in the log")
        await table.nothing_waits()
        await table.ask(turn_at(0))
        await table.heard.wait(1)
    assert table.heard.subjects == [f"cmdin.{match_id(0)}.house0"]
    (record,) = [one for one in caplog.records if one.levelno >= logging.ERROR]
    assert vars(record)["fault"] == "two processes died of it"


async def test_when_asked_to_stop_searches_that_have_begun_are_answered_first(
    table: Table,
) -> None:
    thinking = Thinking()
    async with working(table, thinking) as one:
        await table.ask(hard_turn(1))
        await thinking.begun(1)
        one.stop.set()
        assert not one.task.done()
        thinking.go.set()
    await table.nothing_waits()
    assert len(table.heard.messages) == 1


async def test_one_that_takes_longer_than_a_worker_may_stop_is_left_for_another(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "STOP_WITHIN", 0.0)
    thinking = Thinking()
    async with working(table, thinking) as one:
        await table.ask(hard_turn(1))
        await thinking.begun(1)
        one.stop.set()
    assert thinking.given_up == [7]
    assert table.heard.messages == []
    left = list(table.broker.stream(streams.TURNS).matching(subjects.TURNS))
    assert len(left) == 1, "not acknowledged"
