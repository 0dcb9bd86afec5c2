"""`python -m services.cli.strength`: climbs the ladder, and writes it into docs/bots.md."""

import importlib.util
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import click

from services.cli import say
from services.cli.bench.plots import LIBRARY
from services.cli.bench.surroundings import look_around
from services.cli.duel.command import (
    LARGEST_SEED,
    MOST_DEALS,
    MOST_JOBS,
    fresh_seed,
    matchup_of,
    processors,
    spread,
)
from services.cli.duel.outcome import outcome_of, prose
from services.cli.exits import DIFFERENCE, USAGE, stop
from services.cli.place import as_json
from services.cli.strength.ladder import (
    LEAST_JUDGED,
    QUICK,
    RUNGS,
    Climbed,
    Line,
    Rung,
    again,
    climbed,
)
from services.cli.strength.page import Unmarked, check, wanted, write

NAMES: Final = tuple(rung.name for rung in RUNGS)


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--rung", "names", multiple=True, type=click.Choice(NAMES), help="That one only.")
@click.option(
    "--seed",
    type=click.IntRange(0, LARGEST_SEED),
    envvar="SEED",
    default=fresh_seed,
    help="Decides the deals; a fresh one, which is told, if not given.",
)
@click.option(
    "--deals", type=click.IntRange(2, MOST_DEALS), help="Of each rung, whatever it asks for."
)
@click.option("--quick", is_flag=True, help=f"{QUICK} deals a rung: does it run, not who wins.")
@click.option(
    "--write",
    "page",
    type=click.Path(dir_okay=False, exists=True, path_type=Path),
    help="Write tables and plots into the page: docs/bots.md. Whole ladders only.",
)
@click.option("--jobs", type=click.IntRange(1, MOST_JOBS), default=processors, help="Processes.")
@as_json
def strength(names: tuple[str, ...], seed: int, page: Path | None, **words: object) -> None:
    """Let every level play the one below on fresh deals, and hold the intervals against what was
    promised. Ends with exit code 4 where that is missed; fewer than 400 deals are not judged.
    """
    jobs, json = words["jobs"], bool(words["as_json"])
    deals = QUICK if words["quick"] else words["deals"]
    assert isinstance(jobs, int), "click has read it"
    assert deals is None or isinstance(deals, int), "click has read it"
    _require(page, names)
    surroundings = look_around(quick=deals is not None and deals < LEAST_JUDGED, postgres=None)
    say.prose(f"seed {seed}")
    rungs = [rung for rung in RUNGS if not names or rung.name in names]
    found = list(_climb(rungs, seed, deals, jobs=jobs, as_json=json))
    if page is not None:
        write(page, surroundings, found)
    missed = [one.rung.name for one in found if one.held is False]
    if missed:
        stop(DIFFERENCE, f"not as strong as promised with seed {seed}: {', '.join(missed)}")


def _require(page: Path | None, names: tuple[str, ...]) -> None:
    """Stop before anything is played if the page could not be written."""
    if page is None:
        return
    if names:
        stop(USAGE, "the page shows whole ladders: leave --rung away, or --write")
    if importlib.util.find_spec(LIBRARY) is None:
        stop(USAGE, f"the plots need {LIBRARY}: `pip install -e .[bench]`, as `make strength` does")
    try:
        check(page.read_text())
    except (OSError, UnicodeDecodeError, Unmarked) as error:
        stop(USAGE, f"{page} cannot be written into: {error}; docs/bots.md shows how")


def _climb(
    rungs: Sequence[Rung], seed: int, deals: int | None, *, jobs: int, as_json: bool
) -> Iterator[Climbed]:
    """Each rung, told as it is known."""
    for rung in rungs:
        say.prose(f"{rung.game}, {rung.title} …")
        matchup = matchup_of(rung.game, (rung.a, rung.b), seed, rung.table)
        one = climbed(rung, spread(matchup, deals or rung.deals, jobs))
        say.result(_line(one), _prose(one), as_json=as_json)
        yield one


def _line(one: Climbed) -> Line:
    return Line(
        rung=one.rung.name,
        game=one.rung.game,
        above=one.rung.above,
        held=one.held,
        command=again(one),
        outcome=outcome_of(one.found),
    )


def _prose(one: Climbed) -> str:
    judged = {True: ": held", False: ": MISSED", None: ", not judged on so few deals"}[one.held]
    bound = "" if one.rung.above is None else f"; wanted {wanted(one.rung)}{judged}"
    return f"  {prose(one.found)}{bound}"
