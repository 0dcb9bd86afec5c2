"""Hokm's table as text."""

from collections.abc import Iterator, Sequence
from typing import Final

from schemas.cards import Suit
from schemas.ids import Seat
from schemas.views import HokmView, Play
from services.replay.deductions.hokm import HokmDeduced, SuitDeduced
from services.replay.looks import Look
from services.replay.pages.layout import (
    BLANK,
    MARKS,
    NONE,
    Line,
    columns,
    in_order,
    labelled,
    seats,
)
from services.rules.hokm.state import SEATS, side_of
from services.rules.tricks import winner

PHASES: Final = {
    "choosing_trump": "the hakem, {}, names trump",
    "playing": "{} is to play",
    "scoring": "the round is over",
    "match_over": "the match is over",
}
"""With the seat whose turn it is."""


def lines(look: Look, view: HokmView) -> list[Line]:
    """The table, the hands that the viewer may see, what it could tell."""
    deduced = look.deduced
    return [
        Line(f"Hokm, round {view.round}: {PHASES[view.phase].format(f'seat {view.turn}')}"),
        labelled("score", _score(view)),
        labelled("trump", _suit(view.trump)),
        labelled("on the table", _trick(view.trick)),
        labelled("last trick", _last_trick(view)),
        BLANK,
        *seats(look, view.turn, view.left, [_note(view, seat) for seat in range(SEATS)]),
        *(_deduced(view, deduced) if isinstance(deduced, HokmDeduced) else ()),
    ]


def _score(view: HokmView) -> str:
    ours, theirs = view.score
    won = "" if view.winner is None else f", side {view.winner} has won"
    tricks = f"tricks {view.tricks[0]}:{view.tricks[1]}"
    return f"{ours}:{theirs} of {view.options.target}{won}   {tricks}"


def _suit(suit: Suit | None) -> str:
    return NONE if suit is None else f"{MARKS[suit]} {suit}"


def _trick(trick: Sequence[Play]) -> str:
    return "   ".join(f"seat {play.seat}: {play.card}" for play in trick)


def _last_trick(view: HokmView) -> str:
    if not view.earlier:
        return NONE
    assert view.trump is not None
    last = view.earlier[-1]
    return f"{_trick(last)}   to seat {winner(last, view.trump).seat}"


def _note(view: HokmView, seat: Seat) -> str:
    words = [f"side {side_of(seat)}"]
    if seat == view.hakem:
        words.append("hakem")
    if seat == view.seat:
        words.append("you")
    return " ".join(words)


# What could be told ---------------------------------------------------------------------------


def _deduced(view: HokmView, deduced: HokmDeduced) -> Iterator[Line]:
    yield BLANK
    yield Line(_heading(view, deduced))
    held = (f"seat {seat}" for seat in range(SEATS))
    head = ("suit", "left", "highest", "masters", *held, "unseen")
    yield from columns([head, *(_row(deduced, one) for one in deduced.suits)])


def _heading(view: HokmView, deduced: HokmDeduced) -> str:
    who = "Anybody" if view.seat is None else f"Seat {view.seat}"
    trumps = deduced.trumps_unseen
    out = "" if trumps is None else f", {trumps} of them trumps"
    unseen = sum(len(one.unseen) for one in deduced.suits)
    where = f" ({deduced.undealt} are not dealt yet)" if deduced.undealt else ""
    return f"{who} could tell: {unseen} cards are unseen{out}{where}"


def _row(deduced: HokmDeduced, one: SuitDeduced) -> tuple[str, ...]:
    return (
        f"{MARKS[one.suit]} {one.suit}",
        str(13 - len(one.played)),
        one.highest or NONE,
        str(len(one.masters)),
        *(_holds(deduced, one, seat) for seat in range(SEATS)),
        in_order(reversed(one.unseen)),
    )


def _holds(deduced: HokmDeduced, one: SuitDeduced, seat: Seat) -> str:
    """How many cards of a suit a seat holds: `2`, `0-3`, or `void` where it showed that."""
    if one.suit in deduced.voids[seat]:
        return "void"
    held = one.held[seat]
    return str(held.least) if held.least == held.most else f"{held.least}-{held.most}"
