"""A player that floods, in a process of its own.

    python -m tests.chaos.flooder PLAYER SECONDS MATCHES RATE

The broker's URL is on stdin. It says what will be refused, so many commands a second or (RATE 0) as
fast as the broker takes them, in so many matches that nobody has opened; it comes back when it is
cut off, and prints what it said.
"""

import asyncio
import json
import sys
import time
from typing import Final

import nats.errors

from schemas import subjects
from schemas.commands import Command, StartMatch, encode_command
from services.messaging.jetstream_link import Link, open_client, round_trip
from tests.broker import password

AT_ONCE: Final = 100
"""Commands between two looks whether the broker has them."""


async def flood(url: str, player: str, seconds: float, matches: int, rate: float) -> dict[str, int]:
    """What was said, as far as the broker is known to have it, and how often it was cut off."""
    link = Link("flooder", None)
    client = await open_client(url, player, password(player), link, 10.0)
    said, began = 0, time.monotonic()
    while time.monotonic() < began + seconds:
        if rate:
            await asyncio.sleep(began + said / rate - time.monotonic())
        try:
            for number in range(said, said + AT_ONCE):
                match = f"m_{number % matches:032x}"
                command = Command(id=f"flood-{number:014d}", action=StartMatch())
                subject = subjects.command_in(match, player)
                await client.publish(subject, encode_command(command))
            await round_trip(client)
            said += AT_ONCE
        except (OSError, nats.errors.Error):
            await asyncio.sleep(0.05)
    await client.close()
    return {"said": said, "cut_off": client.stats["reconnects"]}


def main() -> None:
    player, seconds, matches, rate = sys.argv[1:]
    url = sys.stdin.readline().strip()
    found = asyncio.run(flood(url, player, float(seconds), int(matches), float(rate)))
    sys.stdout.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    main()
