"""What each seat was dealt."""

from collections.abc import Iterator

from schemas.cards import Card
from schemas.events import FiveDealt, HandDealt, HandRound, RestDealt, RoundEnded
from schemas.ids import Seat
from services.analytics.story import Round, Step, holder, unit_of
from services.analytics.tables import DealRow
from services.rules import sight
from services.rules.hokm.deal import FIRST_PACKET


def deal_step(round_: Round) -> Step:
    """Where every hand of the round is whole: in Hokm once the rest is dealt."""
    return next(s for s in round_.steps if isinstance(s.event.body, (RestDealt, HandDealt)))


def starter(round_: Round) -> Seat:
    """The seat that begins: the hakem, or the dealer's neighbour."""
    for step in round_.steps:
        match step.event.body:
            case FiveDealt(hakem=hakem):
                return hakem
            case HandDealt():
                seat = sight.turn(step.after)
                assert seat is not None
                return seat
            case _:
                pass
    raise AssertionError("a round is dealt")


def deal_rows(round_: Round) -> Iterator[DealRow]:
    step, first = deal_step(round_), starter(round_)
    state, left = step.after, _left(round_)
    for seat in range(len(state.chairs)):
        who, cards = holder(state, seat), sight.hand(state, seat)
        yield DealRow(
            match=step.event.match,
            round=round_.number,
            seat=seat,
            unit=unit_of(state.opened.options, seat),
            player=who.player,
            held=who.held,
            level=who.level,
            starter=seat == first,
            cards=cards,
            first_five=cards[:FIRST_PACKET] if left is None else None,
            cards_left=None if left is None else left[seat],
        )


def _left(round_: Round) -> tuple[tuple[Card, ...], ...] | None:
    """What each seat still held, None in Hokm."""
    bodies = (step.event.body for step in round_.steps)
    result = next(body.result for body in bodies if isinstance(body, RoundEnded))
    return result.left if isinstance(result, HandRound) else None
