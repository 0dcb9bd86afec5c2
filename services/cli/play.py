"""`waraq play`: opens matches as a client does, lets bots play them, waits for the ends."""

import asyncio
import contextlib
import sys
import time
from collections.abc import AsyncIterator, Mapping
from typing import Final, get_args

import click
import msgspec
from msgspec import Struct

from schemas.commands import OpenMatch, Options, SeatPlan, StartMatch
from schemas.ids import Level
from services.cli import complete, say
from services.cli.client import CommandRefused, MatchClient, Stalled, new_match_id
from services.cli.exits import FAILED, UNREACHABLE, USAGE, stop
from services.cli.place import Place, as_json, at_place, broker_advice, login, no_broker
from services.cli.supervisor import TEND_EVERY, Supervisor
from services.cli.wanted import hand_words, wanted
from services.messaging.jetstream import connect
from services.messaging.permissions import COMMAND_LINE_PLAYER
from services.messaging.port import Bus, BusError, Message
from services.rules.games import GAMES, ruleset_of
from services.runtime.logs import log_to_stderr
from services.runtime.tasks import end

AT_ONCE: Final = 8
"""Matches that are played at the same time."""
ANSWER_WITHIN: Final = 60.0
"""Seconds that the table has to answer a command, restarts included."""
FIRST_MOVE: Final = 0
"""The move of a match that was just opened."""
PATIENCE: Final = 120.0
"""Seconds of silence after which a match counts as stuck."""


class Table(Struct, frozen=True, kw_only=True):
    """What is played: options and the plan of seats."""

    game: str
    options: Options
    plan: tuple[SeatPlan, ...]

    @staticmethod
    def of_bots(game: str, level: Level, **words: object) -> "Table":
        """A table with a bot of `level` on each seat; raises ValueError for unsound options."""
        return table(game, (level,), words)


class Played(Struct, frozen=True, kw_only=True):
    """A match that came to its end. `seconds`: from opening to end, as this client saw it."""

    match: str
    game: str
    winner: int | None
    score: tuple[int, ...]
    rounds: int
    events: int
    seconds: float


def table(game: str, levels: tuple[Level, ...], words: Mapping[str, object]) -> Table:
    """The table that the command's words ask for; one level stands for every seat."""
    options = wanted(game, words)
    seats = GAMES[ruleset_of(options)].seats(options)
    levels = levels * seats if len(levels) == 1 else levels
    if len(levels) != seats:
        raise ValueError(f"{game} has {seats} seats: name {seats} bots, or one for all")
    plan = tuple(
        SeatPlan(seat=seat, filled_by="house", level=level) for seat, level in enumerate(levels)
    )
    return Table(game=game, options=options, plan=plan)


