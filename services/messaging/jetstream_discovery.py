"""`$SRV` on the broker: workers answer operators, and operators gather the answers."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from functools import partial
from secrets import token_hex
from typing import Final

import nats.errors
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.js.api import Header

from services.messaging.discovery import Seen, Service, answer, may_be_answered, seen, subjects_of
from services.messaging.jetstream_link import Link, open_client, round_trip
from services.messaging.permissions import KINDS, Kind, Verb, answers_of, asked_on, service_of
from services.messaging.port import BusUnreachable

WAITING: Final = 256
"""Asks that may wait for an answer here; those beyond are lost, and the operator asks again."""
WAITING_BYTES: Final = 1 << 20
GATHERED: Final = 1_000
"""Workers of a kind that are taken at most: more than anybody has."""
QUIET: Final = 1.0
"""Seconds without another answer after which all have answered, once one of each kind has: a worker
in a crowded turn takes half of it.
"""
LONGEST: Final = 3.0
"""Seconds in which answers are waited for at most."""
NOBODY: Final = "503"
"""The broker's answer in the place of workers, where none of them listens."""


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
        if not may_be_answered(service.kind, asked.reply):
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
    """Each kind is asked where it alone may answer, so that none can speak for another."""
    token, answers = token_hex(8), Answers()
    for kind in KINDS:
        reply = f"{answers_of(kind)}{token}"
        await client.subscribe(reply, cb=partial(answers.hear, kind))
        await client.publish(asked_on("STATS", service_of(kind)), b"", reply)
    await round_trip(client)
    await answers.all()
    return answers.sorted()


class Answers:
    """What has come so far; of each kind whether anything has, or nobody of it listens."""

    def __init__(self) -> None:
        self._found: dict[Kind, dict[str, Seen]] = {kind: {} for kind in KINDS}
        self._silent: set[Kind] = set(KINDS)
        self._another = asyncio.Event()

    async def hear(self, kind: Kind, msg: Msg) -> None:
        if (msg.headers or {}).get(Header.STATUS) == NOBODY:
            self._silent.discard(kind)
            self._another.set()
            return
        one, found = seen(kind, msg.data), self._found[kind]
        if one is None or (len(found) >= GATHERED and one.id not in found):
            return
        found[one.id] = one
        self._silent.discard(kind)
        self._another.set()

    async def all(self) -> None:
        """Until nobody more is to be expected, or for `LONGEST`."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LONGEST):
                while self._silent or any(self._found.values()):
                    self._another.clear()
                    await asyncio.wait_for(self._another.wait(), None if self._silent else QUIET)

    def sorted(self) -> tuple[Seen, ...]:
        """By kind, place and id."""
        several = (one for found in self._found.values() for one in found.values())
        return tuple(sorted(several, key=lambda one: (one.worker, one.at, one.id)))
