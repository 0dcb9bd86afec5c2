"""Hokm's state, a fold of the match's facts, and the table that it is played at."""

from typing import Final, Literal

from msgspec import Struct

from schemas.cards import HokmCard, Suit
from schemas.commands import HokmOptions
from schemas.ids import Seat
from schemas.views import Play

SEATS: Final = 4
Side = Literal[0, 1]
SIDES: Final[tuple[Side, Side]] = (0, 1)
TRICKS_TO_WIN: Final = 7
"""A side that has this many of the 13 tricks has won the round (H15)."""

Step = Literal[
    "start",
    "draw_seat",
    "turn_up",
    "shuffle",
    "deal",
    "name_trump",
    "deal_rest",
    "play",
    "take_trick",
    "end_round",
    "score",
    "end_match",
    "over",
]
"""What comes next. The game waits for a seat in `name_trump` and `play`, for the score in `score`,
for the end of the match in `end_match`; from any other step but `over` a fact follows by itself.
"""


class HokmState(Struct, frozen=True, kw_only=True):
    """`round` is 0 before the first deal. `hands`: one a seat, in deal order. `trick`: the one on
    the table, never four cards; `earlier`: the round's others. `tricks`, `score`: per side.
    `pack`: what is shuffled and not dealt yet, top first. `first`: the seat that gets the first
    card of the ace draw (H6). `winner`: a side, once the match has ended.
    """

    options: HokmOptions
    step: Step = "start"
    round: int = 0
    hakem: Seat = 0
    trump: Suit | None = None
    turn: Seat | None = None
    hands: tuple[tuple[HokmCard, ...], ...] = ((), (), (), ())
    trick: tuple[Play, ...] = ()
    earlier: tuple[tuple[Play, ...], ...] = ()
    tricks: tuple[int, int] = (0, 0)
    score: tuple[int, int] = (0, 0)
    pack: tuple[HokmCard, ...] = ()
    first: Seat = 0
    winner: Side | None = None


def next_seat(seat: Seat) -> Seat:
    """The right-hand neighbour: deal, turns and succession all go his way (H2)."""
    return (seat + 1) % SEATS


def side_of(seat: Seat) -> Side:
    """Partners sit opposite (H1)."""
    return SIDES[seat % len(SIDES)]


def more(pair: tuple[int, int], side: Side, gain: int) -> tuple[int, int]:
    """`pair`, one number a side, with `gain` more for `side`."""
    first, second = pair
    return (first + gain, second) if side == 0 else (first, second + gain)
