"""Collecting what comes in."""

from services.messaging.port import Delivery, Message
from tests.waiting import until


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
        await until(
            lambda: len(self.messages) >= count, f"{count} messages, have {self.bodies[-20:]}"
        )

    async def wait_for(self, body: bytes) -> None:
        await until(lambda: body in self.bodies, f"{body!r}, have {self.bodies[-20:]}")


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
