"""Cards as bits, for the many rounds that a search plays out: 13 bits a suit, in the order S H D C,
the two lowest. A card's number is the place of its bit, a set of cards is an int.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from schemas.cards import HOKM_PACK, RANKS, SUITS, HokmCard

Number = int
"""A card, 0 to 51: its place in the new pack."""
Cards = int
"""A set of cards, a bit each."""

NUMBER_OF: Final[Mapping[HokmCard, Number]] = {card: at for at, card in enumerate(HOKM_PACK)}
PACK: Final[Cards] = (1 << len(HOKM_PACK)) - 1
SUIT_OF: Final = tuple(at // len(RANKS) for at in range(len(HOKM_PACK)))
"""The suit of a card, 0 to 3."""
RANK_OF: Final = tuple(at % len(RANKS) for at in range(len(HOKM_PACK)))
"""0 for a two to 12 for an ace."""
BIT: Final = tuple(1 << at for at in range(len(HOKM_PACK)))
SUIT: Final = tuple(((1 << len(RANKS)) - 1) << (len(RANKS) * suit) for suit in range(len(SUITS)))
"""All the cards of a suit."""
ABOVE: Final = tuple(
    SUIT[at // len(RANKS)] & ~((1 << (at + 1)) - 1) for at in range(len(HOKM_PACK))
)
"""The higher cards of a card's suit."""


def cards_of(names: Iterable[HokmCard]) -> Cards:
    return sum(BIT[NUMBER_OF[name]] for name in names)


def name_of(card: Number) -> HokmCard:
    return HOKM_PACK[card]


def numbers(cards: Cards) -> Iterator[Number]:
    """The cards of a set, the lowest number first."""
    while cards:
        low = cards & -cards
        yield low.bit_length() - 1
        cards ^= low


def lowest(cards: Cards) -> Number:
    """The lowest number; of one suit the lowest card."""
    return (cards & -cards).bit_length() - 1


def highest(cards: Cards) -> Number:
    """The highest number; of one suit the highest card."""
    return cards.bit_length() - 1
