"""What is to go wrong in a run, drawn from its seed: a list of kills and one of hazards."""

from random import Random
from typing import Final, Literal

from msgspec import Struct

from tests.chaos.fail_points import POINTS, Point
from tests.chaos.stage import Database
from tests.chaos.workers import Kind

LEAST_PAUSE: Final = 0.2
MOST_PAUSE: Final = 1.6
"""Seconds between two faults of one list."""
PASSES: Final = (1, 30)
"""How often a fail point is passed until it is the end, drawn between these."""
MOST_DOWN: Final = 3.0
"""Seconds that a server stays down."""
LEAST_HELD: Final = 0.5
MOST_HELD: Final = 12.0
"""Seconds that bytes are held back: the longer ones break the connection by its pings."""
KILLED: Final[tuple[tuple[Kind, int], ...]] = (("table", 3), ("bot", 1), ("scoring", 1))
"""Who is killed how often, the table at named points four times out of five."""
WHICH: Final = 1_000
HAZARD_EVERY: Final = 25
"""Of each hazard there is one for so many kills, and at least one."""

Name = Literal[
    "zombie",
    "broker_killed",
    "broker_wiped",
    "broker_link_held_up",
    "broker_link_held_down",
    "broker_link_held_both_ways",
    "disk_full",
    "database_restarted",
    "commit_cut_before",
    "commit_cut_after",
    "database_link_held_up",
    "database_link_held_down",
    "database_link_held_both_ways",
    "leader_killed",
    "leader_frozen",
]
BROKER: Final[tuple[Name, ...]] = (
    "broker_killed",
    "broker_wiped",
    "broker_link_held_up",
    "broker_link_held_down",
    "broker_link_held_both_ways",
)
CLUSTER: Final[tuple[Name, ...]] = ("leader_killed", "leader_frozen") * 3
OF_DATABASE: Final[dict[Database, tuple[Name, ...]]] = {
    "sqlite": ("disk_full",),
    "postgresql": (
        "database_restarted",
        "commit_cut_before",
        "commit_cut_after",
        "database_link_held_up",
        "database_link_held_down",
        "database_link_held_both_ways",
    ),
}
OUTAGES: Final[tuple[Name, ...]] = ("broker_killed", "broker_wiped", "database_restarted")


class Kill(Struct, frozen=True):
    """`kill -9`: at `point` when it is passed for the `passes`th time, or with None at once."""

    pause: float
    kind: Kind
    point: Point | None
    passes: int


class Hazard(Struct, frozen=True):
    """`seconds`: how long it lasts. `which` of those it can strike, counted round. `cut`: what was
    held back is lost in the end.
    """

    pause: float
    name: Name
    seconds: float
    which: int
    cut: bool


class Wanted(Struct, frozen=True, kw_only=True):
    """A run. `at_once`: tables that are played at the same time. `longest`: seconds that
    anything lasts at most, if that is less than it would be.
    """

    database: Database
    kills: int
    zombies: int
    seed: int
    cluster: bool = False
    at_once: int = 10
    longest: float = MOST_HELD


class Schedule(Struct, frozen=True):
    kills: tuple[Kill, ...]
    hazards: tuple[Hazard, ...]


def draw(wanted: Wanted) -> Schedule:
    """The same for the same seed; what the processes make of it is not."""
    random = Random(wanted.seed)
    kills = tuple(_kill(random, wanted.longest) for _ in range(wanted.kills))
    names = _names(wanted)
    random.shuffle(names)
    hazards = tuple(_hazard(random, name, wanted.longest) for name in names)
    return Schedule(kills, hazards)


def _kill(random: Random, longest: float) -> Kill:
    kinds, weights = zip(*KILLED, strict=True)
    kind: Kind = random.choices(kinds, weights)[0]
    point = random.choice((None, *POINTS)) if kind == "table" else None
    return Kill(_pause(random, longest), kind, point, random.randint(*PASSES))


def _names(wanted: Wanted) -> list[Name]:
    some = CLUSTER if wanted.cluster else BROKER
    each = max(1, wanted.kills // HAZARD_EVERY)
    names: list[Name] = ["zombie"] * wanted.zombies
    for name in (*some, *OF_DATABASE[wanted.database]):
        names += [name] * each
    return names


def _hazard(random: Random, name: Name, longest: float) -> Hazard:
    most = min(longest, MOST_DOWN if name in OUTAGES else MOST_HELD)
    seconds, which = random.uniform(LEAST_HELD, most), random.randrange(WHICH)
    return Hazard(_pause(random, longest), name, seconds, which, cut=random.random() < 0.5)


def _pause(random: Random, longest: float) -> float:
    return random.uniform(LEAST_PAUSE, min(longest, MOST_PAUSE))
