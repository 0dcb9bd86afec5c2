"""The scoring worker's two tasks: answer ended rounds, keep the standings."""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final, TypeVar

import msgspec
from msgspec import Struct

from schemas.decoding import decoder
from services.event_log.port import LogError, Reader
from services.messaging import streams
from services.messaging.port import Bus, BusError, Delivery, Message
from services.runtime.command_ids import NewId, random_id
from services.runtime.tasks import end
from services.runtime.tracing import Tracer
from services.scoring.database import StandingsError
from services.scoring.metrics import ScoringMetrics
from services.scoring.recorder import Recorder
from services.scoring.standings import Standings

CATCH_UP_EVERY: Final = 1.0
"""Seconds between two looks at the log: the bus only says that there is news."""
RETRY: Final = 0.25
"""Seconds until a stream that is not there yet is asked for again."""
WAITING: Final = 2 * streams.ended_rounds().max_pending
"""Ended rounds that may wait here."""
BATCH: Final = 100
"""Ended rounds answered in one write."""

_log = logging.getLogger(__name__)
T = TypeVar("T")


class Scoring:
    """`log` and `standings` block and are used in threads of their own; `new_id` makes the ids of
    commands.
    """

    def __init__(
        self,
        *,
        log: Reader,
        bus: Bus,
        standings: Standings,
        new_id: NewId = random_id,
        metrics: ScoringMetrics | None = None,
        tracer: Tracer | None = None,
    ) -> None:
        self._log = log
        self._bus = bus
        self._standings = standings
        self._metrics = metrics or ScoringMetrics()
        self._recorder = Recorder(log, new_id, tracer)
        # Standings may have much to catch up; rounds shall not wait for them.
        self._pool = ThreadPoolExecutor(2, thread_name_prefix="scoring")
        self._ended: asyncio.Queue[Delivery] = asyncio.Queue(WAITING)
        self.keeps = True
        """False while log or standings do not let it keep them."""

    async def run(self, stop: asyncio.Event, ready: Callable[[], None]) -> None:
        """Work until asked to stop."""
        if not await self._listen(stop):
            return
        ready()
        tasks = [asyncio.create_task(self._answer()), asyncio.create_task(self._keep())]
        stopping = asyncio.create_task(stop.wait())
        try:
            done, _ = await asyncio.wait([*tasks, stopping], return_when=asyncio.FIRST_COMPLETED)
            for task in done - {stopping}:
                task.result()
        finally:
            await end(*tasks, stopping)
            self._pool.shutdown()

    async def _listen(self, stop: asyncio.Event) -> bool:
        """Consume ended rounds; waits for the table to make the stream."""
        while not stop.is_set():
            try:
                await self._bus.consume(streams.ended_rounds(), self._hear)
                return True
            except BusError as error:
                _log.info("waiting for the stream", extra={"reason": str(error)})
                await asyncio.sleep(RETRY)
        return False

    def _hear(self, delivery: Delivery) -> None:
        if not self._ended.full():  # it is not acknowledged: it comes again
            self._ended.put_nowait(delivery)

    async def _answer(self) -> None:
        while True:
            deliveries = [await self._ended.get()]
            while len(deliveries) < BATCH and not self._ended.empty():
                deliveries.append(self._ended.get_nowait())
            messages = [delivery.message for delivery in deliveries]
            try:
                answers = await self._in_thread(partial(self._answers, messages))
            except LogError as error:
                # Not acknowledged: they come again.
                _log.warning("the log cannot be read", extra={"reason": str(error)})
                continue
            await self._bus.publish(answers)
            self._metrics.rounds.inc(len(answers))
            for delivery in deliveries:
                delivery.ack()

    def _answers(self, messages: list[Message]) -> list[Message]:
        said = [self._score(message) for message in messages]
        return [answer for answer in said if answer is not None]

    def _score(self, message: Message) -> Message | None:
        """What is wrong with one round is its own; the table says it again while it waits."""
        try:
            return self._recorder.answer(message)
        except LogError:
            raise
        except Exception:  # noqa: BLE001 as said
            _log.exception("a round cannot be scored", extra=_ids(message))
            self._metrics.failed.inc()
            return None

    async def _keep(self) -> None:
        while True:
            try:
                await self._look()
                taken = await self._in_thread(lambda: self._standings.catch_up(self._log))
                self._metrics.taken.inc(taken)
                self._metrics.caught_up.set_to_current_time()
                self.keeps = True
            except (LogError, StandingsError) as error:
                self.keeps = False
                _log.warning("standings wait", extra={"reason": str(error)})
            except Exception:  # noqa: BLE001 no points are skipped: they wait until it is mended
                self.keeps = False
                _log.exception("standings stand still")
            await asyncio.sleep(CATCH_UP_EVERY)

    async def _look(self) -> None:
        """How far they are behind before they catch up: afterwards they never are."""
        behind = await self._in_thread(self._behind)
        self._metrics.behind.set(sum(behind))
        self._metrics.behind_most.set(max(behind, default=0))

    def _behind(self) -> tuple[int, ...]:
        self._standings.make_what_is_gone()
        return self._standings.behind_each(self._log)

    async def _in_thread(self, use: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._pool, use)


class _Named(Struct):
    match: str
    version: int


_decode_names = decoder(_Named)


def _ids(message: Message) -> dict[str, str | int]:
    """Whose round it is, as far as that can be read."""
    said: dict[str, str | int] = {"subject": message.subject}
    try:
        named: _Named = _decode_names(message.data)
    except msgspec.DecodeError:
        return said
    return said | {"match": named.match, "version": named.version}
