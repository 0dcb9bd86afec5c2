"""Cards and seats in columns of plain text."""

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from schemas.cards import RANKS, SUITS, Card
from schemas.feed import Sitting
from schemas.ids import Seat
from services.replay.looks import Look

WIDTH: Final = 100
"""Columns of the widest line, where nothing narrower is asked for."""
LABEL: Final = 13
"""Columns of the word that a line begins with."""
LEAST: Final = 16
"""Columns that are left for a line that is continued, however far in it would stand."""
HAND: Final = 4
"""Columns before a hand that does not fit beside its seat: one of Hand then fits into eighty."""
MARKS: Final[Mapping[str, str]] = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
"""Beside the codes of the wire, by which a text can be searched."""
JOKERS: Final = "JK"
NONE: Final = "-"
TIED: Final = "\u00a0"
"""Between a suit and its first card: no line ends there. It is a plain blank on the page."""


class Line(Struct, frozen=True):
    """A line that may be too long: `more` then begins the next one, and what is continued stands
    `indent` columns in.
    """

    text: str
    indent: int = 0
    more: str = ""

    def wrapped(self, width: int) -> list[str]:
        """The lines of it that a page of that many columns has."""
        indent = " " * min(self.indent, max(width - LEAST, 0))
        if self.more and len(self.text + self.more) > width:
            under = Line(indent + self.more, self.indent)
            return [*Line(self.text, self.indent).wrapped(width), *under.wrapped(width)]
        found = textwrap.wrap(
            self.text + self.more,
            width,
            subsequent_indent=indent,
            break_on_hyphens=False,
        )
        return [each.replace(TIED, " ").rstrip() for each in found or [""]]


BLANK: Final = Line("")


def labelled(label: str, text: str) -> Line:
    """A line that begins with `label`, continued under its text."""
    return Line(f"{label:<{LABEL}}{text or NONE}", LABEL)


def by_suit(cards: Iterable[Card]) -> str:
    """Cards by suit for a wrapped line, the highest first: `♠ QS 3S  ♥ TH`; jokers come last."""
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
    """The higher rank before the lower, then its copy; a joker's number."""
    return (0, card) if _suit(card) == JOKERS else (-RANKS.index(card[0]), card[2:])


def plays(one: Sitting) -> str:
    """Who plays a seat: a player by his id, or the house, maybe for him."""
    if one.control == "house":
        return f"house for {one.player}" if one.player else f"house ({one.level})"
    return one.player or "free"


def seats(look: Look, turn: Seat | None, left: Sequence[int], notes: Sequence[str]) -> list[Line]:
    """A line a seat: whose turn it is, what is to be said of it, who plays it, its cards."""
    names = [plays(one) for one in look.sitting]
    width, wide = max(map(len, notes)), max(map(len, names))
    return [
        Line(
            f"{'>' if seat == turn else ' '} seat {seat}  {note:<{width}}  {names[seat]:<{wide}}"
            f"  {left[seat]:>2}  ",
            HAND,
            _hand(look.hands[seat], left[seat]),
        )
        for seat, note in enumerate(notes)
    ]


def _hand(hand: tuple[Card, ...] | None, left: int) -> str:
    return "hidden" if hand is None and left else by_suit(hand or ())


def columns(rows: Iterable[Sequence[str]]) -> Iterator[Line]:
    """Rows of words under each other, two blanks between; the last column is continued in it."""
    listed = [*rows]
    widths = [max(map(len, column)) for column in zip(*listed, strict=True)][:-1]
    indent = sum(widths) + 2 * len(widths)
    for row in listed:
        words = [f"{word:<{width}}" for word, width in zip(row[:-1], widths, strict=True)]
        yield Line("  ".join((*words, row[-1])), indent)
