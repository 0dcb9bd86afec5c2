"""A player that floods, in a process of its own: `python -m tests.chaos.flooder PLAYER SECONDS`.

The broker's URL is on stdin. It says what will be refused as fast as the broker takes it, half of
it in one match and half in made-up ones, comes back when it is cut off, and prints what it said.
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

AT_ONCE: Final = 500
"""Commands between two looks whether the broker has them."""
MADE_UP: Final = 5_000
"""Match ids that nobody has opened."""


async def flood(url: str, player: str, seconds: float) -> dict[str, int]:
    """What was said, as far as the broker is known to have it, and how often it was cut off."""
    link = Link("flooder", None)
    client = await open_client(url, player, password(player), link, 10.0)
    said, end = 0, time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            for number in range(said, said + AT_ONCE):
                match = f"m_{(number % MADE_UP) * (number % 2):032x}"
                command = Command(id=f"flood-{number:014d}", action=StartMatch())
                subject = subjects.command_in(match, player)
                await client.publish(subject, encode_command(command))
            await round_trip(client)
            said += AT_ONCE
        except (TimeoutError, nats.errors.Error):
            await asyncio.sleep(0.05)
    await client.close()
    return {"said": said, "cut_off": client.stats["reconnects"]}


def main() -> None:
    player, seconds = sys.argv[1:]
    found = asyncio.run(flood(sys.stdin.readline().strip(), player, float(seconds)))
    sys.stdout.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    main()
