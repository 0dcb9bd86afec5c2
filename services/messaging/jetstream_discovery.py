"""`$SRV` on the broker: workers answer operators, and operators gather the answers."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from secrets import token_hex
from typing import Final

import nats.errors
from nats.aio.client import Client
from nats.aio.msg import Msg

from services.messaging.discovery import Seen, Service, answer, may_be_answered, seen, subjects_of
from services.messaging.jetstream_link import Link, open_client, round_trip
from services.messaging.permissions import ANSWERS, Verb, asked_on
from services.messaging.port import BusUnreachable

WAITING: Final = 256
"""Asks that may wait for an answer here; those beyond are lost, and the operator asks again."""
WAITING_BYTES: Final = 1 << 20
GATHERED: Final = 1_000
"""Answers that are taken at most: more workers than anybody has."""
QUIET: Final = 0.4
"""Seconds without another answer after which all have answered."""
LONGEST: Final = 3.0
"""Seconds in which answers are waited for at most."""


async def attend(client: Client, service: Service) -> None:
    """Answer for `service` from now on, across reconnects. A broker that does not let us listen
    there, since its rights are of an older version, is no reason not to work.
    """
    for subject, verb in subjects_of(service).items():
        await client.subscribe(
            subject,
            cb=_answering(client, service, verb),
            pending_msgs_limit=WAITING,
            pending_bytes_limit=WAITING_BYTES,
        )


def _answering(client: Client, service: Service, verb: Verb) -> Callable[[Msg], Awaitable[None]]:
    async def hear(asked: Msg) -> None:
        if not may_be_answered(asked.reply):
            return
        with contextlib.suppress(nats.errors.Error):  # not written: the operator asks again
            await client.publish(asked.reply, answer(service, verb))

    return hear


async def gather(url: str, *, user: str, password: str, within: float) -> tuple[Seen, ...]:
    """All workers that answer, by kind and id; raises `BusUnreachable` (`LoginRefused`)."""
    link = Link("status", None)
    client = await open_client(url, user, password, link, within)
    try:
        return await _gather(client)
    except (TimeoutError, nats.errors.Error) as error:
        raise BusUnreachable(str(error) or "the broker does not answer") from error
    finally:
        link.closing = True
        await client.close()


async def _gather(client: Client) -> tuple[Seen, ...]:
    answers: asyncio.Queue[bytes] = asyncio.Queue(GATHERED)

    async def hear(msg: Msg) -> None:
        if not answers.full():
            answers.put_nowait(msg.data)

    reply = f"{ANSWERS}{token_hex(8)}"
    await client.subscribe(reply, cb=hear)
    await client.publish(asked_on("STATS"), b"", reply)
    await round_trip(client)
    found: dict[tuple[str, str], Seen] = {}
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(LONGEST):
            while len(found) < GATHERED:
                one = seen(await asyncio.wait_for(answers.get(), QUIET))
                if one is not None:
                    found[one.worker, one.id] = one
    return tuple(sorted(found.values(), key=lambda one: (one.worker, one.at, one.id)))
