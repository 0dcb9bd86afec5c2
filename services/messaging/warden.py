"""The warden's port: cuts the connections of a player who floods, by the broker's own word."""

from typing import Protocol


class Warden(Protocol):
    async def kick(self, player: str) -> int:
        """Cut every connection of `player`; how many there were. Raises `BusError`."""
        ...

    async def close(self) -> None: ...


class NoWarden:
    """Where none is configured: who floods is denied, and stays connected."""

    async def kick(self, player: str) -> int:  # noqa: ARG002 as the port's
        return 0

    async def close(self) -> None:
        return
