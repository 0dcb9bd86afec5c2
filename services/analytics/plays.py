"""Every decision of a seat as a row: who, when, after how long, and what came of it."""

from collections.abc import Iterator
from typing import Any, Final

from msgspec.structs import replace

from schemas.cards import Card
from schemas.events import (
    CardDiscarded,
    CardDrawn,
    CardLaidOff,
    CardPlayed,
    ControlChanged,
    FireTaken,
    JokerSwapped,
    MeldsLaid,
    NonceAdded,
    SeatLeft,
    SeatTaken,
    TrickTaken,
    TrumpChosen,
    TurnTimedOut,
    tag_of,
)
from services.analytics.story import Round, Step, before, holder, seat_of, span, unit_of, utc
from services.analytics.story import is_decision as is_decision_of
from services.analytics.tables import PlayRow
from services.rules import sight
from services.rules.tricks import SUIT_OF

ASIDE: Final = (SeatTaken, SeatLeft, NonceAdded, ControlChanged, TurnTimedOut)
"""What changes nothing in what the match waits for: thinking goes on."""


def play_rows(round_: Round) -> tuple[PlayRow, ...]:
    """The decisions of a round, in order."""
    rows: list[PlayRow] = []
    trick: list[PlayRow] = []
    number, since = 1, round_.steps[0].event.time
    for step in round_.steps:
        body = step.event.body
        if isinstance(body, TrickTaken):
            rows += (replace(one, took=one.seat == body.by) for one in trick)
            trick, number = [], number + 1
        elif isinstance(body, CardPlayed):
            trick.append(_in_trick(_row(round_, step, since), trick, number))
        elif is_decision_of(step):
            rows.append(_row(round_, step, since))
        if not isinstance(body, ASIDE):
            since = step.event.time
    assert not trick, "a round ends with a trick"
    return tuple(rows)


def _in_trick(row: PlayRow, earlier: list[PlayRow], number: int) -> PlayRow:
    assert row.card is not None
    led = earlier[0].led if earlier else SUIT_OF[row.card]
    return replace(row, trick=number, place=len(earlier) + 1, led=led)


def _row(round_: Round, step: Step, since: int) -> PlayRow:
    seat, state = seat_of(step), before(step)
    who = holder(state, seat)
    row = PlayRow(
        match=step.event.match,
        round=round_.number,
        version=step.event.version,
        turn=turn_of(round_, step),
        time=utc(step.event.time),
        think_ms=span(since, step.event.time),
        seat=seat,
        unit=unit_of(state.opened.options, seat),
        player=who.player,
        held=who.held,
        level=who.level,
        timed_out=step.event.origin == "rule",
        action=tag_of(step.event.body),
        card=None,
        suit=None,
        trick=None,
        place=None,
        led=None,
        took=None,
        meld=None,
        value=None,
        opening=None,
        stock=None,
        cards=len(sight.hand(step.after, seat)),
    )
    return replace(row, **dict(_details(step)))


def turn_of(round_: Round, step: Step) -> int:
    """The how-manieth turn of its round a decision belongs to, from 1."""
    return before(step).turns - round_.steps[0].after.turns + 1


def _details(step: Step) -> Iterator[tuple[str, Any]]:
    """What only this kind of decision has, by column."""
    match step.event.body:
        case TrumpChosen(suit=suit):
            yield "suit", suit
        case CardPlayed(card=card) | CardDiscarded(card=card) | FireTaken(card=card):
            yield "card", card
        case CardDrawn(stock=stock):
            yield "card", _drawn(step)
            yield "stock", stock
        case MeldsLaid() as laid:
            yield "meld", laid.first_id
            yield "value", laid.value
            yield "opening", laid.opening
        case CardLaidOff(card=card, meld=meld) | JokerSwapped(card=card, meld=meld):
            yield "card", card
            yield "meld", meld
        case _:
            raise AssertionError(step.event)


def _drawn(step: Step) -> Card:
    """The card that came from the stock: its line does not say it, the revealed pack does."""
    (card,) = sight.cards_dealt(before(step), step.event.body, step.after, seat_of(step))
    return card
