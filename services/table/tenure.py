"""One tenure: what an owner does with its partition from a claim until it loses it.

The path of a command: delivered → decoded → decided on staged states → one transaction → swapped
in → handed to the outbox, told to feeds and bots → acknowledged. A kill between any two steps
loses nothing: what was not acknowledged comes again, what was committed is known by its id, what
was not confirmed is sent again.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from msgspec import Struct

from schemas.refusals import Refusal
from services.event_log.port import (
    Claim,
    Conflict,
    Fenced,
    LogError,
    LogInfo,
    LogUnreachable,
    Row,
)
from services.messaging import streams
from services.messaging.port import Message
from services.runtime.tasks import end, happens
from services.table import desk as desks
from services.table import herald, recall
from services.table.advice import Adviser
from services.table.appending import IDLE, Appending
from services.table.herald import Herald
from services.table.historian import Historian
from services.table.inbox import Inbox
from services.table.live import LiveMatch
from services.table.log_thread import LogThread
from services.table.metrics import Held
from services.table.outbox import NO_TRACES, Outbox
from services.table.shared import Shared
from services.table.shelf import Shelf
from services.table.stage import DRAIN_AT, Asked, Heard, Stage
from services.table.timing import Timing
from services.table.traces import Links, TurnTraces
from services.table.work import Work

BATCH_COMMANDS: Final = 200
"""Commands decided in one transaction."""
BATCH_ASKS: Final = 50
BATCH_ALARMS: Final = 100
LOADED: Final = 20
"""Matches that are rebuilt in one call of the log."""
SWEEP: Final = 20
"""Open matches woken in one turn after a take-over."""
DRAIN_WITHIN: Final = 3.0
"""Seconds that the last events have to be confirmed; what is not, the next owner sends."""
LATE: Final = 1.0
"""Seconds by which the end of a turn may be late and nobody minds."""
STALLED: Final = IDLE + 2.0
"""Seconds between two turns after which an owner must have stood still."""

_log = logging.getLogger(__name__)


class Threads(Struct, frozen=True, kw_only=True):
    """The threads in which an owner's log is called: for its turns, and for the historian."""

    log: LogThread
    past: LogThread


