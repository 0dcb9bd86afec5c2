"""What the broker takes, confirmed: the bus in batches, beside the broker's bare client."""

import asyncio
from collections.abc import Awaitable, Callable
from itertools import count
from pathlib import Path
from typing import Final

from services.cli.bench.conditions import Conditions
from services.cli.bench.figures import Found, figure, ratios
from services.cli.bench.matches import script
from services.cli.bench.raw import RawPublisher
from services.cli.supervisor import die_with_parent
from services.messaging.jetstream import JetStreamBus, connect
from services.messaging.permissions import Permissions
from services.messaging.port import Message, StreamSpec
from services.messaging.server import Broker, BrokerConfig, BrokerUser, start_broker

TURNS: Final = 5
BATCH: Final = 500
"""Messages that are confirmed together, as the outbox sends them."""
WITHIN: Final = 20.0
USER: Final = "bench"
STREAM: Final = StreamSpec(
    name="BENCH", subjects=("bench.>",), retention="limits", discard="old", max_bytes=1 << 30
)
Publish = Callable[[list[bytes]], Awaitable[None]]


def publishing(conditions: Conditions) -> Found:
    """Messages a second, a line of the log each, into a stream in a file."""
    with conditions.empty_folder() as folder:
        broker = _broker(folder)
        try:
            rates = asyncio.run(_rates(broker, conditions.many(10, 2)))
        finally:
            broker.stop()
    return Found(
        (
            figure(f"the bus, confirmed by {BATCH}", "messages/s", rates["bus"]),
            figure(f"the bare client, confirmed by {BATCH}", "messages/s", rates["bare"]),
            figure("ratio", "times", ratios(rates["bus"], rates["bare"])),
        )
    )


def _broker(folder: Path) -> Broker:
    everything = Permissions(publish=(">",), subscribe=(">",))
    user = BrokerUser(name=USER, password=USER, permissions=everything)
    return start_broker(BrokerConfig(users=(user,)), folder, preexec_fn=die_with_parent)


async def _rates(broker: Broker, batches: int) -> dict[str, list[float]]:
    bus = await connect(broker.url, user=USER, password=USER, name=USER)
    bare = await RawPublisher.connect(broker.url, USER, USER)
    await bus.ensure([STREAM])
    sides: dict[str, Publish] = {"bus": _by_bus(bus), "bare": bare.publish}
    rates: dict[str, list[float]] = {name: [] for name in sides}
    lines = [entry.line.encode() for n in range(20) for entry in script(n).entries][:BATCH]
    for _ in range(TURNS):
        for name, publish in sides.items():
            rates[name].append(await _rate(publish, lines, batches))
    await bare.close()
    await bus.close()
    return rates


async def _rate(publish: Publish, lines: list[bytes], batches: int) -> float:
    loop = asyncio.get_running_loop()
    began = loop.time()
    for _ in range(batches):
        await publish(lines)
    return batches * len(lines) / (loop.time() - began)


def _by_bus(bus: JetStreamBus) -> Publish:
    numbers = count()

    async def publish(lines: list[bytes]) -> None:
        messages = [
            Message(subject="bench.line", data=line, headers={"Nats-Msg-Id": str(next(numbers))})
            for line in lines
        ]
        await bus.publish_confirmed(messages, within=WITHIN)

    return publish
