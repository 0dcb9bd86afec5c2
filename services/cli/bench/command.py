"""`waraq bench`: every measure of docs/benchmarks.md, or some of them."""

import importlib.util
import signal
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import click
from msgspec.structs import replace

from services.cli import say
from services.cli.bench.catalogue import MEASURES, Measure, runner
from services.cli.bench.conditions import Conditions
from services.cli.bench.figures import Databases, Figure, Found, Outcome
from services.cli.bench.raw import ServerUnreachable, server_version
from services.cli.bench.report import write
from services.cli.bench.surroundings import Surroundings, look_around
from services.cli.exits import FAILED, UNREACHABLE, USAGE, stop
from services.cli.place import as_json, shown_url
from services.runtime.faults import place_of
from services.runtime.logs import log_to_stderr

INSTALL: Final = "`pip install -e .[bench]`, which `make bench` does"
PEER: Final = "eventsourcing"
PLOTTER: Final = "matplotlib"
SERVERS: Final = ("postgresql://", "postgres://")


@click.command()
@click.option(
    "--measure",
    "names",
    multiple=True,
    type=click.Choice(list(MEASURES)),
    help="One measure; may be given again. All of them if not given.",
)
@click.option(
    "--postgres", metavar="URL", help="Measure on PostgreSQL too, in databases made there."
)
@click.option("--quick", is_flag=True, help="Fewer of everything: does it run, not how fast.")
@click.option(
    "--write",
    "page",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the tables and plots: docs/benchmarks.md.",
)
@as_json
def bench(
    names: tuple[str, ...],
    postgres: str | None,
    page: Path | None,
    *,
    quick: bool,
    as_json: bool,
) -> None:
    """Measure the service beside a peer and raw limits; on SQLite in a temporary folder."""
    log_to_stderr("bench", "error")
    wanted = {name: MEASURES[name] for name in names or MEASURES}
    _require(wanted, page, postgres)
    surroundings = look_around(quick=quick, postgres=_server(postgres))
    say.result(surroundings, _around(surroundings), as_json=as_json)
    with _asked_to_leave(), tempfile.TemporaryDirectory(prefix="waraq-bench-") as folder:
        conditions = Conditions(folder=Path(folder), quick=quick, postgres=postgres)
        outcomes = list(_outcomes(wanted, conditions, as_json=as_json))
    if page is not None:
        write(page, surroundings, outcomes)
    failed = [outcome.measure for outcome in outcomes if outcome.failed is not None]
    if failed:
        stop(FAILED, f"not measured: {', '.join(failed)}")


@contextmanager
def _asked_to_leave() -> Iterator[None]:
    """SIGTERM ends it as Ctrl-C does: children are stopped, temporary folders are gone."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _require(wanted: Mapping[str, Measure], page: Path | None, postgres: str | None) -> None:
    """Stop before anything runs if something is missing for it."""
    if any(one.peer for one in wanted.values()) and not _installed(PEER):
        stop(USAGE, f"the peer, {PEER}, is not installed: {INSTALL}; or name measures without it")
    if page is not None and not _installed(PLOTTER):
        stop(USAGE, f"the plots need {PLOTTER}, which is not installed: {INSTALL}")
    if postgres is None and all(one.on == "postgresql" for one in wanted.values()):
        stop(USAGE, "that is measured on PostgreSQL only: name a server with --postgres URL")
    if postgres is not None and not postgres.startswith(SERVERS):
        stop(USAGE, "--postgres takes a URL like postgresql://user@host:port/database")


def _installed(library: str) -> bool:
    return importlib.util.find_spec(library) is not None


def _server(postgres: str | None) -> str | None:
    if postgres is None:
        return None
    try:
        return server_version(postgres)
    except ServerUnreachable as error:
        stop(UNREACHABLE, f"{shown_url(postgres)} does not answer: {error}")


def _outcomes(
    wanted: Mapping[str, Measure], conditions: Conditions, *, as_json: bool
) -> Iterator[Outcome]:
    """Run them, and print each as it ends."""
    for name, measure in wanted.items():
        for database in _databases(measure, conditions):
            say.prose(f"{measure.title}{f', {database}' if database else ''} …")
            outcome = outcome_of(name, database, conditions)
            say.result(outcome, _prose(outcome), as_json=as_json)
            yield outcome


def _databases(measure: Measure, conditions: Conditions) -> tuple[Databases | None, ...]:
    postgres = conditions.postgres is not None
    match measure.on:
        case "no database":
            return (None,)
        case "postgresql":
            if not postgres:
                say.prose(f"{measure.title}: left out, it needs --postgres URL")
            return ("postgresql",) if postgres else ()
        case "each database":
            return ("sqlite", "postgresql") if postgres else ("sqlite",)


def outcome_of(name: str, database: Databases | None, conditions: Conditions) -> Outcome:
    """What comes of one measure; whatever stops it is told, and stops no other."""
    began = time.monotonic()
    found, failed = Found(()), None
    try:
        found = runner(MEASURES[name])(replace(conditions, database=database or "sqlite"))
    except Exception as error:  # noqa: BLE001 as said
        failed = f"{error} ({place_of(error)})"
    return Outcome(
        measure=name,
        database=database,
        seconds=round(time.monotonic() - began, 1),
        figures=found.figures,
        notes=found.notes,
        failed=failed,
    )


def _prose(outcome: Outcome) -> str:
    if outcome.failed is not None:
        return f"  not measured: {outcome.failed}"
    lines = [_line(figure) for figure in outcome.figures]
    return "\n".join((*lines, *(f"  ({note})" for note in outcome.notes)))


def _line(figure: Figure) -> str:
    budget = ""
    if figure.budget is not None:
        met = "met" if figure.met else "MISSED"
        budget = f"  {figure.budget.kind} {figure.budget.limit:,.10g}: {met}"
    spread = f" ({figure.low:,.10g} to {figure.high:,.10g})" if figure.runs > 1 else ""
    return f"  {figure.name}: {figure.value:,.10g} {figure.unit}{spread}{budget}"


def _around(found: Surroundings) -> str:
    versions = ", ".join(f"{name} {version}" for name, version in found.versions.items())
    load = " ".join(f"{part:.2f}" for part in found.load)
    busy = ": other programs are running, trust ratios only" if found.busy else ""
    return (
        f"{found.date}, {found.processor}, {found.cores} cores, {found.memory_gib} GiB,"
        f" {found.system}\n{versions}\nload {load}{busy}"
    )