class Tenure:
    """Serves one partition under one claim. `careful`: one command a transaction, so that one
    which no log takes can be found and put aside.
    """

    def __init__(
        self, of: Shared, threads: Threads, claim: Claim, info: LogInfo, *, careful: bool = False
    ) -> None:
        self._thread = threads.log
        self._bus = of.bus
        self._desk = of.desk
        self._asks = of.asks
        self._floods = of.floods
        self._draining = of.draining
        self._metrics = of.metrics
        self._tracer = of.tracer
        self._links = Links()
        self._claim = claim
        self._most_commands = 1 if careful else BATCH_COMMANDS
        self._shelf = Shelf(())
        self._herald = Herald(self._shelf, of.desk.clock)
        self._adviser = Adviser(self._shelf, of.desk.clock)
        self._sweep: deque[str] = deque()
        self.news = asyncio.Event()
        self._timing = Timing(of.metrics, of.desk.clock)
        self.inbox = Inbox(
            claim.partition,
            info.partitions,
            news=self.news,
            floods=of.floods,
            ticks=of.desk.clock.ticks,
        )
        self._historian = Historian(threads.past, of.bus, of.desk.clock)
        self._sending: asyncio.Task[None]
        self._appending = Appending(of, threads.log, claim)
        self.outbox = Outbox(
            of.bus,
            claim,
            generation=info.generation,
            page=self._appending.page,
            clock=of.desk.clock,
            on_room=self.news.set,
            on_confirmed=self._timing.confirmed,
        )

    @property
    def held(self) -> Held:
        return Held(
            open=len(self._shelf.open),
            live=len(self._shelf.live),
            commands=self.inbox.commands,
            asks=self.inbox.asks,
            unconfirmed=max(0, self.outbox.appended - self.outbox.confirmed),
            stalled=self.outbox.stalled(),
        )

    async def serve(self, stop: asyncio.Event, ready: Callable[[], None]) -> None:
        """Serve until `stop`, having called `ready`; raises `Fenced` or another `LogError` when
        the claim is worth nothing any more, and `BusError` if the broker cannot be used.
        """
        self._sending = asyncio.create_task(self.outbox.run())
        beside = (
            asyncio.create_task(self._historian.run()),
            asyncio.create_task(self._wake_at(stop)),
        )
        try:
            await self._serve(stop, ready)
        finally:
            await end(self._sending, *beside)

    async def _serve(self, stop: asyncio.Event, ready: Callable[[], None]) -> None:
        partition = self._claim.partition
        found = await self._thread.call(lambda log: log.open_streams(partition))
        self._shelf = Shelf(found, pace=self._desk.pace)
        self._herald = Herald(self._shelf, self._desk.clock)
        self._adviser = Adviser(self._shelf, self._desk.clock)
        self._sweep.extend(found)
        commands = await self._bus.consume(
            streams.owner(partition, self._claim.epoch), self.inbox.deliver
        )
        try:
            await self._asks.attend(partition, self.inbox.ask)
            ready()
            await self._take_turns(stop)
        finally:
            await self._asks.leave(partition)
            await commands.stop()
        await self._drain()

    async def _take_turns(self, stop: asyncio.Event) -> None:
        loop = asyncio.get_running_loop()
        awake = loop.time()
        while not stop.is_set():
            if self._sending.done():
                self._sending.result()
            await self._sleep()
            if loop.time() - awake > STALLED:
                self._forgive()
            awake = loop.time()
            await self._turn(self._take())

    def _forgive(self) -> None:
        """Nobody could be heard while this process stood still: no seat is timed out for that."""
        self._metrics.stood_still.inc()
        _log.warning("the worker stood still, the clocks are given some time more")
        self._shelf.give_time(self._desk.clock.ticks())

    async def _drain(self) -> None:
        try:
            async with asyncio.timeout(DRAIN_WITHIN):
                await self.outbox.drained()
        except TimeoutError:
            _log.warning("events are left for the next owner to send")

    async def _wake_at(self, stop: asyncio.Event) -> None:
        await stop.wait()
        self.news.set()

    async def _sleep(self) -> None:
        """Until there is something to do. Without room for events commands are left waiting."""
        alarm = self._shelf.next_alarm()
        longest = IDLE if alarm is None else max(0.0, min(IDLE, alarm - self._desk.clock.ticks()))
        if self.inbox.asks or self._sweep or (self.inbox.commands and self.outbox.has_room()):
            longest = 0.0
        await happens(self.news, longest)
        self.news.clear()

    def _take(self) -> Work:
        room = self.outbox.has_room()
        swept = min(SWEEP, len(self._sweep))
        return Work(
            said=self.inbox.take_commands(self._most_commands if room else 0),
            asked=self.inbox.take_asks(BATCH_ASKS),
            rung=self._shelf.ring(self._desk.clock.ticks(), BATCH_ALARMS),
            swept=tuple(self._sweep.popleft() for _ in range(swept)),
        )

    # One turn ---------------------------------------------------------------------------------

    async def _turn(self, work: Work) -> None:
        began, began_at = self._desk.clock.ticks(), self._desk.clock.now()
        await self._load(work)
        stage = self._decide(work)
        try:
            rows = await self._commit(stage, work)
        except LogError as error:
            stage = self._put_aside(work, error)
            rows = await self._commit(stage, work)
        self._timing.appended(work, stage, rows)
        traces = TurnTraces(self._tracer, stage, began=began_at) if self._tracer else None
        said = [*stage.refusals, *self._swap(stage, rows, traces), *self._prompts(work, stage)]
        said += await self._answers(work, stage)
        said += self._adviser.relay(work.advices)
        self._count(work, stage)
        await self._bus.publish(said)
        for one in work.said:
            one.delivery.ack()
        self._shelf.evict()
        if traces is not None:
            traces.end()
        self._metrics.turned(
            stage, commands=len(work.said), seconds=self._desk.clock.ticks() - began
        )

    def _count(self, work: Work, stage: Stage) -> None:
        """What each player cost without playing on: see `Floods`."""
        repeats = (reply.address.voice for reply in stage.replies)
        for voice in (*stage.refused, *repeats, *stage.openers()):
            self._floods.count(voice)
        for asked in work.asked:
            match, voice = asked.address.match, asked.address.voice
            if match in self._shelf.open:
                self._floods.count_ask(voice, match)
            else:
                self._floods.count(voice)

    async def _load(self, work: Work) -> None:
        """Bring into memory what this turn needs and the log has."""
        shelf, key = self._shelf, self._desk.key.id
        wanted = dict.fromkeys(work.rung)
        wanted |= dict.fromkeys(h.address.match for h in work.heard if self._may_exist(h))
        wanted |= dict.fromkeys(a.address.match for a in work.asked if self._is_open(a))
        missing = shelf.missing([*wanted, *work.swept])
        for first in range(0, len(missing), LOADED):
            some = missing[first : first + LOADED]
            loaded = await self._thread.call(partial(recall.load_matches, wanted=some, key=key))
            for match in loaded.broken:
                shelf.give_up(match)
            for live in loaded.matches:
                self._keep(live, swept=live.match in work.swept)

    def _may_exist(self, heard: Heard) -> bool:
        return heard.opens or heard.address.match in self._shelf.open

    def _is_open(self, asked: Asked) -> bool:
        match = asked.address.match
        return match in self._shelf.open or match in self._shelf.live

    def _keep(self, live: LiveMatch, *, swept: bool) -> None:
        now = self._desk.clock.ticks()
        new = self._shelf.wait(live.match) is None
        if swept or (new and not live.state.over):
            self._shelf.take_over(live, now)
        else:
            self._shelf.put(live, now)

    def _decide(self, work: Work) -> Stage:
        shelf = self._shelf
        stage = self._stage()
        for heard in work.heard:
            stage.hear(heard)
        for asked in work.asked:
            stage.hear_ask(asked)
        for match in work.rung:
            if match in shelf.live:
                self._let_time_pass(stage, match)
            else:
                shelf.look_again(match, self._desk.clock.ticks())
        return stage

    def _stage(self) -> Stage:
        full = self._draining.is_set() or len(self._shelf.open) >= DRAIN_AT
        return Stage(self._desk, self._shelf, full=full)

    def _let_time_pass(self, stage: Stage, match: str) -> None:
        """Only a wait that nothing in this batch has ended is over now."""
        wait, live = self._shelf.wait(match), stage.match(match)
        if wait is None or live is None or live.state.waits != wait.number:
            return
        late = self._desk.clock.ticks() - wait.due
        if late < 0:
            return
        if late > LATE and wait.kind != "score":
            self._metrics.alarms_late.inc()
        if wait.kind == "lobby":
            stage.ring(match, desks.expire)
        elif wait.kind == "score":
            self._metrics.scores_late.inc()
            _log.error("a round has no score", extra={"match": match, "tries": wait.tries})
        else:
            stage.ring(match, desks.time_out)

    async def _commit(self, stage: Stage, work: Work) -> tuple[Row, ...]:
        """The rows of the stage's batch, now in the log."""
        batch = stage.batch(self.outbox.confirmed)
        return await self._appending.append(batch, answers=bool(work.asked or work.rung))

    def _put_aside(self, work: Work, error: LogError) -> Stage:
        """A stage on which the one command that no log takes is a dead letter; raises `error`
        unless there is just one and it is the batch that is wrong, not the log.
        """
        if isinstance(error, (Fenced, Conflict, LogUnreachable)):
            raise error
        if self._most_commands > 1 or len(work.heard) != 1:
            raise error
        stage = self._stage()
        stage.put_aside(work.heard[0], error)
        return stage

    def _swap(self, stage: Stage, rows: Sequence[Row], traces: TurnTraces | None) -> list[Message]:
        """Make the staged states the live ones; what is to be said of it to feeds and bots."""
        if rows:
            self.outbox.add(rows, NO_TRACES if traces is None else traces.of_rows(rows))
        said = self._herald.told(stage.happenings)
        now = self._desk.clock.ticks()
        if self._tracer is not None:
            self._links.put(stage.changed, traces)
        for live in stage.changed.values():
            wait = self._shelf.put(live, now)
            if wait is not None and wait.kind == "house" and wait.asked:
                said += self._bot_turn(live)
        return said

    def _bot_turn(self, live: LiveMatch) -> list[Message]:
        return self._links.on(live.match, self._herald.bot_turn(live))

    # What goes out besides --------------------------------------------------------------------

    def _prompts(self, work: Work, stage: Stage) -> list[Message]:
        """Bots asked again, matches woken after a take-over."""
        said: list[Message] = []
        for match in work.rung:
            said += self._prompt(match, stage)
        for match in work.swept:
            live = self._shelf.live.get(match)
            if live is not None and not live.state.over:
                said += self._herald.wake(live)
        return said

    def _prompt(self, match: str, stage: Stage) -> list[Message]:
        wait, live = self._shelf.wait(match), self._shelf.live.get(match)
        if wait is None or live is None or match in stage.changed:
            return []
        self._shelf.tried(match, self._desk.clock.ticks())
        return self._bot_turn(live) if wait.kind == "house" else []

    async def _answers(self, work: Work, stage: Stage) -> list[Message]:
        """Answers to asks, and what needs the log: events that are told again."""
        said = [message for asked in work.asked for message in self._answer(asked)]
        if stage.replies:
            said += await self._thread.call(lambda log: recall.told_again(log, stage.replies))
        unscored = recall.unscored(self._shelf, work.rung)
        if unscored:
            for one in await self._thread.call(lambda log: recall.latest_ends(log, unscored)):
                self.outbox.say_again(one.row, one.tries)
        return said

    def _answer(self, asked: Asked) -> list[Message]:
        match, voice = asked.address.match, asked.address.voice
        if match in self._shelf.broken:
            return [herald.no(asked, Refusal.FAULT)]
        live = self._shelf.live.get(match)
        match asked.ask.what:
            case "sticker":
                return self._herald.sticker(live, asked) if live is not None else []
            case "advice":
                return self._advise(live, asked)
            case "snapshot" if live is not None:
                return self._herald.snapshot(live, voice)
        self._historian.ask(asked)
        return []

    def _advise(self, live: LiveMatch | None, asked: Asked) -> list[Message]:
        """As for a command, only matches in memory are known: there is no turn in any other."""
        if live is None:
            return [herald.no(asked, Refusal.UNKNOWN_MATCH)]
        return self._adviser.ask(live, asked)
