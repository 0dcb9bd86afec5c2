"""Cards as a person types them and as they are shown in a row."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from schemas.cards import RANKS, SUITS, Card, Suit

MARKS: Final = {"♠": "S", "♥": "H", "♦": "D", "♣": "C", "♤": "S", "♡": "H", "♢": "D", "♧": "C"}
JOKER: Final = "JK"
_RANK_FIRST: Final = re.compile(r"(10|[2-9TJQKA])([SHDC])([12]?)")
_SUIT_FIRST: Final = re.compile(r"([SHDC])(10|[2-9TJQKA])()")
_JOKER: Final = re.compile(r"(?:JK|JOKER|\*)([12]?)")


def typed_card(word: str) -> Card | None:
    """The card that `word` means, as on the wire; without its copy where none was typed: `7h`,
    `10S`, `s10`, `9♥2`, `joker`. None if it is no card.
    """
    word = "".join(MARKS.get(letter, letter) for letter in word.upper().replace("\ufe0f", ""))
    if joker := _JOKER.fullmatch(word):
        return JOKER + joker[1]
    if found := _RANK_FIRST.fullmatch(word):
        return found[1].replace("10", "T") + found[2] + found[3]
    if found := _SUIT_FIRST.fullmatch(word):
        return found[2].replace("10", "T") + found[1]
    return None


def typed_suit(word: str) -> Suit | None:
    word = MARKS.get(word.replace("\ufe0f", ""), word.upper())
    return next((suit for suit in SUITS if suit == word), None)


def by_suit(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Spades, hearts, diamonds, clubs, in each the lowest first; jokers come last."""
    return tuple(sorted(cards, key=_suit_place))


def by_rank(cards: Iterable[Card]) -> tuple[Card, ...]:
    """The lowest first; jokers come last."""
    return tuple(sorted(cards, key=_rank_place))


def in_groups(cards: Sequence[Card]) -> str:
    """Cards in a row, a wider space where another suit begins: `3S QS   TH`."""
    parts = [
        ("   " if at and _suit(card) != _suit(cards[at - 1]) else " " if at else "") + card
        for at, card in enumerate(cards)
    ]
    return "".join(parts)


def _suit(card: Card) -> str:
    return JOKER if card.startswith(JOKER) else card[1]


def _suit_place(card: Card) -> tuple[int, int, str]:
    suit = _suit(card)
    return (len(SUITS), 0, card) if suit == JOKER else (SUITS.index(suit), _rank(card), card)


def _rank_place(card: Card) -> tuple[int, int, str]:
    suit = _suit(card)
    return (len(RANKS), 0, card) if suit == JOKER else (_rank(card), SUITS.index(suit), card)


def _rank(card: Card) -> int:
    return RANKS.index(card[0])
