"""`waraq match abandon`: an operator ends a match, through the door that everybody speaks at."""

import asyncio
from functools import partial
from typing import Final

import click
from msgspec import Struct

from schemas import subjects
from schemas.commands import AbandonMatch
from schemas.ids import OPS, AbandonReason, MatchId
from schemas.refusals import Refusal
from services.cli import complete, say
from services.cli.client import CommandRefused, MatchClient, Stalled
from services.cli.exits import FAILED, UNREACHABLE, stop
from services.cli.place import Place, as_json, at_place, login, no_broker
from services.cli.streams import read, rows_of
from services.messaging.jetstream import JetStreamBus, connect
from services.messaging.port import BusError, Handler, Message
from services.replay import rebuild
from services.replay.rebuild import Summary

REASONS: Final[tuple[AbandonReason, ...]] = ("operator", "fault")
"""What an operator may give as the reason; `expired` is the table's own word, of lobbies."""
ANSWER_WITHIN: Final = 20.0
"""Seconds that the table has to answer, a take-over included."""
OVER: Final = frozenset({"ended", "abandoned"})
NOT_OPEN: Final = frozenset({Refusal.MATCH_OVER, Refusal.UNKNOWN_MATCH})
"""Refusals that say so: the match came to its end while we looked."""


class Abandoned(Struct, frozen=True, kw_only=True):
    """A match that is over: `version` is its last event's; `already`: it was so before."""

    match: MatchId
    status: str
    version: int
    already: bool


@click.command()
@click.argument("match_id", metavar="ID", shell_complete=complete.match_ids)
@click.option(
    "--reason",
    type=click.Choice(REASONS),
    default="operator",
    show_default=True,
    help="What its log and its players are told.",
)
@at_place
@as_json
def abandon(place: Place, match_id: str, reason: AbandonReason, *, as_json: bool) -> None:
    """End a match for good, with no winner. Its secret is revealed, as at every end.

    Points of rounds that were scored stay; it is in nobody's record. The ticket that opened it is
    not given back (docs/operations.md). A match that is over already is left as it is.
    """
    found = _summary(place, match_id)
    already = found.status in OVER
    if not already:
        already = not asyncio.run(_abandon(place, found.match, AbandonMatch(reason=reason)))
        found = _summary(place, match_id)
    if found.status not in OVER:
        stop(FAILED, f"refused: unknown_match: no table has {found.match}: see `waraq doctor`")
    result = Abandoned(
        match=found.match, status=found.status, version=found.events, already=already
    )
    say.result(result, _prose(result), as_json=as_json)


def _summary(place: Place, match_id: str) -> Summary:
    return read(match_id, partial(rebuild.summary, rows_of(place, match_id)))


async def _abandon(place: Place, match: MatchId, action: AbandonMatch) -> bool:
    """True once the table has ended the match, False if no table has such a one that is open."""
    entry = login(place, "cli")
    try:
        bus = await connect(entry.url, user=entry.user, password=entry.password, name="abandon")
    except BusError as error:
        stop(UNREACHABLE, no_broker(place, error))
    try:
        return await _say(bus, match, action)
    finally:
        await bus.close()


async def _say(bus: JetStreamBus, match: MatchId, action: AbandonMatch) -> bool:
    client = MatchClient(bus, OPS, match)
    await bus.subscribe(subjects.feed(OPS, match), _hearing(client))
    try:
        await client.do(action, within=ANSWER_WITHIN)
    except CommandRefused as error:
        if error.code in NOT_OPEN:
            return False
        stop(FAILED, f"{error}: see `waraq audit {match}` and the table workers' logs")
    except Stalled:
        if not bus.connected:
            stop(UNREACHABLE, "the broker went away: see `waraq doctor`")
        stop(FAILED, f"no table answered in {ANSWER_WITHIN:.0f} s: see `waraq doctor`")
    return True


def _hearing(client: MatchClient) -> Handler:
    def hear(message: Message) -> None:
        client.hear(message)

    return hear


def _prose(result: Abandoned) -> str:
    if result.already:
        return f"{result.match} was over already: {result.status}, {result.version} events"
    return f"{result.match} is {result.status}, {result.version} events"
