"""Hand: who took and threw what, what a hand must hold, what no hidden card can be."""

from collections.abc import Iterator, Mapping
from typing import Final, Literal

from msgspec import Struct

from schemas.cards import HAND_PACK, HandCard
from schemas.ids import Seat
from schemas.views import HandView, Toss
from services.replay.deductions.bounds import Bounds
from services.rules.melds import held_value

Cards = tuple[HandCard, ...]

_PLACE: Final = {card: place for place, card in enumerate(HAND_PACK)}


class TakenCard(Struct, frozen=True, kw_only=True):
    """A card of the fire that was taken, and what became of it: still `held` by who took it,
    `placed` on the table, or `thrown` again.
    """

    card: HandCard
    thrown_by: Seat
    taken_by: Seat
    since: Literal["held", "placed", "thrown"]


class HandDeduced(Struct, frozen=True, kw_only=True, tag_field="game", tag="hand"):
    """Of this round. By seat: `thrown` in order; `held`: cards that its hand is known to hold (of
    the viewer's own all); `deadwood`: what its cards would cost (N41). Else in the order of the new
    pack: `unseen` are in the stock or hidden in another's hand; `impossible` can be neither: they
    are the viewer's own, on the table or in the fire. After a reshuffle of the fire the unseen
    part: `came_back` went into a new stock, `in_hands` never lay in the fire and so were in no
    stock since: others hold them.
    """

    thrown: tuple[Cards, ...]
    taken: tuple[TakenCard, ...]
    held: tuple[Cards, ...]
    unseen: Cards
    impossible: Cards
    came_back: Cards
    in_hands: Cards
    deadwood: tuple[Bounds, ...]


def deduced(view: HandView) -> HandDeduced:
    """What follows from `view`."""
    seats = range(len(view.left))
    unseen = _unseen(view)
    thrown = {toss.card for toss in view.tosses}
    again = view.reshuffles > 0
    return HandDeduced(
        thrown=tuple(_thrown(view, seat) for seat in seats),
        taken=tuple(_taken(view)),
        held=tuple(_held(view, seat) for seat in seats),
        unseen=unseen,
        impossible=_in_order({*view.hand, *_on_table(view), *view.fire}),
        came_back=tuple(card for card in unseen if again and card in thrown),
        in_hands=tuple(card for card in unseen if again and card not in thrown),
        deadwood=tuple(_deadwood(view, seat, unseen) for seat in seats),
    )


def _thrown(view: HandView, seat: Seat) -> Cards:
    return tuple(toss.card for toss in view.tosses if toss.seat == seat)


def _taken(view: HandView) -> Iterator[TakenCard]:
    latest = _latest(view)
    for toss in view.tosses:
        if toss.taken_by is not None:
            yield TakenCard(
                card=toss.card,
                thrown_by=toss.seat,
                taken_by=toss.taken_by,
                since=_since(view, toss) if latest[toss.card] is toss else "thrown",
            )


def _since(view: HandView, toss: Toss) -> Literal["held", "placed"]:
    """What became of a card that was taken and not thrown since.

    A joker that was placed and is free again is with who swapped it until it is placed (N22).
    """
    freed = toss.card in view.must_place and toss.taken_by != view.turn
    return "placed" if freed or toss.card in _on_table(view) else "held"


def _held(view: HandView, seat: Seat) -> Cards:
    """The cards that `seat` is known to hold: those it took, and the jokers that it freed."""
    if seat == view.seat:
        return _in_order(set(view.hand))
    took = {one.card for one in _taken(view) if one.taken_by == seat and one.since == "held"}
    freed = view.must_place if seat == view.turn else ()
    return _in_order(took | set(freed))


def _unseen(view: HandView) -> Cards:
    held = {card for seat in range(len(view.left)) for card in _held(view, seat)}
    seen = held | _on_table(view) | set(view.fire)
    return tuple(card for card in HAND_PACK if card not in seen)


def _deadwood(view: HandView, seat: Seat, unseen: Cards) -> Bounds:
    """From the cards that are known and the cheapest and dearest that the others can be."""
    known = _held(view, seat)
    hidden, sure = view.left[seat] - len(known), sum(map(held_value, known))
    values = sorted(map(held_value, unseen))
    return Bounds(sure + sum(values[:hidden]), sure + sum(values[len(values) - hidden :]))


def _latest(view: HandView) -> Mapping[HandCard, Toss]:
    """The last time that each card was thrown."""
    return {toss.card: toss for toss in view.tosses}


def _on_table(view: HandView) -> set[HandCard]:
    return {card for meld in view.melds for card in meld.cards}


def _in_order(cards: set[HandCard]) -> Cards:
    return tuple(sorted(cards, key=_PLACE.__getitem__))
