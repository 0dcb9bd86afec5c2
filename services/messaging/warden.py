"""The warden's port: cuts connections by the broker's own word, all of a player who floods, and
of anybody those that are too many.
"""

from typing import Final, Protocol

MOST_CONNECTIONS: Final = 8
"""Of one player at one time; when one more comes, the one that has been there longest is cut."""


class Warden(Protocol):
    async def watch(self) -> None:
        """Cut of each player's connections those that are too many, until cancelled."""
        ...

    async def kick(self, player: str) -> int:
        """Cut every connection of `player`; how many there were. Raises `BusError`."""
        ...

    async def close(self) -> None: ...


class NoWarden:
    """Where none is configured: who floods is denied, and stays connected; nobody is counted."""

    async def watch(self) -> None:
        return

    async def kick(self, player: str) -> int:  # noqa: ARG002 as the port's
        return 0

    async def close(self) -> None:
        return
