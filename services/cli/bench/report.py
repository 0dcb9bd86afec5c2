"""docs/benchmarks.md: tables first, then each measure with its plots and what it does not say."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from services.cli.bench.catalogue import MEASURES, Measure
from services.cli.bench.figures import Figure, Outcome
from services.cli.bench.plots import draw
from services.cli.bench.surroundings import Surroundings

HEADER: Final = """\
# Benchmarks

This page is written by `waraq bench --write docs/benchmarks.md` (`make bench`) and by nothing
else: change the command, not the page. A value is the median of its runs; beside it stands the
range they lay in. The sides of a ratio took turns in the same run, so a ratio can be trusted where
an absolute number cannot.
"""
_RANKS: Final = {None: "", True: "met", False: "**missed**"}


def write(page: Path, surroundings: Surroundings, outcomes: Sequence[Outcome]) -> None:
    """Write the page, and the plots into a folder of the page's name beside it."""
    folder = page.with_suffix("")
    folder.mkdir(parents=True, exist_ok=True)
    plots = {
        name: draw(folder / f"{name}.svg", measure, figures)
        for name, measure in MEASURES.items()
        if measure.plot is not None and (figures := _plotted(name, outcomes))
    }
    page.write_text(page_text(surroundings, outcomes, plots, folder.name))


def page_text(
    surroundings: Surroundings,
    outcomes: Sequence[Outcome],
    plots: dict[str, tuple[Path, ...]],
    folder: str,
) -> str:
    """The whole page; `folder` is where it finds its plots."""
    parts = [HEADER, around(surroundings), _budgets(outcomes)]
    for name, measure in MEASURES.items():
        own = [outcome for outcome in outcomes if outcome.measure == name]
        if own:
            parts.append(_section(measure, own))
            parts += [f"![{measure.title}]({folder}/{plot.name})\n" for plot in plots.get(name, ())]
    return "\n".join(parts)


def around(found: Surroundings) -> str:
    """When and where the numbers were taken, as a table."""
    load = " ".join(f"{part:.2f}" for part in found.load)
    busy = " **The machine was busy: only ratios count.**" if found.busy else ""
    quick = " **A quick run: it shows that all of it runs, and no more.**" if found.quick else ""
    rows = [
        ("date", found.date),
        ("machine", f"{found.processor}, {found.cores} cores, {found.memory_gib} GiB"),
        ("system", found.system),
        ("load at the start", f"{load} (1, 5, 15 minutes).{busy}{quick}"),
        ("versions", ", ".join(f"{name} {version}" for name, version in found.versions.items())),
    ]
    return as_table(("", ""), rows)


def _budgets(outcomes: Sequence[Outcome]) -> str:
    rows = [
        (
            figure.name,
            outcome.database or "",
            *_numbers(figure),
            _budget(figure),
            _RANKS[figure.met],
        )
        for outcome in outcomes
        for figure in outcome.figures
        if figure.budget is not None
    ]
    failed = [
        (MEASURES[one.measure].title, one.database or "", "not measured", "", "", "**missed**")
        for one in outcomes
        if one.failed is not None
    ]
    head = ("what", "database", "value", "range", "budget", "")
    return "## Budgets\n" + as_table(head, rows + failed)


def _section(measure: Measure, outcomes: Sequence[Outcome]) -> str:
    rows = [
        (figure.name, outcome.database or "", *_numbers(figure), str(figure.runs))
        for outcome in outcomes
        for figure in outcome.figures
    ]
    notes = "".join(f"- {line}\n" for outcome in outcomes for line in _notes(outcome))
    table = as_table(("what", "database", "value", "range", "runs"), rows)
    return f"## {measure.title}\n{measure.says}\n\n{table}{notes}"


def _notes(outcome: Outcome) -> Iterator[str]:
    where = f"{outcome.database}: " if outcome.database else ""
    yield from (where + note for note in outcome.notes)
    if outcome.failed is not None:
        yield f"{where}not measured: {outcome.failed}"


def _numbers(figure: Figure) -> tuple[str, str]:
    spread = f"{figure.low:,.10g} to {figure.high:,.10g}" if figure.runs > 1 else ""
    return f"{figure.value:,.10g} {figure.unit}", spread


def _budget(figure: Figure) -> str:
    assert figure.budget is not None, "asked of a figure with a budget"
    return f"{figure.budget.kind} {figure.budget.limit:,.10g}"


def as_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of a page."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def _plotted(name: str, outcomes: Sequence[Outcome]) -> tuple[Figure, ...]:
    return tuple(
        figure
        for outcome in outcomes
        if outcome.measure == name
        for figure in outcome.figures
        if figure.point is not None
    )
