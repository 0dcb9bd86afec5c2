"""The load: tables of both games, opened and played one after another, several at the same time."""

import asyncio
import secrets
from collections import Counter
from random import Random
from typing import Final

from msgspec import Struct

from schemas.commands import (
    AddNonce,
    HandOptions,
    HokmOptions,
    OpenMatch,
    Options,
    SeatPlan,
    StartMatch,
    TakeSeat,
)
from schemas.ids import Level
from services.cli.client import CommandRefused, Stalled, new_match_id
from services.runtime.tasks import end
from tests.chaos.record import Record
from tests.chaos.seat import Guest, Seat

PATIENCE: Final = 240.0
"""Seconds without anything new after which a match of bots counts as stuck."""
FIRST_MOVE: Final = 0
"""The move of a match that was just opened."""


class Table(Struct, frozen=True):
    """What is played, and for whom each seat is."""

    options: Options
    plan: tuple[SeatPlan, ...]


def _house(level: Level, seats: int) -> tuple[SeatPlan, ...]:
    return tuple(SeatPlan(seat=seat, filled_by="house", level=level) for seat in range(seats))


def people(seats: int) -> tuple[SeatPlan, ...]:
    others = tuple(SeatPlan(seat=seat, filled_by="anyone") for seat in range(1, seats))
    return (SeatPlan(seat=0, filled_by="owner"), *others)


MASKED: Final = (
    SeatPlan(seat=0, filled_by="owner"),
    SeatPlan(seat=1, filled_by="house", level="black"),
    SeatPlan(seat=2, filled_by="anyone"),
    SeatPlan(seat=3, filled_by="house", level="black"),
)
TABLES: Final = (
    Table(HokmOptions(), _house("white", 4)),
    Table(HandOptions(variant="saudi", seats=3, rounds=3), _house("black", 3)),
    Table(HokmOptions(), people(4)),
    Table(HandOptions(variant="classic", seats=2, rounds=3), people(2)),
    Table(HokmOptions(target=1), MASKED),
)
"""Bots among themselves, people among themselves, and both at a table with masks: of both games
where the game has it.
"""


class Tables:
    """Plays until told to open no more, then to the end of what was opened."""

    def __init__(
        self,
        guests: list[Guest],
        random: Random,
        *,
        at_once: int,
        kinds: tuple[Table, ...] = TABLES,
    ) -> None:
        self._kinds = kinds
        self._guests = guests
        self._random = random
        self._at_once = at_once
        self.closing = asyncio.Event()
        self.records: list[Record] = []
        self.opened = 0
        self.played = 0
        self.surprises: Counter[str] = Counter()
        """Refusals that no honest client should ever get, and matches that stood still."""

    async def run(self) -> None:
        players = [asyncio.create_task(self._go_on(number)) for number in range(self._at_once)]
        try:
            await asyncio.gather(*players)
        finally:
            await end(*players)

    async def _go_on(self, number: int) -> None:
        """One table after another, beginning with another kind at each place."""
        while not self.closing.is_set():
            table = self._kinds[number % len(self._kinds)]
            number += 1
            try:
                await self._play(table)
                self.played += 1
            except (CommandRefused, Stalled) as error:
                self.surprises[f"{type(error).__name__} {error}".split(" m_")[0]] += 1

    async def _play(self, table: Table) -> None:
        seats = self._sit(table)
        self.opened += 1
        self.records += [seat.record for seat in seats]
        await self._start(table, seats)
        if len(seats) == 1:
            await seats[0].client.until_ended(patience=PATIENCE)
        else:
            await _all(seats)
        for seat in seats:
            await seat.look()
            await seat.remember()

    def _sit(self, table: Table) -> list[Seat]:
        """The owner first, then those who take the seats that are for anyone."""
        others = sum(plan.filled_by == "anyone" for plan in table.plan)
        guests = self._random.sample(self._guests, 1 + others)
        match = new_match_id()
        return [guest.sit(match) for guest in guests]

    async def _start(self, table: Table, seats: list[Seat]) -> None:
        owner, *others = seats
        await owner.do(OpenMatch(options=table.options, seats=table.plan))
        free = [plan.seat for plan in table.plan if plan.filled_by == "anyone"]
        for number, seat in zip(free, others, strict=True):
            await seat.do(TakeSeat(seat=number))
            await seat.do(AddNonce(nonce=secrets.token_hex(32)))
        move = (await owner.look()).move if others else FIRST_MOVE
        await owner.do(StartMatch(), move=move)


async def _all(seats: list[Seat]) -> None:
    async with asyncio.TaskGroup() as group:
        for seat in seats:
            group.create_task(seat.play())
