"""Coming to a table: opening it where that was asked for, learning what it is, sitting down."""

import secrets
from enum import Enum, auto
from typing import Final

from msgspec import Struct

from schemas.commands import AddNonce, OpenMatch, TakeSeat
from schemas.ids import Seat
from services.cli.join.people import rules_of_table
from services.cli.join.talk import ANSWER_WITHIN, Talk

LEARN_AGAIN: Final = 2.0
"""Seconds without an answer after which the table is asked again how the match stands."""
NONCE_BYTES: Final = 32


class Parting(Enum):
    """How a person's stay came to its end."""

    ENDED = auto()
    AGAIN = auto()
    LEFT = auto()
    AWAY = auto()
    NO_MATCH = auto()
    NO_SEAT = auto()
    REFUSED = auto()
    SILENT = auto()


class Wishes(Struct, frozen=True, kw_only=True):
    """What was asked for: a match to open, a seat, its code, a nonce of one's own."""

    opening: OpenMatch | None = None
    seat: Seat | None = None
    code: str | None = None
    nonce: bool = True


async def arrive(talk: Talk, wishes: Wishes) -> Parting | None:
    """From the door to the chair; a parting if it comes to nothing."""
    if wishes.opening is not None and not await talk.do(wishes.opening):
        return Parting.REFUSED
    if not await _learn(talk):
        away = talk.terminal.interrupted
        talk.say("away" if away else "no_answer", match=talk.client.match)
        return Parting.AWAY if away else Parting.SILENT
    if talk.client.unknown:
        return Parting.NO_MATCH
    talk.say("table", match=talk.client.match)
    talk.show(rules_of_table(talk.speech, talk.state.opened.options))
    talk.show_chairs()
    return None if talk.client.over else await _settle_down(talk, wishes)


async def _learn(talk: Talk) -> bool:
    for _ in range(round(ANSWER_WITHIN / LEARN_AGAIN)):
        if talk.terminal.interrupted:
            return False
        if await talk.client.learn(LEARN_AGAIN):
            return True
        talk.watch()
    return False


async def _settle_down(talk: Talk, wishes: Wishes) -> Parting | None:
    if talk.seat is None and not await _sit(talk, wishes):
        talk.say("no_seat")
        return Parting.NO_SEAT
    talk.say("sat", seat=talk.seat, match=talk.client.match)
    if wishes.nonce and not talk.state.started:
        nonce = AddNonce(nonce=secrets.token_hex(NONCE_BYTES))
        if await talk.quietly(nonce):  # it is refused to who has added one before
            talk.say("nonce")
    return None


async def _sit(talk: Talk, wishes: Wishes) -> bool:
    """Take the seat asked for, else the first that may be had."""
    for seat in _wanted(talk, wishes):
        if await talk.do(TakeSeat(seat=seat, code=wishes.code)):
            return await talk.client.refresh(ANSWER_WITHIN)
    return False


def _wanted(talk: Talk, wishes: Wishes) -> tuple[Seat, ...]:
    """Seats to try; those of invited friends first for who has a code, for others last."""
    if wishes.seat is not None:
        return (wishes.seat,)
    plans, free = talk.state.opened.seats, talk.client.free_seats()
    invited = tuple(seat for seat in free if plans[seat].filled_by == "invited")
    others = tuple(seat for seat in free if seat not in invited)
    return (*invited, *others) if wishes.code else (*others, *invited)
