"""Confirmed publishing while the client's connection breaks between two messages of a batch."""

from typing import cast

import pytest
from nats.aio.client import Client

from services.messaging.jetstream_confirm import Confirmations
from services.messaging.port import Message, Unconfirmed


class Breaking:
    """What `Confirmations` needs of the library's client, which loses its connection on the way:
    a write may wait for the old connection and go on with the new one.
    """

    def __init__(self, after: int) -> None:
        self.is_connected = True
        self.sent: list[bytes] = []
        self.confirmations: Confirmations | None = None
        self._after = after

    def new_inbox(self) -> str:
        return "_INBOX.test"

    async def publish(self, _subject: str, data: bytes, *_: object) -> None:
        self.sent.append(data)
        if len(self.sent) == self._after:
            assert self.confirmations is not None
            self.confirmations.give_up()


async def test_nothing_of_a_batch_is_sent_once_the_connection_it_began_on_is_lost() -> None:
    """The next connection may lead to a broker that has lost the first of the batch."""
    client = Breaking(after=2)
    confirmations = client.confirmations = Confirmations(cast("Client", client))
    batch = [Message(subject="event.0.x", data=b"%d" % number) for number in range(5)]
    with pytest.raises(Unconfirmed, match="connection was lost"):
        await confirmations.publish(batch, within=5)
    assert client.sent == [b"0", b"1"]
