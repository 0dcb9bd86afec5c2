"""Hand's table as text."""

from collections.abc import Iterator
from typing import Final

from schemas.cards import HandCard
from schemas.ids import Seat
from schemas.views import HandView
from services.replay.deductions.hand import HandDeduced, TakenCard
from services.replay.looks import Look
from services.replay.pages.layout import (
    BLANK,
    NONE,
    Line,
    by_seat,
    by_suit,
    columns,
    in_order,
    labelled,
    seats,
)
from services.rules.hand.state import in_sides

FIRE_CARDS: Final = 12
"""The top cards of the fire that are shown."""
PHASES: Final = {
    "discard_first": "the starter, {}, is to throw",
    "draw": "{} is to draw",
    "act": "{} is to lay or to throw",
    "scoring": "the round is over",
    "match_over": "the match is over",
}
"""With the seat whose turn it is."""


def lines(look: Look, view: HandView) -> list[Line]:
    """The hands that the viewer may see first, for the table may be long; what it could tell."""
    deduced = look.deduced
    return [
        Line(_heading(view)),
        *seats(look, view.turn, view.left, [_note(view, seat) for seat in range(len(view.left))]),
        BLANK,
        labelled("fire", _fire(view)),
        labelled("duties", _duties(view)),
        labelled("stock", f"{view.stock} cards   reshuffles {view.reshuffles}"),
        labelled("totals", _totals(view)),
        labelled("dealer", f"seat {view.dealer}   bar {view.bar}"),
        labelled("melds", "" if not view.melds else "id, owner, kind, cards"),
        *columns(_melds(view)),
        *(_deduced(view, deduced) if isinstance(deduced, HandDeduced) else ()),
    ]


def _heading(view: HandView) -> str:
    options, phase = view.options, PHASES[view.phase].format(f"seat {view.turn}")
    return f"Hand ({options.variant}), round {view.round} of {options.rounds}: {phase}"


def _totals(view: HandView) -> str:
    unit = "side" if in_sides(view.options) else "seat"
    totals = (f"{unit} {number}: {total}" for number, total in enumerate(view.totals))
    won = () if view.winner is None else (f"{unit} {view.winner} has won",)
    return "   ".join((*totals, *won))


def _fire(view: HandView) -> str:
    """The top card last."""
    top = view.fire[-FIRE_CARDS:]
    more = f"{len(view.fire) - len(top)} more, " if len(view.fire) > len(top) else ""
    return f"{more}{in_order(top)}" + (" (on top)" if top else "")


def _duties(view: HandView) -> str:
    who = f"seat {view.turn}"
    duties = [
        f"{who} owes an opening" if view.must_open else "",
        f"{who} must place {in_order(view.must_place)}" if view.must_place else "",
        f"{who} may not throw {view.taken}" if view.taken else "",
        f"drawn: {view.drawn}" if view.drawn else "",
    ]
    return "   ".join(filter(None, duties))


def _melds(view: HandView) -> Iterator[tuple[str, ...]]:
    for meld in view.melds:
        yield f"{meld.id:>4}", f"seat {meld.owner}", meld.kind, in_order(meld.cards)


def _note(view: HandView, seat: Seat) -> str:
    words = ["opened" if view.opened[seat] else "not opened"]
    if seat == view.seat:
        words.append("you")
    return " ".join(words)


# What could be told ---------------------------------------------------------------------------


def _deduced(view: HandView, deduced: HandDeduced) -> Iterator[Line]:
    yield BLANK
    who = "Anybody" if view.seat is None else f"Seat {view.seat}"
    yield Line(f"{who} could tell: {len(deduced.unseen)} cards are unseen")
    others = [seat for seat in range(len(view.left)) if seat != view.seat]
    for seat in others:
        yield labelled(f"seat {seat} holds", _sure(deduced.held[seat]))
        yield labelled("  threw", in_order(deduced.thrown[seat]))
        yield labelled("  took", _took(deduced, seat))
    costs = [f"{cost.least}-{cost.most}" for cost in deduced.deadwood]
    yield labelled("deadwood", by_seat(costs))
    yield from _unseen(deduced)


def _sure(cards: tuple[HandCard, ...]) -> str:
    return by_suit(cards) if cards else "nothing that is known"


def _took(deduced: HandDeduced, seat: Seat) -> str:
    return ", ".join(_taken(one) for one in deduced.taken if one.taken_by == seat) or NONE


def _taken(one: TakenCard) -> str:
    return f"{one.card} of seat {one.thrown_by} ({one.since})"


def _unseen(deduced: HandDeduced) -> Iterator[Line]:
    """Where the fire was shuffled, what was in it apart from what must be in hands."""
    if not deduced.in_hands and not deduced.came_back:
        yield labelled("unseen", by_suit(deduced.unseen))
        return
    yield labelled("in hands", by_suit(deduced.in_hands))
    yield labelled("shuffled", by_suit(deduced.came_back))
