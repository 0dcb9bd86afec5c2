"""Everybody vanishes, on real processes: broker, table, bots and scoring, with clocks of a second.

On virtual time, with the clocks as they are: test_vanished.py, test_time.py and test_over.py of
tests/table.
"""

from collections import Counter
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

import pytest

from schemas import subjects
from schemas.commands import (
    Action,
    HandOptions,
    HokmOptions,
    OpenMatch,
    Options,
    SeatPlan,
    StartMatch,
    TakeSeat,
)
from schemas.events import Body, ControlChanged, MatchEnded, TurnTimedOut, decode_event
from schemas.feed import Happened, Snapshot, decode_feed
from services.cli.client import MatchClient, new_match_id
from services.event_log.port import Row
from services.event_log.sql import open_reader
from services.messaging.jetstream import JetStreamBus
from services.messaging.port import Message
from services.rules.games import GAMES, ruleset_of
from tests.chaos.brokers import OneBroker
from tests.chaos.stage import PLAYERS, Stage
from tests.chaos.workers import Kind
from tests.waiting import until

pytestmark = pytest.mark.slow
WITHIN = 120.0
SEATS = (
    SeatPlan(seat=0, filled_by="owner"),
    *(SeatPlan(seat=seat, filled_by="anyone") for seat in (1, 2, 3)),
)


class Hurried(Stage):
    """A stage whose table workers have short clocks; who did not vanish leaves at its end."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, "sqlite", OneBroker, proxied=False)
        self.people: list[Person] = []

    async def __aexit__(self, *error: object) -> None:
        for one in self.people:
            await one.vanish()
        await super().__aexit__(*error)

    async def _add(self, kind: Kind, number: int, words: tuple[str, ...]) -> None:
        hurried = ("-m", "tests.service.hurried_table")
        await super()._add(kind, number, hurried if kind == "table" else words)


class Person:
    """A player with a connection, until he vanishes."""

    def __init__(self, name: str, bus: JetStreamBus, match: str) -> None:
        self.bus = bus
        self.match = match
        self._client = MatchClient(bus, name, match)
        self._subject = subjects.feed(name, match)
        self._snapshots: list[Snapshot] = []
        self._heard = 0

    async def listen(self) -> None:
        await self.bus.subscribe(self._subject, self._hear)

    def _hear(self, message: Message) -> None:
        feed = decode_feed(message.data)
        self._client.take(feed)
        self._heard += 1
        if isinstance(feed, Snapshot):
            self._snapshots.append(feed)

    async def do(self, action: Action, *, move: int | None = None) -> Happened:
        """The event that answers it; raises `CommandRefused`."""
        return await self._client.do(action, within=WITHIN, move=move)

    async def snapshot(self) -> Snapshot:
        had = len(self._snapshots)
        await self._client.ask()
        await until(lambda: len(self._snapshots) > had, "a snapshot")
        return self._snapshots[-1]

    async def news(self) -> None:
        """Wait for the next thing that he is told; who only asked and asked would be a flood."""
        had = self._heard
        await until(lambda: self._heard > had, "news", within=WITHIN)

    async def vanish(self) -> None:
        await self.bus.close()


async def person(stage: Hurried, number: int, match: str) -> Person:
    found = Person(PLAYERS[number], await stage.bus(PLAYERS[number]), match)
    stage.people.append(found)
    await found.listen()
    return found


async def opened(stage: Hurried, options: Options, seats: int) -> Person:
    """The owner of a new table."""
    owner = await person(stage, 0, new_match_id())
    opening = OpenMatch(options=options, seats=SEATS[:seats])
    await owner.do(opening)
    return owner


async def begun(stage: Hurried, options: Options, seats: int) -> str:
    """A match in which all seats are people's, who have all vanished since it began."""
    owner = await opened(stage, options, seats)
    others = [await person(stage, number, owner.match) for number in range(1, seats)]
    for seat, other in enumerate(others, 1):
        await other.do(TakeSeat(seat=seat))
    await owner.do(StartMatch())
    for one in (owner, *others):
        await one.vanish()
    return owner.match


def rows(stage: Hurried, match: str) -> tuple[Row, ...]:
    with closing(open_reader(stage.log_url)) as log:
        return log.load(match)


def types(stage: Hurried, match: str) -> Counter[str]:
    return Counter(row.entry.type for row in rows(stage, match))


def late_of_owners(bodies: Iterable[Body]) -> Counter[int]:
    """By seat how often time ran out for its owner: the house, which has it afterwards, may need
    more than a second on a busy machine.
    """
    late, held = Counter[int](), set[int]()
    for body in bodies:
        if isinstance(body, ControlChanged):
            held.add(body.seat)
        elif isinstance(body, TurnTimedOut):
            late[body.seat] += body.seat not in held
    return late


@pytest.mark.parametrize(
    ("options", "seats"),
    [(HokmOptions(target=1), 4), (HandOptions(variant="classic", seats=2, rounds=3), 2)],
    ids=["hokm", "hand"],
)
async def test_a_match_that_everybody_left_without_a_word_ends_by_itself(
    tmp_path: Path, options: Options, seats: int
) -> None:
    async with Hurried(tmp_path) as stage:
        match = await begun(stage, options, seats)
        await until(lambda: types(stage, match)["match_ended"], "the end", within=WITHIN)
        bodies = [decode_event(row.entry.line).body for row in rows(stage, match)]
        held = [one.seat for one in bodies if isinstance(one, ControlChanged)]
        assert sorted(held) == list(range(seats))
        assert late_of_owners(bodies) == dict.fromkeys(range(seats), 2)
        assert isinstance(bodies[-1], MatchEnded)
        back = await person(stage, 1, match)
        assert (await back.snapshot()).over == "ended"


@pytest.mark.parametrize(
    ("options", "seats"),
    [(HokmOptions(target=100), 4), (HandOptions(variant="classic", seats=2, rounds=9), 2)],
    ids=["hokm", "hand"],
)
async def test_an_owner_who_is_back_has_his_seat_and_plays_from_it(
    tmp_path: Path, options: Options, seats: int
) -> None:
    house = GAMES[ruleset_of(options)]
    async with Hurried(tmp_path) as stage:
        match = await begun(stage, options, seats)
        await until(
            lambda: types(stage, match)["control_changed"] == seats, "all to be held", within=WITHIN
        )
        back = await person(stage, 1, match)
        assert (await back.snapshot()).sitting[1].control == "owner"
        found = await back.snapshot()
        while found.view is None or found.view.turn != 1:
            assert found.over is None
            await back.news()
            found = await back.snapshot()
        played = await back.do(house.house_move(found.view), move=found.move)
        assert (played.event.seat, played.event.origin) == (1, "player")


async def test_a_lobby_that_everybody_left_closes_and_says_so(tmp_path: Path) -> None:
    async with Hurried(tmp_path) as stage:
        owner = await opened(stage, HokmOptions(), 4)
        assert (await owner.snapshot()).over is None
        await owner.vanish()
        match = owner.match
        await until(lambda: types(stage, match)["match_abandoned"], "its end", within=WITHIN)
        back = await person(stage, 0, match)
        found = await back.snapshot()
        assert (found.over, found.view) == ("expired", None)
