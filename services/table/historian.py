"""The historian: answers about the past, beside the path that commands take.

History pages, and snapshots of matches that are over. It reads the log in a thread of its own, one
ask at a time and of each voice one in turn, so that whoever asks much makes nobody else wait.
"""

import asyncio
import logging
from collections import OrderedDict, deque
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
WAITING_EACH: Final = 50
"""Of one voice: as many as its matches in one page of the web worker's list."""

_log = logging.getLogger(__name__)


class Queue:
    """Asks that wait, by voice: the next is the oldest of the voice that was answered longest ago.

    One that waits already is not put in again.
    """

    def __init__(self) -> None:
        self._voices: OrderedDict[str, deque[Asked]] = OrderedDict()
        self._count = 0
        self._news = asyncio.Event()

    def put(self, asked: Asked) -> None:
        own = self._voices.get(asked.address.voice, deque())
        if asked in own or len(own) >= WAITING_EACH or self._count >= WAITING:
            return
        own.append(asked)
        self._count += 1
        self._voices.setdefault(asked.address.voice, own)
        self._news.set()

    async def get(self) -> Asked:
        while not self._voices:
            self._news.clear()
            await self._news.wait()
        voice, own = self._voices.popitem(last=False)
        asked = own.popleft()
        self._count -= 1
        if own:
            self._voices[voice] = own  # behind all others
        return asked


class Historian:
    """`thread` is used by nobody else."""

    def __init__(self, thread: LogThread, bus: Bus, clock: Clock) -> None:
        self._thread = thread
        self._bus = bus
        self._clock = clock
        self._asks = Queue()

    def ask(self, asked: Asked) -> None:
        self._asks.put(asked)

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
