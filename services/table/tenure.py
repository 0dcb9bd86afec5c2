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
from typing import Final

import msgspec
from msgspec import Struct

from schemas import subjects
from schemas.feed import Refused, decode_ask
from schemas.ids import MatchId, PlayerId, matches
from schemas.refusals import Refusal
from services.event_log.port import READ_ROWS, Claim, LogInfo, Row
from services.messaging import streams
from services.messaging.port import Bus, Delivery, Message, Subscription
from services.runtime.tasks import end
from services.table import desk as desks
from services.table import feeds, recall
from services.table.desk import Desk
from services.table.live import LiveMatch
from services.table.log_thread import LogThread
from services.table.outbox import Outbox
from services.table.shelf import Shelf
from services.table.stage import DRAIN_AT, Asked, Heard, Stage

BATCH_COMMANDS: Final = 200
"""Commands decided in one transaction."""
BATCH_ASKS: Final = 50
WAITING_ASKS: Final = 1_000
"""Asks that may wait; more are dropped, and their askers ask again."""
BATCH_ALARMS: Final = 100
SWEEP: Final = 20
"""Open matches woken in one turn after a take-over."""
FENCE_CHECK: Final = 1.0
"""Seconds after which an owner with nothing to append makes sure that it still is one."""
DRAIN_WITHIN: Final = 3.0
"""Seconds that the last events have to be confirmed; what is not, the next owner sends."""
IDLE: Final = 5.0
"""Seconds that an owner sleeps at most."""

_log = logging.getLogger(__name__)


class Work(Struct, frozen=True):
    """What one turn takes up."""

    deliveries: tuple[Delivery, ...]
    heard: tuple[Heard, ...]
    asked: tuple[Asked, ...]
    rung: tuple[str, ...]
    swept: tuple[str, ...]


