"""What operators are told of bots says of a single turn that it was asked and answered, no more."""

import asyncio
from typing import Final

import pytest
from msgspec.structs import replace
from prometheus_client import CollectorRegistry

from schemas.commands import Suggestion
from schemas.views import BotTurn
from services.bot.answering import think_here
from services.bot.metrics import BotMetrics
from services.bot.policy import needs_search
from services.bot.thoughts import SECONDS, TOGETHER, Thoughts, in_twenties
from tests.bot.test_searching import ONE_AT_1, Rests, hard_turn
from tests.bot.test_worker import Table, working
from tests.waiting import until

HELD: Final = 400
"""Milliseconds; the test says when they are over."""
CHOICE: Final = replace(hard_turn(1), steady=HELD)
FORCED: Final = replace(CHOICE, view=ONE_AT_1)

Told = dict[tuple[str, tuple[tuple[str, str], ...]], float]


def told(registry: CollectorRegistry) -> Told:
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in registry.collect()
        for sample in family.samples
        if not sample.name.endswith("_created")
    }


class Search:
    """Searches in a process of their own, which is there from the first one on."""

    def __init__(self) -> None:
        self.go = asyncio.Event()
        self.running = self.waiting = 0
        self.found = False

    async def __call__(self, turn: BotTurn) -> Suggestion:
        self.running = self.waiting = 1
        await self.go.wait()
        self.waiting = 0
        suggestion = await think_here(turn)
        self.found = True
        return suggestion


async def in_the_course_of(turn: BotTurn) -> list[Told]:
    """What is told before `turn`, while it is thought about or held, once the answer is found and
    held, and after it is said.
    """
    table, rests, search = Table(), Rests(), Search()
    await table.open()
    registry = CollectorRegistry()
    metrics = BotMetrics(registry)
    metrics.watch_pool(running=lambda: search.running, waiting=lambda: search.waiting)
    looks = [told(registry)]
    async with working(table, search, rests, metrics):
        await table.ask(turn)
        await until(lambda: rests.seconds, "the answer to be held")
        looks.append(told(registry))
        search.go.set()
        await until(lambda: search.found or not needs_search(turn), "the answer to be found")
        looks.append(told(registry))
        rests.over.set()
        await table.heard.wait(1)
        await table.nothing_waits()
        looks.append(told(registry))
    return looks


async def test_the_numbers_are_the_same_for_a_turn_with_a_choice_and_for_one_without() -> None:
    assert needs_search(CHOICE)
    assert not needs_search(FORCED)
    choice, forced = await in_the_course_of(CHOICE), await in_the_course_of(FORCED)
    assert choice == forced
    assert choice[0] != choice[1], "it is told that it was asked"
    assert choice[1] == choice[2], "and not when the answer was found"
    assert set(choice[3].items()) - set(choice[2].items()) == {
        (
            (
                "waraq_turns_answered_total",
                (("game", "hokm"), ("level", "chrome"), ("task", "play")),
            ),
            1,
        )
    }


# Many at once -----------------------------------------------------------------------------------


def counted(registry: CollectorRegistry, game: str = "hokm", level: str = "white") -> float:
    labels = {"game": game, "level": level}
    return registry.get_sample_value("waraq_thought_seconds_count", labels) or 0.0


def test_thoughts_are_told_twenty_at_a_time_and_all_of_them() -> None:
    registry = CollectorRegistry()
    thoughts = Thoughts(registry)
    for number in range(1, 3 * TOGETHER + 1):
        before = told(registry)
        full = number % TOGETHER == 0
        assert thoughts.add("hokm", "white", 0.25 if number % 2 else 0.0) is full
        assert (told(registry) != before) is full
        assert counted(registry) == in_twenties(number)
    labels = {"game": "hokm", "level": "white"}
    assert registry.get_sample_value("waraq_thought_seconds_sum", labels) == 0.25 * 30
    at_once = labels | {"le": str(SECONDS[0])}
    assert registry.get_sample_value("waraq_thought_seconds_bucket", at_once) == 30


def test_each_level_of_each_game_waits_for_twenty_of_its_own() -> None:
    registry = CollectorRegistry()
    thoughts = Thoughts(registry)
    for kind in (("hokm", "white"), ("hokm", "black"), ("hand", "white")):
        for _ in range(TOGETHER - 1):
            thoughts.add(*kind, 0.1)
    assert told(registry) == {}
    thoughts.add("hokm", "black", 0.1)
    assert [counted(registry, *kind) for kind in (("hokm", "white"), ("hokm", "black"))] == [0, 20]


def test_a_look_in_the_midst_of_twenty_finds_none_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Looks come from threads of their own, at any time."""
    registry = CollectorRegistry()
    thoughts, looks = Thoughts(registry), []
    observed = thoughts._histogram.labels("hokm", "white").observe

    def observe(seconds: float) -> None:
        observed(seconds)
        looks.append(counted(registry))

    monkeypatch.setattr(thoughts._histogram.labels("hokm", "white"), "observe", observe)
    for _ in range(TOGETHER):
        thoughts.add("hokm", "white", 0.1)
    assert looks == [0.0] * TOGETHER
    assert counted(registry) == TOGETHER


def test_processes_are_told_of_with_the_thoughts() -> None:
    registry = CollectorRegistry()
    metrics = BotMetrics(registry)
    metrics.watch_pool(running=lambda: 2, waiting=lambda: 0)
    for _ in range(TOGETHER - 1):
        metrics.said(CHOICE, 0.1)
    assert registry.get_sample_value("waraq_thinkers") == 0
    metrics.said(CHOICE, 0.1)
    assert registry.get_sample_value("waraq_thinkers") == 2


@pytest.mark.parametrize(("waiting", "shown"), [(0, 0), (19, 0), (20, 20), (39, 20), (41, 40)])
def test_what_waits_is_told_of_in_whole_twenties(waiting: int, shown: int) -> None:
    registry = CollectorRegistry()
    metrics = BotMetrics(registry)
    metrics.watch_pool(running=lambda: 0, waiting=lambda: waiting)
    metrics.wait(waiting)
    assert registry.get_sample_value("waraq_searches_waiting") == shown
    assert registry.get_sample_value("waraq_turns_waiting") == shown