class Hall:
    """The command line's own player at several matches: one feed, sorted by match."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._clients: dict[str, MatchClient] = {}
        self._asking: set[asyncio.Task[None]] = set()

    async def enter(self) -> None:
        await self._bus.subscribe(f"feed.{COMMAND_LINE_PLAYER}.*", self._hear)

    async def play(self, table: Table) -> Played:
        """Open a match at `table`, start it and follow it to its end."""
        client = MatchClient(self._bus, COMMAND_LINE_PLAYER, new_match_id())
        self._clients[client.match] = client
        began = time.monotonic()
        try:
            opening = OpenMatch(options=table.options, seats=table.plan)
            await client.do(opening, within=ANSWER_WITHIN)
            await client.do(StartMatch(), within=ANSWER_WITHIN, move=FIRST_MOVE)
            ended = await client.until_ended(patience=PATIENCE)
        finally:
            del self._clients[client.match]
        return Played(
            match=client.match,
            game=table.game,
            winner=ended.winner,
            score=ended.score,
            rounds=ended.rounds,
            events=ended.events,
            seconds=round(time.monotonic() - began, 3),
        )

    def _hear(self, message: Message) -> None:
        client = self._clients.get(message.subject.split(".")[2])
        if client is not None and client.hear(message):
            task = asyncio.ensure_future(client.ask())
            self._asking.add(task)
            task.add_done_callback(self._asking.discard)


async def play_matches(place: Place, table: Table, *, matches: int, as_json: bool) -> None:
    """Play `matches` matches, a few at a time, a line for each as it ends."""
    entry = login(place, "cli")
    try:
        bus = await connect(entry.url, user=entry.user, password=entry.password, name="play")
    except BusError as error:
        stop(UNREACHABLE, no_broker(place, error, embedded=True))
    try:
        hall, gate = Hall(bus), asyncio.Semaphore(AT_ONCE)
        await hall.enter()
        await _play_all(hall, gate, table, matches=matches, as_json=as_json)
    except Stalled as error:
        if not bus.connected:
            stop(UNREACHABLE, f"the broker went away ({error}): {broker_advice(place)}")
        stop(FAILED, str(error))
    finally:
        await bus.close()


async def _play_all(
    hall: Hall, gate: asyncio.Semaphore, table: Table, *, matches: int, as_json: bool
) -> None:
    async def one() -> Played:
        async with gate:
            return await hall.play(table)

    tasks = [asyncio.create_task(one()) for _ in range(matches)]
    try:
        for done, ending in enumerate(asyncio.as_completed(tasks), 1):
            played = await ending
            say.result(played, _prose(played, len(table.plan)), as_json=as_json)
            if as_json and matches > 1 and sys.stderr.isatty():
                say.prose(f"{done} of {matches} matches")
    except CommandRefused as error:
        stop(FAILED, str(error))
    finally:
        await end(*tasks)


def _prose(played: Played, seats: int) -> str:
    score = ":".join(str(points) for points in played.score)
    if played.winner is None:
        return f"{played.match} was abandoned after {played.rounds} rounds"
    unit = say.unit(played.score, seats)
    return (
        f"{played.match} won by {unit} {played.winner}, {score}"
        f" in {played.rounds} rounds, {played.events} events, {played.seconds:.1f} s"
    )


@contextlib.asynccontextmanager
async def embedded(place: Place) -> AsyncIterator[None]:
    """The service, for as long as this is open."""
    supervisor = Supervisor(place)
    supervisor.start()
    tending = asyncio.create_task(_tend(supervisor))
    try:
        yield
    finally:
        await end(tending)
        supervisor.stop()


async def _tend(supervisor: Supervisor) -> None:
    while True:
        supervisor.tend()
        await asyncio.sleep(TEND_EVERY)


async def _play(place: Place, table: Table, *, matches: int, up: bool, as_json: bool) -> None:
    async with embedded(place) if up else contextlib.nullcontext():
        await play_matches(place, table, matches=matches, as_json=as_json)


def _levels(_context: click.Context, _option: click.Parameter, value: str) -> tuple[Level, ...]:
    try:
        return msgspec.convert(value.split(","), tuple[Level, ...])
    except msgspec.ValidationError:
        raise click.BadParameter(f"{value!r}: levels are white, black, chrome") from None


@click.command()
@at_place
@click.option("--game", type=click.Choice(["hokm", "hand"]), required=True)
@click.option("--preset", help="Hokm: hakem (to 2 points, the default) or home (to 7).")
@click.option("--target", type=int, help="Hokm: points that win the match.")
@click.option("--win", type=int, help="Hokm: points for a round.")
@click.option("--kot", type=int, help="Hokm: points for a kot.")
@click.option("--hakem-kot", type=int, help="Hokm: points for a hakem-kot.")
@hand_words
@click.option(
    "--bots",
    "levels",
    callback=_levels,
    required=True,
    metavar="WORDS",
    shell_complete=complete.words(get_args(Level)),
    help="white, black, chrome: one for all seats, or one a seat with commas between.",
)
@click.option("--matches", type=click.IntRange(1, 100_000), default=1, show_default=True)
@click.option("--embedded", "bring_up", is_flag=True, help="Bring the service up for the time.")
@as_json
def play(place: Place, game: str, levels: tuple[Level, ...], matches: int, **words: object) -> None:
    """Let bots play whole matches through the service, a line for each."""
    log_to_stderr("play", "warning")
    bring_up, as_json = bool(words.pop("bring_up")), bool(words.pop("as_json"))
    stated = {name: value for name, value in words.items() if value is not None}
    try:
        asked = table(game, levels, stated)
    except ValueError as error:
        stop(USAGE, f"{error}: see `waraq play --help`, and H17, H19 and N1 in docs/rules")
    asyncio.run(_play(place, asked, matches=matches, up=bring_up, as_json=as_json))
