"""The plots of docs/benchmarks.md, by matplotlib; imported when one is drawn."""

import importlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from services.cli.bench.catalogue import Measure
from services.cli.bench.figures import Figure

LIBRARY: Final = "matplotlib"
WIDTH: Final = 8.0
HEIGHT: Final = 4.5
"""Inches."""
GROUP: Final = 0.8
"""The width of a group of bars, where 1 is the way to the next group."""


def draw(path: Path, measure: Measure, figures: Sequence[Figure]) -> tuple[Path, ...]:
    """A plot for each unit among the figures; the files that were written."""
    units = list(dict.fromkeys(figure.unit for figure in figures))
    paths = [
        path.with_stem(f"{path.stem}-{number}") if number else path for number in range(len(units))
    ]
    for unit, to in zip(units, paths, strict=True):
        _draw(to, measure, unit, [figure for figure in figures if figure.unit == unit])
    return tuple(paths)


@contextmanager
def axes_of(path: Path, height: float = HEIGHT) -> Iterator[Any]:
    """The axes of a new plot, `height` inches high; once they are filled it is written to `path`.

    The same numbers give the same file: no random ids, no date; text stays text.
    """
    matplotlib = importlib.import_module(LIBRARY)
    matplotlib.use("svg")
    with matplotlib.rc_context({"svg.hashsalt": "waraq", "svg.fonttype": "none"}):
        pyplot = importlib.import_module(f"{LIBRARY}.pyplot")
        plot, axes = pyplot.subplots(figsize=(WIDTH, height), layout="constrained")
        yield axes
        axes.grid(visible=True, alpha=0.3)
        axes.legend(fontsize="small")
        plot.savefig(path, metadata={"Date": None})
        pyplot.close(plot)


def _draw(path: Path, measure: Measure, unit: str, figures: Sequence[Figure]) -> None:
    with axes_of(path) as axes:
        (_lines if measure.plot == "lines" else _bars)(axes, figures)
        axes.set(title=measure.title, xlabel=measure.along, ylabel=unit)


def _series(figures: Sequence[Figure]) -> dict[str, list[tuple[float, Figure]]]:
    found: dict[str, list[tuple[float, Figure]]] = {}
    for figure in figures:
        if figure.point is not None:
            found.setdefault(figure.point.series, []).append((figure.point.x, figure))
    return found


def _lines(axes: Any, figures: Sequence[Figure]) -> None:
    """Each series with its range, along powers of ten."""
    for name, points in _series(figures).items():
        xs = [x for x, _ in points]
        (line,) = axes.plot(xs, [figure.value for _, figure in points], marker="o", label=name)
        low, high = [f.low for _, f in points], [f.high for _, f in points]
        axes.fill_between(xs, low, high, alpha=0.15, color=line.get_color())
    places = sorted({figure.point.x for figure in figures if figure.point is not None})
    axes.set_ylim(bottom=0)
    axes.set_xscale("log")
    axes.set_xticks(places, [f"{place:,.0f}" for place in places])
    axes.minorticks_off()


def _bars(axes: Any, figures: Sequence[Figure]) -> None:
    """A group for each place along the axis, a bar for each series, by powers of ten."""
    series = _series(figures)
    places = sorted({figure.point.x for figure in figures if figure.point is not None})
    width = GROUP / len(series)
    for number, (name, points) in enumerate(series.items()):
        xs = [places.index(x) + (number - (len(series) - 1) / 2) * width for x, _ in points]
        values = [figure.value for _, figure in points]
        down = [figure.value - figure.low for _, figure in points]
        up = [figure.high - figure.value for _, figure in points]
        axes.bar(xs, values, width, yerr=[down, up], capsize=2, label=name)
    axes.set_xticks(range(len(places)), [f"{place:,.0f}" for place in places])
    axes.set_yscale("log")
