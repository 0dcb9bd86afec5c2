"""Hokm: voids shown, cards gone, trumps out, sure winners, and how the rest can lie."""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from schemas.cards import HOKM_PACK, SUITS, HokmCard, Suit
from schemas.ids import Seat
from schemas.views import HokmView, Play
from services.replay.deductions.bounds import Bounds, Holder, bounds
from services.rules.hokm.state import SEATS
from services.rules.tricks import STRENGTH, SUIT_OF

Cards = tuple[HokmCard, ...]
"""The lowest first."""

_PACK: Final = len(HOKM_PACK)


class SuitDeduced(Struct, frozen=True, kw_only=True):
    """`played` in this round; `unseen`: hidden from the viewer; `highest`: what is left of the suit
    begins with it, whoever holds it; `masters`: cards of the viewer's own that no hidden card of
    the suit beats; `held`: by seat, how many of the suit it holds.
    """

    suit: Suit
    played: Cards
    unseen: Cards
    highest: HokmCard | None
    masters: Cards
    held: tuple[Bounds, ...]


class HokmDeduced(Struct, frozen=True, kw_only=True, tag_field="game", tag="hokm"):
    """`undealt`: cards that nobody holds yet; `trumps_unseen` is null until trump is named;
    `voids`: by seat, the suits that it did not follow; `suits` in the order S H D C.
    """

    undealt: int
    trumps_unseen: int | None
    voids: tuple[tuple[Suit, ...], ...]
    suits: tuple[SuitDeduced, ...]


def deduced(view: HokmView) -> HokmDeduced:
    """What follows from `view`."""
    suits = tuple(_suit(view, suit) for suit in SUITS)
    trumps = (len(one.unseen) for one in suits if one.suit == view.trump)
    return HokmDeduced(
        undealt=_undealt(view),
        trumps_unseen=next(trumps, None),
        voids=tuple(shown_voids(view, seat) for seat in range(SEATS)),
        suits=suits,
    )


def shown_voids(view: HokmView, seat: Seat) -> tuple[Suit, ...]:
    """The suits that `seat` was seen not to follow in this round (H13)."""
    found = {
        SUIT_OF[trick[0].card]
        for trick in _tricks(view)
        for play in trick
        if play.seat == seat and SUIT_OF[play.card] != SUIT_OF[trick[0].card]
    }
    return tuple(suit for suit in SUITS if suit in found)


def _suit(view: HokmView, suit: Suit) -> SuitDeduced:
    played, unseen = _of(suit, _played(view)), _unseen(view, suit)
    mine = _of(suit, set(view.hand))
    best = max(map(STRENGTH.__getitem__, unseen), default=-1)
    return SuitDeduced(
        suit=suit,
        played=played,
        unseen=unseen,
        highest=next((card for card in reversed(_of(suit)) if card not in played), None),
        masters=tuple(card for card in mine if STRENGTH[card] > best),
        held=tuple(_held(view, seat, suit) for seat in range(SEATS)),
    )


# Where the hidden cards can lie ---------------------------------------------------------------


def _held(view: HokmView, seat: Seat, suit: Suit) -> Bounds:
    if _knows(view, seat):
        count = len(_of(suit, set(view.hand)))
        return Bounds(count, count)
    hidden: dict[str, int] = {each: len(_unseen(view, each)) for each in SUITS}
    return bounds(hidden, _holders(view), seat, suit)


def _holders(view: HokmView) -> tuple[Holder, ...]:
    """The four seats and, as a fifth, what is not dealt yet; no hidden card is with a seat whose
    hand the viewer sees.
    """
    seats = (
        Holder(
            cards=0 if _knows(view, seat) else view.left[seat],
            may=frozenset(SUITS) - set(shown_voids(view, seat)),
        )
        for seat in range(SEATS)
    )
    return (*seats, Holder(cards=_undealt(view), may=frozenset(SUITS)))


def _knows(view: HokmView, seat: Seat) -> bool:
    """True if the viewer sees the hand of `seat`: its own, and not before trump is named (H10)."""
    return seat == view.seat and len(view.hand) == view.left[seat]


def _undealt(view: HokmView) -> int:
    return _PACK - sum(view.left) - len(_played(view))


# Cards ----------------------------------------------------------------------------------------


def _tricks(view: HokmView) -> Iterator[tuple[Play, ...]]:
    return (trick for trick in (*view.earlier, view.trick) if trick)


def _played(view: HokmView) -> set[HokmCard]:
    return {play.card for trick in _tricks(view) for play in trick}


def _unseen(view: HokmView, suit: Suit) -> Cards:
    seen = _played(view) | set(view.hand)
    return tuple(card for card in _of(suit) if card not in seen)


def _of(suit: Suit, cards: set[HokmCard] | None = None) -> Cards:
    """Those of `cards` (None: of the pack) that are of `suit`."""
    return tuple(
        card for card in HOKM_PACK if SUIT_OF[card] == suit and (cards is None or card in cards)
    )