class Tenure:
    """Serves one partition under one claim."""

    def __init__(
        self, *, thread: LogThread, bus: Bus, desk: Desk, claim: Claim, info: LogInfo
    ) -> None:
        self._thread = thread
        self._bus = bus
        self._desk = desk
        self._claim = claim
        self._partitions = info.partitions
        self._generation = info.generation
        self._shelf = Shelf(())
        self._sweep: deque[str] = deque()
        self._deliveries: deque[Delivery] = deque()
        self._asks: deque[Asked] = deque()
        self._news = asyncio.Event()
        self._sending: asyncio.Task[None]
        self._fenced_at = desk.clock.ticks()
        self.outbox = Outbox(
            bus,
            claim.partition,
            generation=info.generation,
            confirmed=claim.published,
            page=self._page,
            now=desk.clock.now,
        )

    async def serve(self, stop: asyncio.Event, ready: Callable[[], None]) -> None:
        """Serve until `stop`, having called `ready`; raises `Fenced` or another `LogError` when
        the claim is worth nothing any more, and `BusError` if the broker cannot be used.
        """
        self._sending = asyncio.create_task(self.outbox.run())
        waking = asyncio.create_task(self._wake_at(stop))
        try:
            await self._serve(stop, ready)
        finally:
            await end(self._sending, waking)

    async def _serve(self, stop: asyncio.Event, ready: Callable[[], None]) -> None:
        await self._begin()
        subscriptions = await self._listen()
        ready()
        try:
            while not stop.is_set():
                if self._sending.done():
                    self._sending.result()
                await self._sleep()
                await self.outbox.room()
                await self._turn(self._take())
        finally:
            for subscription in subscriptions:
                await subscription.stop()
        await self._drain()

    async def _drain(self) -> None:
        try:
            async with asyncio.timeout(DRAIN_WITHIN):
                await self.outbox.drained()
        except TimeoutError:
            _log.warning("events are left for the next owner to send")

    async def _begin(self) -> None:
        partition = self._claim.partition
        found = await self._thread.call(lambda log: log.open_streams(partition))
        self._shelf = Shelf(found)
        self._sweep.extend(found)
        self.outbox.known(self._claim.position)

    async def _listen(self) -> tuple[Subscription, ...]:
        spec = streams.owner(self._claim.partition, self._claim.epoch)
        commands = await self._bus.consume(spec, self._on_delivery)
        return commands, await self._bus.subscribe(subjects.ASKS, self._on_ask)

    # What comes in --------------------------------------------------------------------------

    def _on_delivery(self, delivery: Delivery) -> None:
        self._deliveries.append(delivery)
        self._news.set()

    def _on_ask(self, message: Message) -> None:
        address = subjects.ask_address(message.subject)
        mine = subjects.partition_of(address.match, self._partitions) == self._claim.partition
        legible = matches(address.match, MatchId) and matches(address.voice, PlayerId)
        if not mine or not legible or len(self._asks) >= WAITING_ASKS:
            return
        try:
            asked = Asked(address, decode_ask(message.data))
        except msgspec.DecodeError:
            return
        self._asks.append(asked)
        self._news.set()

    async def _wake_at(self, stop: asyncio.Event) -> None:
        await stop.wait()
        self._news.set()

    async def _sleep(self) -> None:
        """Until there is something to do."""
        alarm = self._shelf.next_alarm()
        longest = IDLE if alarm is None else max(0.0, min(IDLE, alarm - self._desk.clock.ticks()))
        if self._deliveries or self._asks or self._sweep:
            longest = 0.0
        try:
            async with asyncio.timeout(longest):
                await self._news.wait()
        except TimeoutError:
            pass
        self._news.clear()

    def _take(self) -> Work:
        deliveries = _popped(self._deliveries, BATCH_COMMANDS)
        heard = []
        for delivery in deliveries:
            address = subjects.command_address(delivery.message.subject)
            if desks.known_voice(address):
                command = desks.read(delivery.message.data)
                heard.append(Heard(address, delivery.message, command))
        return Work(
            deliveries=deliveries,
            heard=tuple(heard),
            asked=_popped(self._asks, BATCH_ASKS),
            rung=self._shelf.ring(self._desk.clock.ticks(), BATCH_ALARMS),
            swept=_popped(self._sweep, SWEEP),
        )

    # One turn ---------------------------------------------------------------------------------

    async def _turn(self, work: Work) -> None:
        await self._load(work)
        stage = self._decide(work)
        rows = await self._commit(stage, asked=bool(work.asked or work.rung))
        said = [*stage.refusals, *self._swap(stage, rows), *self._prompts(work, stage)]
        said += await self._answers(work, stage)
        await self._bus.publish(said)
        for delivery in work.deliveries:
            delivery.ack()

    async def _load(self, work: Work) -> None:
        """Bring into memory what this turn needs and the log has."""
        shelf = self._shelf
        wanted = dict.fromkeys(work.rung)
        wanted |= dict.fromkeys(h.address.match for h in work.heard if self._may_exist(h))
        wanted |= dict.fromkeys(asked.address.match for asked in work.asked)
        missing = [
            m for m in (*wanted, *work.swept) if m not in shelf.live and m not in shelf.broken
        ]
        if not missing:
            return
        loaded = await self._thread.call(lambda log: recall.load_matches(log, missing))
        self._shelf.broken.update(loaded.broken)
        for live in loaded.matches:
            self._keep(live, swept=live.match in work.swept)

    def _may_exist(self, heard: Heard) -> bool:
        return heard.opens or heard.address.match in self._shelf.open

    def _keep(self, live: LiveMatch, *, swept: bool) -> None:
        now = self._desk.clock.ticks()
        new = self._shelf.wait(live.match) is None
        if swept or (new and not live.state.over):
            self._shelf.take_over(live, now)
        else:
            self._shelf.put(live, now)

    def _decide(self, work: Work) -> Stage:
        shelf = self._shelf
        full = len(shelf.open) >= DRAIN_AT
        stage = Stage(self._desk, shelf.live, broken=shelf.broken, full=full)
        for heard in work.heard:
            stage.hear(heard)
        for asked in work.asked:
            stage.hear_ask(asked)
        for match in work.rung:
            self._let_time_pass(stage, match)
        return stage

    def _let_time_pass(self, stage: Stage, match: str) -> None:
        """Only a wait that nothing in this batch has ended is over now."""
        wait, live = self._shelf.wait(match), stage.match(match)
        if wait is None or live is None or live.state.move != wait.move:
            return
        if self._desk.clock.ticks() < wait.due:
            return
        if wait.kind == "lobby":
            stage.ring(match, desks.expire)
        elif wait.kind == "score":
            _log.error("a round has no score", extra={"match": match, "tries": wait.tries})
        else:
            stage.ring(match, desks.time_out)

    async def _commit(self, stage: Stage, *, asked: bool) -> tuple[Row, ...]:
        """The rows of the stage's batch, now in the log."""
        batch, claim = stage.batch(self.outbox.confirmed), self._claim
        ticks = self._desk.clock.ticks()
        idle = not batch.entries and not batch.dead
        if idle and not (asked and ticks - self._fenced_at > FENCE_CHECK):
            return ()
        last = await self._thread.call(lambda log: log.append(claim, batch))
        self._fenced_at = ticks
        first = last - len(batch.entries) + 1
        return tuple(
            Row(partition=claim.partition, position=position, entry=entry)
            for position, entry in enumerate(batch.entries, first)
        )

    def _swap(self, stage: Stage, rows: Sequence[Row]) -> list[Message]:
        """Make the staged states the live ones; what is to be said of it to feeds and bots."""
        if rows:
            self.outbox.add(rows)
        said = [message for happening in stage.happenings for message in feeds.told(happening)]
        now = self._desk.clock.ticks()
        for live in stage.changed.values():
            wait = self._shelf.put(live, now)
            if wait is not None and wait.kind == "house":
                said += _maybe(feeds.bot_turn(live))
        return said

    # What goes out besides --------------------------------------------------------------------

    def _prompts(self, work: Work, stage: Stage) -> list[Message]:
        """Bots asked again, rounds announced again, matches woken after a take-over."""
        said: list[Message] = []
        for match in work.rung:
            said += self._prompt(match, stage)
        for match in work.swept:
            live = self._shelf.live.get(match)
            if live is not None and not live.state.over:
                said += self._wake(live)
        return said

    def _prompt(self, match: str, stage: Stage) -> list[Message]:
        wait, live = self._shelf.wait(match), self._shelf.live.get(match)
        if wait is None or live is None or match in stage.changed:
            return []
        self._shelf.tried(match, self._desk.clock.ticks())
        return _maybe(feeds.bot_turn(live)) if wait.kind == "house" else []

    def _wake(self, live: LiveMatch) -> list[Message]:
        players = [chair.player for chair in live.state.chairs if chair.player is not None]
        voices = dict.fromkeys([live.state.opened.owner, *players])
        said = [self._snapshot(live, voice) for voice in voices]
        return said + _maybe(feeds.bot_turn(live))

    def _snapshot(self, live: LiveMatch, voice: str) -> Message:
        wait, clock = self._shelf.wait(live.match), self._desk.clock
        now, due = clock.now(), None
        if wait is not None and wait.kind in ("owner", "house"):
            due = now + round((wait.due - clock.ticks()) * 1000)
        said = feeds.snapshot(live, voice, now=now, due=due)
        return feeds.message(voice, live.match, said)

    async def _answers(self, work: Work, stage: Stage) -> list[Message]:
        """Answers that need the log: history, and events that are told again."""
        said = [self._snapshot_for(asked) for asked in work.asked if asked.ask.what == "snapshot"]
        said += [_no_advice(asked) for asked in work.asked if asked.ask.what == "advice"]
        paged = [asked for asked in work.asked if asked.ask.what == "history"]
        unscored = [found for match in work.rung for found in self._unscored(match)]
        if paged or unscored or stage.replies:
            said += await self._thread.call(
                lambda log: [
                    *recall.told_again(log, stage.replies),
                    *recall.histories(log, paged),
                    *recall.ended_again(log, unscored, self._generation),
                ]
            )
        return said

    def _unscored(self, match: str) -> list[recall.Unscored]:
        wait = self._shelf.wait(match)
        if wait is None or wait.kind != "score" or not wait.tries:
            return []
        return [recall.Unscored(match, wait.tries)]

    def _snapshot_for(self, asked: Asked) -> Message:
        match, voice = asked.address.match, asked.address.voice
        live = self._shelf.live.get(match)
        if live is not None:
            return self._snapshot(live, voice)
        code = Refusal.FAULT if match in self._shelf.broken else Refusal.UNKNOWN_MATCH
        said = Refused(match=match, command=None, code=code, move=0)
        return feeds.message(voice, match, said)

    async def _page(self, after: int) -> Sequence[Row]:
        partition = self._claim.partition
        return await self._thread.call(lambda log: log.read(partition, after, READ_ROWS))


def _popped(queue: deque, most: int) -> tuple:  # type: ignore[type-arg]
    return tuple(queue.popleft() for _ in range(min(most, len(queue))))


def _no_advice(asked: Asked) -> Message:
    """The master's look (H21) is not offered by this table."""
    match, voice = asked.address.match, asked.address.voice
    said = Refused(match=match, command=None, code=Refusal.NOT_ALLOWED, move=0)
    return feeds.message(voice, match, said)


def _maybe(message: Message | None) -> list[Message]:
    return [] if message is None else [message]
