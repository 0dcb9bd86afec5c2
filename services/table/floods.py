"""Who says too much that comes to nothing is not heard for a while, and is cut off.

What is counted is what a player costs without playing on: refusals, commands said again after they
were accepted, what is illegible, asks, matches opened. The first ask about an open match is free,
for a client asks at each of its tables when it is back. The broker's quota bounds what waits of one
player in one match, but not how fast it comes, nor made-up matches.
"""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from msgspec import Struct, field

from schemas.ids import PlayerId, matches
from services.messaging.port import BusError
from services.messaging.warden import Warden
from services.runtime.clock import Clock

MOST: Final = 600
"""What is counted of one player within a window. A client that plays well has a few."""
ASKED: Final = 200
"""Matches of one player whose first ask is free."""
CUT_AFTER: Final = 100
"""Commands of a denied player that are not heard, after which he is cut off once more."""
WINDOW: Final = 60.0
"""Seconds in which they are counted together."""
DENIED_FOR: Final = 60.0
"""Seconds for which a player who said more is not heard."""
COUNTED: Final = 10_000
"""Players that are counted; of more those are forgotten that were quiet for longest."""
CUTS_WAITING: Final = 1_000
"""Players that wait to be cut off. One beyond it is denied all the same."""

_log = logging.getLogger(__name__)


class _Window(Struct):
    """Counted since `began`; not heard until `denied`, in seconds of `Clock.ticks`, and `ignored`
    since then.
    """

    began: float
    count: int = 0
    asked: set[str] = field(default_factory=set)
    denied: float = 0.0
    ignored: int = 0


class Floods:
    """The counts of one worker, all its partitions together. Who is `spared` is not counted."""

    def __init__(
        self,
        clock: Clock,
        *,
        spared: frozenset[str] = frozenset(),
        on_denied: Callable[[], None] = lambda: None,
    ) -> None:
        self._clock = clock
        self._spared = spared
        self._on_denied = on_denied
        self._windows: OrderedDict[str, _Window] = OrderedDict()
        self._to_cut: asyncio.Queue[str] = asyncio.Queue(CUTS_WAITING)
        self._waiting: set[str] = set()

    def hears(self, voice: str) -> bool:
        """False while what `voice` says is not to be heard; who goes on is cut off again."""
        window = self._windows.get(voice)
        if window is None or self._clock.ticks() >= window.denied:
            return True
        window.ignored += 1
        if window.ignored % CUT_AFTER == 0:
            self._cut_soon(voice)
        return False

    def count(self, voice: str, times: int = 1) -> None:
        """So many more. Only players are counted: the house's voices are our own."""
        if not matches(voice, PlayerId) or voice in self._spared:
            return
        now = self._clock.ticks()
        window = self._window(voice, now)
        window.count += times
        if window.count > MOST and now >= window.denied:
            window.denied = now + DENIED_FOR
            self._deny(voice)

    def count_ask(self, voice: str, match: str) -> None:
        """One more ask about an open match."""
        asked = self._window(voice, self._clock.ticks()).asked
        if match in asked or len(asked) >= ASKED:
            self.count(voice)
        asked.add(match)

    def _window(self, voice: str, now: float) -> _Window:
        window = self._windows.get(voice)
        if window is None or (now >= window.began + WINDOW and now >= window.denied):
            window = self._windows[voice] = _Window(began=now)
        self._windows.move_to_end(voice)
        while len(self._windows) > COUNTED:
            self._windows.popitem(last=False)
        return window

    def _deny(self, voice: str) -> None:
        self._on_denied()
        _log.error("a player floods and is not heard for a while", extra={"player": voice})
        self._cut_soon(voice)

    def _cut_soon(self, voice: str) -> None:
        """Once, however often it is called for: nobody else waits while one is cut again."""
        if voice not in self._waiting and not self._to_cut.full():
            self._waiting.add(voice)
            self._to_cut.put_nowait(voice)

    async def cut(self, warden: Warden) -> None:
        """Cut the connections of who floods, until cancelled."""
        while True:
            player = await self._to_cut.get()
            self._waiting.discard(player)
            try:
                cut = await warden.kick(player)
            except BusError as error:
                _log.warning("a flooding player stays connected", extra={"reason": str(error)})
            else:
                if cut:
                    _log.warning("cut off", extra={"player": player, "connections": cut})
