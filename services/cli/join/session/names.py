"""What the others at the table are called: asked of the web worker, and not waited for long."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Final

from schemas.ids import PlayerId, Seat
from services.cli.join.session.strangers import shown_name
from services.cli.join.session.web import WebAway, WebDeclined
from services.rules.seats import Chairs

WAIT: Final = 2.0
"""Seconds that a table is shown later for the sake of names."""
ASK_AGAIN: Final = 30.0
"""Seconds until names are asked for again that could not be had."""

AskNames = Callable[[Sequence[PlayerId]], Awaitable[Mapping[PlayerId, str]]]


class Names:
    """Names of the players that were met, as they may be shown. `ask` raises as `Web.names`."""

    def __init__(self, ask: AskNames) -> None:
        self._ask = ask
        self._known: dict[PlayerId, str | None] = {}
        self._next = 0.0

    async def learn(self, chairs: Chairs) -> None:
        """Ask about those who sit there and were not met before."""
        new = [chair.player for chair in chairs if chair.player and chair.player not in self._known]
        if not new or time.monotonic() < self._next:
            return
        try:
            async with asyncio.timeout(WAIT):
                found = await self._ask(new)
        except (TimeoutError, WebAway, WebDeclined):
            self._next = time.monotonic() + ASK_AGAIN
            return
        for player in new:
            self._known[player] = shown_name(found.get(player, ""))

    def at(self, chairs: Chairs) -> Mapping[Seat, str]:
        """The names by seat of those who have one."""
        named = {seat: self._known.get(chair.player or "") for seat, chair in enumerate(chairs)}
        return {seat: name for seat, name in named.items() if name}


async def nobody(_players: Sequence[PlayerId]) -> Mapping[PlayerId, str]:
    """Where no one has a name."""
    return {}
