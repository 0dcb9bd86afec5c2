"""Coming to a table: opening it where that was asked for, learning what it is, sitting down."""

import secrets
from enum import Enum, auto
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from schemas.commands import AddNonce, OpenMatch, TakeSeat
from schemas.ids import Seat
from schemas.refusals import Refusal
from services.cli.join.outside import AskTicket
from services.cli.join.people import rules_of_table
from services.cli.join.session.web import WebAway, WebDeclined
from services.cli.join.talk import ANSWER_WITHIN, DONE, Talk

LEARN_AGAIN: Final = 2.0
"""Seconds without an answer after which the table is asked again how the match stands."""
NONCE_BYTES: Final = 32
WEB_AWAY: Final = "no_answer"
"""Stands for an error's code where the web worker itself says nothing."""


class Parting(Enum):
    """How a person's stay came to its end."""

    ENDED = auto()
    AGAIN = auto()
    NEXT = auto()
    LEFT = auto()
    AWAY = auto()
    NO_MATCH = auto()
    NO_SEAT = auto()
    REFUSED = auto()
    SILENT = auto()


class Wishes(Struct, frozen=True, kw_only=True):
    """What was asked for: a match to open (`again`: after one at a table like it), a seat, a code
    (the table's own, if it is opened), a nonce of one's own.
    """

    opening: OpenMatch | None = None
    again: bool = False
    seat: Seat | None = None
    code: str | None = None
    nonce: bool = True


async def arrive(talk: Talk, wishes: Wishes) -> Parting | None:
    """From the door to the chair; a parting if it comes to nothing."""
    if wishes.opening is not None and not await _open(talk, wishes.opening):
        return Parting.REFUSED
    if not await _learn(talk):
        return _gone_or_silent(talk)
    if talk.client.unknown:
        return Parting.NO_MATCH
    await talk.meet()
    talk.say("table", match=talk.client.match)
    for line in rules_of_table(talk.speech, talk.state.opened):
        talk.show(line)
    talk.show_chairs()
    if wishes.opening is not None:
        invite(talk, wishes)
    return None if talk.client.over else await _settle_down(talk, wishes)


async def _open(talk: Talk, opening: OpenMatch) -> bool:
    """Open the table; with a ticket where the deployment wants one."""
    answer = await talk.attempt(opening)
    if answer == Refusal.TICKET_INVALID and talk.outside.ticket is not None:
        ticket = await _ticket(talk, talk.outside.ticket)
        return ticket is not None and await talk.do(replace(opening, ticket=ticket))
    if isinstance(answer, Refusal):
        await talk.no(answer)
    return answer == DONE


async def _ticket(talk: Talk, ask: AskTicket) -> str | None:
    try:
        given = await ask(talk.client.match)
    except WebDeclined as error:
        talk.say("no_ticket", text=error.text, code=error.code)
    except WebAway as error:
        talk.say("no_ticket", text=str(error), code=WEB_AWAY)
    else:
        talk.say("ticket", left=given.left)
        return given.ticket
    return None


def _gone_or_silent(talk: Talk) -> Parting:
    if not talk.terminal.interrupted:
        talk.say("no_answer")
        return Parting.SILENT
    talk.say_how("away", talk.outside.ways.back(talk.client.match))
    return Parting.AWAY


def invite(talk: Talk, wishes: Wishes) -> None:
    """How others come to the seats that are for them and free."""
    ways, match = talk.outside.ways, talk.client.match
    plans = talk.state.opened.seats
    wanted = {plans[seat].filled_by for seat in talk.client.free_seats()}
    if "invited" in wanted:
        text = "invitation_again" if wishes.again else "invitation"
        talk.say_how(text, ways.invitation(match, wishes.code))
    if "anyone" in wanted:
        talk.say_how("for_anyone", ways.invitation(match))


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
        talk.say("no_seat" if talk.client.free_seats() else "table_full")
        return Parting.NO_SEAT
    await talk.meet()
    talk.say_how("sat", talk.outside.ways.back(talk.client.match), seat=talk.seat)
    if wishes.nonce and not talk.state.started:
        nonce = AddNonce(nonce=secrets.token_hex(NONCE_BYTES))
        if await talk.quietly(nonce):  # it is refused to who has added one before
            talk.say("nonce")
    if wishes.opening is None:
        _tell_code_is_gone(talk)
    return None


def _tell_code_is_gone(talk: Talk) -> None:
    """Who comes back to a table of his own is told that its code is nowhere but where it was shown:
    the table knows its hash alone.
    """
    opened = talk.state.opened
    invited = any(opened.seats[seat].filled_by == "invited" for seat in talk.client.free_seats())
    if invited and opened.owner == talk.client.player:
        talk.say("code_gone")


async def _sit(talk: Talk, wishes: Wishes) -> bool:
    """Take the seat asked for, else the first that may be had."""
    for seat in _wanted(talk, wishes):
        answer = await talk.attempt(TakeSeat(seat=seat, code=wishes.code))
        if answer == DONE:
            return await talk.client.refresh(ANSWER_WITHIN)
        if answer == Refusal.WRONG_CODE and wishes.code is None:
            talk.say("say_code", seat=seat)
        elif isinstance(answer, Refusal):
            await talk.no(answer)
    return False


def _wanted(talk: Talk, wishes: Wishes) -> tuple[Seat, ...]:
    """Seats to try; those of invited friends first for who has a code, for others last."""
    if wishes.seat is not None:
        return (wishes.seat,)
    plans, free = talk.state.opened.seats, talk.client.free_seats()
    invited = tuple(seat for seat in free if plans[seat].filled_by == "invited")
    others = tuple(seat for seat in free if seat not in invited)
    return (*invited, *others) if wishes.code else (*others, *invited)
