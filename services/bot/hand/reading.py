"""What a seat on turn can tell from its view: where cards are and which of them may still come."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from schemas.cards import HAND_PACK, HandCard
from schemas.ids import Seat
from schemas.views import HandView
from services.rules.hand.ending import Holding, holding_seen
from services.rules.hand.state import low_ace, next_seat, unit_of

Cards = tuple[HandCard, ...]

COPIES: Final = 2
"""Cards of one face: a rank and a suit (N2)."""
_PLACE: Final = {card: place for place, card in enumerate(HAND_PACK)}


class Neighbour(Struct, frozen=True, kw_only=True):
    """The seat that plays next: it alone can take what I throw. It has `left` cards; `shown` are
    those of them that it took from the fire.
    """

    seat: Seat
    opened: bool
    left: int
    shown: Cards


class Reading(Struct, frozen=True, kw_only=True):
    """The position as the seat of `held`, on turn, knows it.

    `held`: what it holds, in the order of the new pack, and the table. `bar`: what its opening
    must be worth, None once it has opened. `low_ace`: the worth of the ace in A-2-3. `fire`: the
    card that may be taken. `rivals_opened`: somebody who is not on the own side has. `gone`: by
    face, the copies that cannot come any more.
    """

    held: Holding
    bar: int | None
    low_ace: int
    fire: HandCard | None
    after: Neighbour
    rivals_opened: bool
    gone: Mapping[str, int]


def read(view: HandView) -> Reading:
    """The reading of a view whose seat is on turn."""
    assert view.seat is not None
    assert view.seat == view.turn
    me, after = view.seat, next_seat(view.options, view.seat)
    shown = _shown(view)
    return Reading(
        held=_held(view),
        bar=None if view.opened[me] else view.bar,
        low_ace=low_ace(view.options),
        fire=view.fire[-1] if view.fire else None,
        after=Neighbour(
            seat=after,
            opened=view.opened[after],
            left=view.left[after],
            shown=tuple(card for card, seat in shown.items() if seat == after),
        ),
        rivals_opened=any(
            opened
            for seat, opened in enumerate(view.opened)
            if unit_of(view.options, seat) != unit_of(view.options, me)
        ),
        gone=_gone(view, shown),
    )


def _held(view: HandView) -> Holding:
    return replace(holding_seen(view), hand=tuple(sorted(view.hand, key=_PLACE.__getitem__)))


def _shown(view: HandView) -> Mapping[HandCard, Seat]:
    """The cards that everybody knows to be in another's hand, and in whose: taken from the fire,
    and since then neither laid nor thrown (N28).
    """
    takers = {toss.card: toss.taken_by for toss in view.tosses}
    elsewhere = {*view.hand, *(card for meld in view.melds for card in meld.cards)}
    return {
        card: seat for card, seat in takers.items() if seat is not None and card not in elsewhere
    }


def _gone(view: HandView, shown: Iterable[HandCard]) -> Mapping[str, int]:
    """Mine, on the table, in the fire or shown in another's hand. What a reshuffle took out of the
    fire may come again.
    """
    laid = (meld.cards for meld in view.melds)
    return Counter(card[:2] for cards in (view.hand, view.fire, *laid, shown) for card in cards)


def live(reading: Reading, face: str) -> int:
    """Copies of `face` that may still be drawn or thrown by another."""
    return COPIES - reading.gone.get(face, 0)
