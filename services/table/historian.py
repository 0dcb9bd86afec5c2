"""The historian: answers about the past, beside the path that commands take.

History pages, and snapshots of matches that are over. It reads the log in a thread of its own, one
ask at a time, so that whoever asks much makes nobody else wait.
"""

import asyncio
import logging
from functools import partial
from typing import Final

from schemas.feed import Feed, Refused
from schemas.refusals import Refusal
from services.event_log.port import LogError, Reader
from services.messaging.port import Bus
from services.runtime.clock import Clock
from services.table import feeds
from services.table.live import rebuild
from services.table.log_thread import LogThread
from services.table.stage import Asked

WAITING: Final = 1_000
"""Asks that may wait; one beyond it is dropped, and its asker asks again."""

_log = logging.getLogger(__name__)


class Historian:
    """`thread` is used by nobody else."""

    def __init__(self, thread: LogThread, bus: Bus, clock: Clock) -> None:
        self._thread = thread
        self._bus = bus
        self._clock = clock
        self._asks: asyncio.Queue[Asked] = asyncio.Queue(WAITING)

    def ask(self, asked: Asked) -> None:
        if not self._asks.full():
            self._asks.put_nowait(asked)

    async def run(self) -> None:
        """Answer until cancelled."""
        while True:
            asked = await self._asks.get()
            try:
                feed = await self._thread.call(partial(self._answer, asked))
            except LogError as error:
                _log.warning("the past cannot be read", extra={"reason": str(error)})
                continue
            match, voice = asked.address.match, asked.address.voice
            await self._bus.publish([feeds.message(voice, match, feed)])

    def _answer(self, asked: Asked, log: Reader) -> Feed:
        match = asked.address.match
        rows = log.load(match)
        if not rows:
            return Refused(match=match, command=None, code=Refusal.UNKNOWN_MATCH, move=0)
        try:
            if asked.ask.what == "history":
                return feeds.history(rows, match, asked.address.voice, asked.ask.since)
            live = rebuild(rows)
            assert live is not None
            return feeds.snapshot(live, asked.address.voice, now=self._clock.now(), due=None)
        except Exception:  # noqa: BLE001 whatever is wrong with one stream is its own
            _log.exception("a match cannot be folded", extra={"match": match})
            return Refused(match=match, command=None, code=Refusal.FAULT, move=0)
