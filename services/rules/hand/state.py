"""Hand's state, a fold of the match's facts, and the table that it is played at."""

from typing import Final, Literal

from msgspec import Struct

from schemas.cards import HandCard
from schemas.commands import HandOptions
from schemas.events import HandRound
from schemas.ids import Seat
from schemas.views import Meld, Toss
from services.rules.melds import ACE

BAR: Final = 51
"""What the first opening of a round must be worth (N14, N16)."""
SIDES: Final = 2
LOW_ACE: Final = 1
"""The ace in a run that starts A-2-3 in both Saudi variants."""

Step = Literal[
    "shuffle",
    "draw_dealer",
    "deal",
    "discard_first",
    "draw",
    "act",
    "reshuffle",
    "end_round",
    "score",
    "end_match",
    "over",
]
"""What comes next. The game waits for a seat in `discard_first`, `draw` and `act`, for the score in
`score`, for the end of the match in `end_match`; from any other step but `over` a fact follows by
itself.
"""


class Turn(Struct, frozen=True, kw_only=True):
    """What the seat on turn has done in its turn. `drawn`: from the stock; `taken`: from the fire;
    `must_place`: jokers freed and not placed again, in the order freed; `placed`: anything on the
    table; `abroad`: laid off or swapped on a meld that is not its own (N26).
    """

    drawn: HandCard | None = None
    taken: HandCard | None = None
    must_place: tuple[HandCard, ...] = ()
    placed: bool = False
    abroad: bool = False


NOTHING_DONE: Final = Turn()


class HandState(Struct, frozen=True, kw_only=True):
    """`round` is 0 before the first deal. By seat: `hands` in the order the cards came, `opened`,
    `placed` (anything on the table in an earlier turn of the round). `pack`: what is shuffled and
    not dealt yet; `stock`: top first; `fire`: bottom first. `tosses`: every discard of the round.
    `finished`: turns of the round. By unit (a seat, in the partnership variants a side): `totals`,
    and `contenders`, who can still win. `voids`: void tie-breaks in a row. `last`: the round that
    ended last.
    """

    options: HandOptions
    step: Step = "shuffle"
    round: int = 0
    dealer: Seat = 0
    turn: Seat | None = None
    hands: tuple[tuple[HandCard, ...], ...] = ()
    pack: tuple[HandCard, ...] = ()
    stock: tuple[HandCard, ...] = ()
    fire: tuple[HandCard, ...] = ()
    tosses: tuple[Toss, ...] = ()
    melds: tuple[Meld, ...] = ()
    opened: tuple[bool, ...] = ()
    placed: tuple[bool, ...] = ()
    bar: int = BAR
    reshuffles: int = 0
    finished: int = 0
    now: Turn = NOTHING_DONE
    totals: tuple[int, ...] = ()
    contenders: tuple[int, ...] = ()
    voids: int = 0
    last: HandRound | None = None
    winner: int | None = None


# The variants ---------------------------------------------------------------------------------


def in_sides(options: HandOptions) -> bool:
    return options.variant in ("partnership", "saudi_partnership")


def is_saudi(options: HandOptions) -> bool:
    return options.variant in ("saudi", "saudi_partnership")


def units(options: HandOptions) -> int:
    """How many are scored: seats, or two sides."""
    return SIDES if in_sides(options) else options.seats


def unit_of(options: HandOptions, seat: Seat) -> int:
    """The seat itself, or its side."""
    return seat % SIDES if in_sides(options) else seat


def low_ace(options: HandOptions) -> int:
    """The value of an ace in a run that starts A-2-3."""
    return LOW_ACE if is_saudi(options) else ACE


def next_seat(options: HandOptions, seat: Seat) -> Seat:
    """The right-hand neighbour: deal, turns and dealers all go that way (N3)."""
    return (seat + 1) % options.seats


def must_open(state: HandState) -> bool:
    """True while the seat on turn owes an opening for the fire card it took (N18)."""
    return state.turn is not None and state.now.taken is not None and not state.opened[state.turn]


def with_hand(
    state: HandState, seat: Seat, cards: tuple[HandCard, ...]
) -> tuple[tuple[HandCard, ...], ...]:
    """The hands of all seats, that of `seat` being `cards`."""
    return (*state.hands[:seat], cards, *state.hands[seat + 1 :])
