"""How many tables so many machines carry, reckoned from what a command costs (docs/capacity.md).

    python docs/examples/capacity.py [--machines 1,10,1000] [--processors 2] [--chrome 0.3] …

Prints the page's table. Every cost and habit below is an option: put your own in.
"""

import argparse
from dataclasses import dataclass, fields, replace


@dataclass(frozen=True)
class Costs:
    """Milliseconds of a processor for each command, and bytes for each event: what `waraq bench
    --measure costs --measure bots` found on a machine of two processors (AMD EPYC, PostgreSQL).
    """

    broker: float = 0.53
    table: float = 1.04
    scoring: float = 0.10
    database: float = 0.30
    thought: float = 18.7
    """Milliseconds of one thought of a chrome bot of Hokm; all other bots are below 0.7."""
    events: float = 1.34
    """Events a command."""
    logged: float = 579
    streamed: float = 328
    told: float = 290


@dataclass(frozen=True)
class Habits:
    """What is assumed of players and of whoever runs the service; none of it was measured."""

    processors: int = 2
    """Of each machine."""
    busy: float = 0.6
    """The share of a processor that may be in use at the busiest hour."""
    commands: float = 0.4
    """Commands a second at a table: one move in two and a half seconds."""
    persons: float = 3.0
    """Persons at a table; the house has the other seats."""
    chrome: float = 0.3
    """The share of tables at which bots of the level chrome play Hokm."""
    moves: float = 0.5
    """The share of moves there that are theirs."""
    peak: float = 3.0
    """How many times as many tables the busiest hour has as the mean one."""


PARTITIONS = 16
"""Of one service's log, and so the most table workers that have work; each is one process."""
BROKERS, DATABASES = 3, 2
"""Machines of their own for the broker's nodes, and for a primary and its replica."""
SAFE = BROKERS + DATABASES + 1
"""Machines from which a service survives the loss of one, as deploy/ lays it out."""
HOUR, DAY = 3_600, 86_400
"""Seconds."""
GIB = 1 << 30
STREAM = 1 * GIB
"""What EVENTS holds at most, in each service."""


@dataclass(frozen=True)
class Carried:
    """What some machines carry, and what stops them first."""

    machines: int
    services: int
    tables: float
    first: str


def per_table(costs, habits):
    """Milliseconds of a processor that a table needs each second, by who spends them."""
    each, thinking = habits.commands, habits.chrome * habits.moves * habits.commands
    return {
        "broker": costs.broker * each,
        "table": costs.table * each,
        "scoring": costs.scoring * each,
        "database": costs.database * each,
        "bots": costs.thought * thinking,
    }


def limits(machines, costs, habits):
    """How many tables each part of one service carries that has so many machines."""
    need = per_table(costs, habits)
    processor = 1_000 * habits.busy
    machine = habits.processors * processor
    if machines < SAFE:
        return {f"processors, mostly {dearest(need)}": machines * machine / sum(need.values())}
    working = {part: need[part] for part in ("table", "bots", "scoring")}
    workers = (machines - BROKERS - DATABASES) * machine / sum(working.values())
    return {
        f"the workers' processors, mostly {dearest(working)}": workers,
        "the broker's leading node": machine / need["broker"],
        "the database's primary": machine / need["database"],
        f"{PARTITIONS} table workers, a partition each": PARTITIONS * processor / need["table"],
        "the scoring worker": processor / need["scoring"],
    }


def dearest(need):
    return max(need, key=lambda part: need[part])


def first_of(machines, costs, habits):
    """What stops a service of so many machines first, and at how many tables."""
    return min(limits(machines, costs, habits).items(), key=lambda part: part[1])


def full_size(costs, habits):
    """Machines of a service that one more would not help."""
    size = SAFE
    while first_of(size + 1, costs, habits)[1] > first_of(size, costs, habits)[1]:
        size += 1
    return size


def carried(machines, costs, habits):
    """By one service, or by as many full ones beside each other as there are machines for."""
    size = full_size(costs, habits)
    services = max(1, machines // size)
    first, tables = first_of(min(machines, size), costs, habits)
    return Carried(machines, services, services * tables, first)


def row(found, costs, habits):
    events = found.tables * habits.commands * costs.events
    told = events * habits.persons * costs.told * 8 / 1e6
    cells = (
        f"{found.machines:,}",
        f"{found.services:,}",
        f"{rounded(found.tables):,}",
        f"{rounded(found.tables * habits.persons):,}",
        f"{rounded(found.tables * habits.commands):,}",
        f"{events / habits.peak * DAY * costs.logged / GIB:,.0f} GiB",
        f"{told:,.0f} Mbit/s",
        f"{STREAM * found.services / events / costs.streamed / HOUR:.1f} h",
        found.first,
    )
    return f"| {' | '.join(cells)} |"


def rounded(number):
    """To two digits: no more is known."""
    digits = max(0, len(str(int(number))) - 2)
    return int(round(number, -digits))


HEAD = (
    "machines",
    "services",
    "live tables",
    "persons",
    "commands/s",
    "log, a day",
    "told to players",
    "EVENTS holds",
    "what is full first",
)


def asked():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--machines", default="1,10,1000", help="Several, with commas.")
    for kind in (Habits, Costs):
        for field in fields(kind):
            parser.add_argument(f"--{field.name}", type=type(field.default), default=field.default)
    return parser.parse_args()


def main():
    wish = vars(asked())
    costs, habits = (
        replace(kind(), **{field.name: wish[field.name] for field in fields(kind)})
        for kind in (Costs, Habits)
    )
    print(f"| {' | '.join(HEAD)} |\n|{' --- |' * len(HEAD)}")
    for machines in map(int, wish["machines"].split(",")):
        print(row(carried(machines, costs, habits), costs, habits))


if __name__ == "__main__":
    main()
