"""Does the broker take players' connections? Tried as a player's client does, by its websocket.

The web worker is no user of the broker, so it goes no further than the broker's first word. Where
it may not reach the players' own address, as behind a wall of networks, it knows nothing.
"""

import asyncio
from typing import Final, Literal

from aiohttp import ClientError, ClientSession, ClientWSTimeout

State = Literal["ok", "down", "unknown"]

WITHIN: Final = 3.0
"""Seconds that the broker has for its first word."""
CLOSE_WITHIN: Final = 0.5
FIRST_WORD: Final = b"INFO "


class PlayersDoor:
    """`url` is where players connect, `origin` that of a page, which the broker lets in."""

    def __init__(self, url: str, origin: str | None) -> None:
        self._url = url
        self._origin = origin
        self._reached = False

    async def stands(self) -> State:
        """`down` for one that could be reached from here before; one that never could may as well
        be open to everybody else.
        """
        if await self._takes():
            self._reached = True
            return "ok"
        return "down" if self._reached else "unknown"

    async def _takes(self) -> bool:
        try:
            async with asyncio.timeout(WITHIN), ClientSession() as client:
                said = client.ws_connect(
                    self._url, origin=self._origin, timeout=ClientWSTimeout(ws_close=CLOSE_WITHIN)
                )
                async with said as line:
                    return (await line.receive_bytes()).startswith(FIRST_WORD)
        except (OSError, ClientError, ValueError, TypeError, TimeoutError):
            return False
