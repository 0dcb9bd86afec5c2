"""What one seed means: the matches, who plays them how, and what goes wrong."""

from random import Random
from typing import Final

from msgspec import Struct

from schemas.commands import HandOptions, HokmOptions, Options, SeatPlan
from schemas.ids import Level, Seat
from services.messaging.memory_consumer import Faults
from services.rules.hokm.presets import PRESETS
from tests.bot.hand_rounds import LEVELS
from tests.rules.hand_play import TABLES

PLAYERS: Final = ("u_anne0000", "u_behrouz0", "u_cyrus000", "u_dina0000")
HOST: Final = "u_host0000"
"""Opens the matches that only bots play, and watches them."""
CHAOS: Final = (4.0, 16.0)
"""Seconds of bad days, drawn between these."""


class Temper(Struct, frozen=True):
    """How a player plays. `think`: the most seconds before a move; the others are chances a turn:
    `sleeps` past its clock, `quits` without a word, `leaves` the seat and comes back, `errs` (says
    something illegal, stale, foreign or illegible first), `doubles` (says the same bytes twice at
    once), `asks` for advice, on its turn and after it.
    """

    think: float
    sleeps: float
    quits: float
    leaves: float
    errs: float
    doubles: float
    asks: float


class Guest(Struct, frozen=True):
    """A player at a match; with `seat` None it only watches."""

    player: str
    seat: Seat | None
    temper: Temper


class MatchPlan(Struct, frozen=True, kw_only=True):
    """The first guest opens the match and, if it `starts`, starts it. `begins`: seconds."""

    match: str
    options: Options
    seats: tuple[SeatPlan, ...]
    guests: tuple[Guest, ...]
    starts: bool
    begins: float


class Plan(Struct, frozen=True, kw_only=True):
    """`chaos`: seconds of it; `pause`: mean seconds between two acts; `acts`: their weights."""

    seed: int
    partitions: int
    tables: int
    bots: int
    scorers: int
    faults: Faults
    lost: float
    unknown: float
    chaos: float
    pause: float
    acts: dict[str, float]
    matches: tuple[MatchPlan, ...]


ACTS: Final = (
    "kill",
    "trap",
    "freeze",
    "cut",
    "broker_down",
    "broker_wiped",
    "broker_tail",
    "log_down",
    "locks_lost",
    "clock_step",
)


def plan_of(seed: int) -> Plan:
    """Each seed has its own mixture: some things never happen in one and often in another."""
    dice = Random(f"{seed}/plan")
    acts = {act: dice.choice((0.0, 0.5, 1.0, 3.0)) for act in ACTS}
    acts["kill"] += 0.5
    acts["trap"] += 1.0
    return Plan(
        seed=seed,
        partitions=dice.choice((1, 1, 2)),
        tables=dice.choice((2, 2, 3)),
        bots=dice.choice((1, 2)),
        scorers=dice.choice((1, 2)),
        faults=_faults(dice),
        lost=dice.choice((0.0, 0.002, 0.02)),
        unknown=dice.choice((0.0, 0.01, 0.05)),
        chaos=dice.uniform(*CHAOS),
        pause=dice.uniform(0.15, 1.5),
        acts=acts,
        matches=_matches(dice),
    )


def _faults(dice: Random) -> Faults:
    few = (0.0, 0.02, 0.1)
    return Faults(
        loss=dice.choice(few),
        ack_loss=dice.choice(few),
        confirm_loss=dice.choice((0.0, 0.02, 0.1)),
        duplicates=dice.choice(few),
        reorder=dice.choice((0.0, 0.1, 0.4)),
    )


def _matches(dice: Random) -> tuple[MatchPlan, ...]:
    plans = [_bots(dice, _hokm(dice)), _bots(dice, _hand(dice)), _masked(dice)]
    plans.append(_people(dice, _hokm(dice) if dice.random() < 0.5 else _hand(dice)))
    if dice.random() < 0.3:
        plans.append(_lobby(dice))
    return tuple(plans)


def _hokm(dice: Random) -> HokmOptions:
    if dice.random() < 0.1:
        return PRESETS["home"]
    five = dice.random() < 0.3
    return HokmOptions(show_five_before_trump=five) if five else PRESETS["hakem"]


def _hand(dice: Random) -> HandOptions:
    variant, seats = dice.choice(TABLES)
    return HandOptions(variant=variant, seats=seats, rounds=3)


def _match_id(dice: Random) -> str:
    return f"m_{dice.getrandbits(128):032x}"


def _house(seat: Seat, level: Level) -> SeatPlan:
    return SeatPlan(seat=seat, filled_by="house", level=level)


def _planned(
    dice: Random, options: Options, seats: list[SeatPlan], guests: list[Guest], *, starts: bool
) -> MatchPlan:
    return MatchPlan(
        match=_match_id(dice),
        options=options,
        seats=tuple(seats),
        guests=tuple(guests),
        starts=starts,
        begins=dice.uniform(0.1, 3.0),
    )


def _bots(dice: Random, options: Options) -> MatchPlan:
    count = options.seats if isinstance(options, HandOptions) else 4
    seats = [_house(seat, dice.choice(LEVELS)) for seat in range(count)]
    host = Guest(HOST, None, _temper(dice))
    return _planned(dice, options, seats, [host], starts=True)


def _masked(dice: Random) -> MatchPlan:
    """A table with masks, where XO points are won (H20, H22)."""
    level = dice.choice(LEVELS)
    partner = SeatPlan(seat=2, filled_by="anyone") if dice.random() < 0.5 else _house(2, "chrome")
    owner = SeatPlan(seat=0, filled_by="owner")
    seats = [owner, _house(1, level), partner, _house(3, level)]
    guests = [Guest(PLAYERS[0], 0, _temper(dice))]
    if partner.filled_by == "anyone":
        guests.append(Guest(PLAYERS[1], 2, _temper(dice)))
    return _planned(dice, _hokm(dice), seats, guests, starts=True)


def _people(dice: Random, options: Options) -> MatchPlan:
    count = options.seats if isinstance(options, HandOptions) else 4
    sitting = dice.randint(1, count)
    seats = [SeatPlan(seat=0, filled_by="owner")]
    guests = [Guest(PLAYERS[0], 0, _temper(dice))]
    for seat in range(1, count):
        if seat < sitting:
            seats.append(SeatPlan(seat=seat, filled_by="anyone"))
            guests.append(Guest(PLAYERS[seat], seat, _temper(dice)))
        else:
            seats.append(_house(seat, dice.choice(LEVELS)))
    return _planned(dice, options, seats, guests, starts=True)


def _lobby(dice: Random) -> MatchPlan:
    seats = [SeatPlan(seat=0, filled_by="owner"), *(_house(seat, "white") for seat in (1, 2, 3))]
    guest = Guest(PLAYERS[0], 0, _temper(dice))
    return _planned(dice, HokmOptions(), seats, [guest], starts=False)


def _temper(dice: Random) -> Temper:
    return Temper(
        think=dice.choice((0.02, 0.1, 0.5)),
        sleeps=dice.choice((0.0, 0.0, 0.01)),
        quits=dice.choice((0.0, 0.01, 0.05)),
        leaves=dice.choice((0.0, 0.01, 0.05)),
        errs=dice.choice((0.0, 0.05, 0.2)),
        doubles=dice.choice((0.0, 0.1)),
        asks=dice.choice((0.0, 0.1, 0.3)),
    )
