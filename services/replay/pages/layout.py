"""Cards and seats in columns of plain text."""

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from schemas.cards import RANKS, SUITS, Card
from schemas.ids import Seat
from services.replay.looks import Look

WIDTH: Final = 98
"""Columns of the widest line: beside a scroll bar it fits into a terminal of a hundred."""
LABEL: Final = 13
"""Columns of the word that a line begins with."""
MARKS: Final[Mapping[str, str]] = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
"""Beside the codes of the wire, by which a text can be searched."""
JOKERS: Final = "JK"
NONE: Final = "-"
TIED: Final = "\u00a0"
"""Between a suit and its first card: no line ends there. It is a plain blank on the page."""


def labelled(label: str, text: str) -> list[str]:
    """A line that begins with `label`, continued under its text where it is too long."""
    head, rest = f"{label:<{LABEL}}", " " * LABEL
    return _wrapped(head + (text or NONE), rest)


def _wrapped(line: str, indent: str) -> list[str]:
    found = textwrap.wrap(line, WIDTH, subsequent_indent=indent, break_on_hyphens=False)
    return [each.replace(TIED, " ") for each in found]


def by_suit(cards: Iterable[Card]) -> str:
    """Cards by suit for a wrapped line, the lowest first: `♠ 3S QS  ♥ TH`; jokers come last."""
    held = sorted(cards, key=_place)
    groups = (
        f"{MARKS.get(suit, '')}{TIED}{' '.join(some)}".strip()
        for suit in (*SUITS, JOKERS)
        if (some := [card for card in held if _suit(card) == suit])
    )
    return "  ".join(groups) or NONE


def in_order(cards: Iterable[Card]) -> str:
    return " ".join(cards) or NONE


def by_seat(words: Sequence[str]) -> str:
    """A word a seat."""
    return "   ".join(f"seat {seat}: {word}" for seat, word in enumerate(words))


def _suit(card: Card) -> str:
    return JOKERS if card.startswith(JOKERS) else card[1]


def _place(card: Card) -> tuple[int, str]:
    """Its rank, then its copy; a joker's number."""
    return (0, card) if _suit(card) == JOKERS else (RANKS.index(card[0]), card[2:])


def seats(look: Look, turn: Seat | None, left: Sequence[int], notes: Sequence[str]) -> list[str]:
    """A line a seat: whose turn it is, what is to be said of it, who plays it, its cards."""
    width = max(map(len, notes))
    plays = ["house" if one.control == "house" else "" for one in look.sitting]
    return [
        line.rstrip()
        for seat, note in enumerate(notes)
        for line in _wrapped(
            f"{'>' if seat == turn else ' '} seat {seat}  {note:<{width}}  {plays[seat]:<5}"
            f"  {left[seat]:>2}  {_hand(look.hands[seat], left[seat])}",
            " " * (width + 21),
        )
    ]


def _hand(hand: tuple[Card, ...] | None, left: int) -> str:
    return "hidden" if hand is None and left else by_suit(hand or ())


def columns(rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Rows of words under each other, two blanks between; the last column is as long as it is."""
    listed = [*rows]
    widths = [max(map(len, column)) for column in zip(*listed, strict=True)][:-1]
    for row in listed:
        words = [f"{word:<{width}}" for word, width in zip(row[:-1], widths, strict=True)]
        yield "  ".join((*words, row[-1])).rstrip()
