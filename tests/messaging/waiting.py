"""Waiting for something to be so, and collecting what comes in."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from services.messaging.port import Delivery, Message

PATIENCE: Final = 10.0
"""Seconds until a test gives up; nothing is measured by it."""
_POLL: Final = 0.002


async def eventually(so: Callable[[], bool], what: str) -> None:
    """Wait until `so()` holds; fail naming `what` was waited for."""
    loop = asyncio.get_running_loop()
    end = loop.time() + PATIENCE
    while not so():
        assert loop.time() < end, f"waited {PATIENCE} s for {what}"
        await asyncio.sleep(_POLL)


async def eventually_async(so: Callable[[], Awaitable[bool]], what: str) -> None:
    loop = asyncio.get_running_loop()
    end = loop.time() + PATIENCE
    while not await so():
        assert loop.time() < end, f"waited {PATIENCE} s for {what}"
        await asyncio.sleep(_POLL)


class Heard:
    """Core messages as they came."""

    def __init__(self) -> None:
        self.messages: list[Message] = []

    def __call__(self, message: Message) -> None:
        self.messages.append(message)

    @property
    def bodies(self) -> list[bytes]:
        return [message.data for message in self.messages]

    @property
    def subjects(self) -> list[str]:
        return [message.subject for message in self.messages]

    async def wait(self, count: int) -> None:
        await eventually(
            lambda: len(self.messages) >= count, f"{count} messages, have {self.bodies[-20:]}"
        )

    async def wait_for(self, body: bytes) -> None:
        await eventually(lambda: body in self.bodies, f"{body!r}, have {self.bodies[-20:]}")


class Delivered(Heard):
    """Deliveries from a stream as they came; acknowledged at once with `acknowledge`."""

    def __init__(self, *, acknowledge: bool = True) -> None:
        super().__init__()
        self.deliveries: list[Delivery] = []
        self._acknowledge = acknowledge

    def take(self, delivery: Delivery) -> None:
        self.deliveries.append(delivery)
        self(delivery.message)
        if self._acknowledge:
            delivery.ack()

    def ack_all(self) -> None:
        for delivery in self.deliveries:
            delivery.ack()
