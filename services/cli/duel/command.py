"""`waraq duel`: is a better than b, and by how much?"""

import os
import secrets
from concurrent.futures.process import BrokenProcessPool
from typing import TYPE_CHECKING, Final, get_args

import click

from schemas.commands import HandVariant
from services.cli import say
from services.cli.duel.matchup import NAMES, Matchup, Name, sound
from services.cli.exits import FAILED, INTERRUPTED, USAGE, stop
from services.cli.place import as_json
from services.cli.progress import Progress
from services.cli.wanted import said

if TYPE_CHECKING:
    from services.cli.duel.outcome import Sum

MOST_DEALS: Final = 100_000
MOST_JOBS: Final = 256
"""Processes."""
SEEDS: Final = 2**31
"""A fresh seed is below it, short enough to be typed again."""
LARGEST_SEED: Final = 2**53 - 1
DEALS: Final = 400


def fresh_seed() -> int:
    return secrets.randbelow(SEEDS)


def processors() -> int:
    return min(os.cpu_count() or 1, MOST_JOBS)


@click.command()
@click.option("--game", type=click.Choice(["hokm", "hand"]), required=True)
@click.option("--a", type=click.Choice(NAMES), required=True, help="Whose gain is told.")
@click.option("--b", type=click.Choice(NAMES), required=True, help="Against whom.")
@click.option(
    "--deals",
    type=click.IntRange(2, MOST_DEALS),
    default=DEALS,
    show_default=True,
    help="Each is played twice, the chairs changed about.",
)
@click.option(
    "--seed",
    type=click.IntRange(0, LARGEST_SEED),
    default=fresh_seed,
    help="Decides the deals; a fresh one, which is told, if not given.",
)
@click.option("--variant", type=click.Choice(get_args(HandVariant)), help="Hand; classic.")
@click.option("--seats", type=click.IntRange(2, 4), help="Hand: 2 or 4 (not said: 4).")
@click.option(
    "--jobs",
    type=click.IntRange(1, MOST_JOBS),
    default=processors,
    help="Processes; one a processor if not given.",
)
@as_json
def duel(game: str, a: Name, b: Name, seed: int, deals: int, **words: object) -> None:
    """Let two bots play the same deals against each other, each deal from both sides.

    A and B are levels; or `rule`, Hokm's rules of thumb alone; or `house`, what is played for a
    seat whose time is up. Says a's share of the rounds that somebody won and its lead in points a
    round, with 95 % intervals over the deals, and how long was thought.
    """
    jobs, as_json = words.pop("jobs"), bool(words.pop("as_json"))
    assert isinstance(jobs, int), "click has read it"
    stated = {name: value for name, value in words.items() if value is not None}
    found = spread(matchup_of(game, (a, b), seed, stated), deals, jobs)
    from services.cli.duel.outcome import outcome_of, prose  # noqa: PLC0415 as in `spread`

    say.result(outcome_of(found), prose(found), as_json=as_json)


def matchup_of(
    game: str, contenders: tuple[Name, Name], seed: int, table: dict[str, object]
) -> Matchup:
    """What is asked for in words; stops the command where it cannot be played."""
    a, b = contenders
    try:
        matchup = Matchup(a=a, b=b, options=said(game, table), seed=seed)
        sound(matchup)
    except ValueError as error:
        stop(USAGE, f"{error}: see `waraq duel --help`")
    return matchup


def spread(matchup: Matchup, deals: int, jobs: int) -> "Sum":
    """Play it, with a progress bar; stops the command where that does not come to its end."""
    from services.cli.duel.outcome import added  # noqa: PLC0415 the bots take long to load
    from services.cli.duel.rounds import Refused  # noqa: PLC0415
    from services.cli.duel.spread import deals_of  # noqa: PLC0415

    progress = Progress("deals", deals)
    try:
        return added(matchup, progress.over(deals_of(matchup, deals, jobs)))
    except Refused as error:
        stop(FAILED, f"{error}: a fault of that bot")
    except BrokenProcessPool:
        stop(FAILED, "a process of the duel was ended from outside: run it again, or with --jobs 1")
    except KeyboardInterrupt:
        stop(INTERRUPTED, "stopped; a part of the deals tells nothing")
    finally:
        progress.clear()
