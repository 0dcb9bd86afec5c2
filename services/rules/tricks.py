"""One trick: who must follow and which card takes it (H4, H13, H14). Cards and plays, no state."""

from collections.abc import Mapping
from typing import Final

from schemas.cards import RANKS, SUITS, HokmCard, Suit
from schemas.views import Play

SUIT_OF: Final[Mapping[HokmCard, Suit]] = {rank + suit: suit for suit in SUITS for rank in RANKS}
STRENGTH: Final[Mapping[HokmCard, int]] = {
    rank + suit: RANKS.index(rank) for suit in SUITS for rank in RANKS
}
"""0 for a two to 12 for an ace. It orders the cards of one suit, never cards of two (H4)."""


def following(cards: tuple[HokmCard, ...], led: Suit | None) -> tuple[HokmCard, ...]:
    """Those of `cards` that may be played on `led`, None meaning that they lead (H12, H13)."""
    if led is None:
        return cards
    return tuple(card for card in cards if SUIT_OF[card] == led) or cards


def beats(card: HokmCard, best: HokmCard, trump: Suit) -> bool:
    """True if `card`, played after `best`, takes the trick from it (H14)."""
    if SUIT_OF[card] == SUIT_OF[best]:
        return STRENGTH[card] > STRENGTH[best]
    return SUIT_OF[card] == trump


def winner(trick: tuple[Play, ...], trump: Suit) -> Play:
    """The play that takes `trick`, or would if no card followed; the trick holds one at least."""
    best = trick[0]
    for play in trick[1:]:
        if beats(play.card, best.card, trump):
            best = play
    return best
