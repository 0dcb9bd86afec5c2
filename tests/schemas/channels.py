"""What clients were promised of the channels, and what a change of it breaks: a subject is as much
of the wire as a message. `python -m tests.schemas.channels` prints today's, for `release-schema`.
"""

import sys
from collections.abc import Iterator
from typing import Final, Literal

import msgspec
from msgspec import Struct

from services.cli.schema.channels import CHANNELS, receivers, senders

ChannelRule = Literal["channel gone", "subject changed", "right gone", "header gone", "answer gone"]


class Promise(Struct, frozen=True, kw_only=True):
    """One channel. Who says and hears it: roles, and `player`."""

    subject: str
    payload: str
    senders: tuple[str, ...]
    receivers: tuple[str, ...]
    headers: tuple[str, ...]
    answers: tuple[str, ...]


class ChannelBreach(Struct, frozen=True):
    rule: ChannelRule
    channel: str


CLIENTS: Final = frozenset({"player", "cli"})
"""Whose rights are promised: a worker's are changed together with the worker."""
Promises = dict[str, Promise]


def today() -> Promises:
    """The channels by name."""
    return {
        plan.name: Promise(
            subject=plan.address,
            payload=plan.payload,
            senders=tuple(senders(plan)),
            receivers=tuple(receivers(plan)),
            headers=tuple(plan.headers),
            answers=plan.answers,
        )
        for plan in CHANNELS
    }


def broken(old: Promises, new: Promises) -> list[ChannelBreach]:
    """Every rule that the step from `old` to `new` breaks."""
    return [
        ChannelBreach(rule, name)
        for name, was in old.items()
        for rule in _rules(was, new.get(name))
    ]


def _rules(was: Promise, now: Promise | None) -> Iterator[ChannelRule]:
    if now is None:
        yield "channel gone"
        return
    if (was.subject, was.payload) != (now.subject, now.payload):
        yield "subject changed"
    for had, has in ((was.senders, now.senders), (was.receivers, now.receivers)):
        if CLIENTS.intersection(had) - set(has):
            yield "right gone"
    if set(was.headers) - set(now.headers):
        yield "header gone"
    if set(was.answers) - set(now.answers):
        yield "answer gone"


if __name__ == "__main__":
    sys.stdout.buffer.write(msgspec.json.format(msgspec.json.encode(today()), indent=2) + b"\n")
