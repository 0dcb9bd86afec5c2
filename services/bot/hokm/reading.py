"""What a seat on turn can tell from its view: what is unseen and who may hold it.

Tip 1, "count trumps", is this page. A seat is out of a suit once it did not follow it, or once
all thirteen are accounted for.
"""

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from schemas.cards import HOKM_PACK, SUITS, HokmCard, Suit
from schemas.ids import Seat
from schemas.views import HokmView, Play
from services.rules.hokm.state import SEATS, TRICKS_TO_WIN, next_seat, side_of
from services.rules.tricks import SUIT_OF, winner

Cards = tuple[HokmCard, ...]
"""In the order of the new pack: S H D C, and in a suit the lowest first."""

_PLACE: Final = {card: place for place, card in enumerate(HOKM_PACK)}


class Reading(Struct, frozen=True, kw_only=True):
    """The position as `me` knows it.

    `unseen`: what the other three hold between them. `out_of`: by seat, the suits of which it is
    known to hold none. `led`, `best`: the suit of the trick's first card and the play that holds
    the trick, None on lead. `to_come`: the opponents who play after me in this trick, and
    `partner_to_come` whether my partner does. `ours`, `theirs`: tricks taken.
    `partners_suit`: the suit of the first card that my partner led in this round.
    """

    me: Seat
    trump: Suit
    hand: Cards
    playable: Cards
    unseen: Cards
    out_of: tuple[frozenset[Suit], ...]
    led: Suit | None
    best: Play | None
    to_come: tuple[Seat, ...]
    partner_to_come: bool
    ours: int
    theirs: int
    hakems_side: bool
    partners_suit: Suit | None


def read(view: HokmView) -> Reading:
    """The reading of a view whose seat has a card to play."""
    assert view.seat is not None
    assert view.trump is not None
    me, side = view.seat, side_of(view.seat)
    unseen = _unseen(view)
    after = _after(me, len(view.trick))
    return Reading(
        me=me,
        trump=view.trump,
        hand=_in_order(view.hand),
        playable=_in_order(view.playable),
        unseen=unseen,
        out_of=_out_of(view, unseen),
        led=SUIT_OF[view.trick[0].card] if view.trick else None,
        best=winner(view.trick, view.trump) if view.trick else None,
        to_come=tuple(seat for seat in after if side_of(seat) != side),
        partner_to_come=partner_of(me) in after,
        ours=view.tricks[side],
        theirs=view.tricks[1 - side],
        hakems_side=side_of(view.hakem) == side,
        partners_suit=_first_led(view, partner_of(me)),
    )


def partner_of(seat: Seat) -> Seat:
    return next_seat(next_seat(seat))


def opponents_of(seat: Seat) -> tuple[Seat, Seat]:
    return next_seat(seat), next_seat(partner_of(seat))


# The round so far -----------------------------------------------------------------------------


def _in_order(cards: Iterable[HokmCard]) -> Cards:
    return tuple(sorted(cards, key=_PLACE.__getitem__))


def _after(me: Seat, played: int) -> tuple[Seat, ...]:
    return tuple((me + step) % SEATS for step in range(1, SEATS - played))


def _unseen(view: HokmView) -> Cards:
    seen = {play.card for trick in (*view.earlier, view.trick) for play in trick}
    seen.update(view.hand)
    return tuple(card for card in HOKM_PACK if card not in seen)


def _out_of(view: HokmView, unseen: Cards) -> tuple[frozenset[Suit], ...]:
    gone = frozenset(SUITS) - {SUIT_OF[card] for card in unseen}
    shown = [set(gone) for _ in range(SEATS)]
    for trick in (*view.earlier, view.trick):
        for play in trick:
            if SUIT_OF[play.card] != SUIT_OF[trick[0].card]:
                shown[play.seat].add(SUIT_OF[trick[0].card])
    assert view.seat is not None
    shown[view.seat] = set(SUITS) - {SUIT_OF[card] for card in view.hand}
    return tuple(frozenset(suits) for suits in shown)


def _first_led(view: HokmView, seat: Seat) -> Suit | None:
    leads = (trick[0] for trick in view.earlier)
    return next((SUIT_OF[lead.card] for lead in leads if lead.seat == seat), None)


def decisive(reading: Reading) -> bool:
    """True if this trick makes seven for the side that takes it, mine or theirs (H15)."""
    return TRICKS_TO_WIN - 1 in (reading.ours, reading.theirs)


def first_for_hakem(reading: Reading) -> bool:
    """True if this trick would save the hakem's side, mine, from the dearest loss (tip 7)."""
    return reading.hakems_side and reading.ours == 0


# Who may hold what ----------------------------------------------------------------------------


def may_hold(reading: Reading, seat: Seat, suit: Suit) -> bool:
    return suit not in reading.out_of[seat]


def opponents_may_hold(reading: Reading, suit: Suit) -> bool:
    return any(may_hold(reading, seat, suit) for seat in opponents_of(reading.me))


def ruffs(reading: Reading, seat: Seat, suit: Suit) -> bool:
    """True if `seat` is known to be out of the side suit `suit` and may hold a trump."""
    return (
        suit != reading.trump
        and not may_hold(reading, seat, suit)
        and may_hold(reading, seat, reading.trump)
    )


def known_ruff(reading: Reading, suit: Suit) -> bool:
    """True if an opponent ruffs a lead of `suit`, as far as is known."""
    return any(ruffs(reading, seat, suit) for seat in opponents_of(reading.me))
