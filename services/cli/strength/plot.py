"""A game's rungs with their intervals, as a picture."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from services.cli.bench.plots import axes_of
from services.cli.strength.ladder import Climbed, estimate_of

EDGE: Final = 1.2
RUNG: Final = 0.45
"""Inches: what is around the rungs, and each of them."""
AXES: Final = {"hokm": "share of the rounds won", "hand": "points a round"}
EVEN: Final = {"hokm": 0.5, "hand": 0.0}
"""Where neither is the stronger one."""


def draw(path: Path, title: str, rungs: Sequence[Climbed]) -> Path:
    """The file that was written; `rungs` are of one game, one at least."""
    game, places = rungs[0].rung.game, range(len(rungs))
    found = [estimate_of(one.rung, one.found) for one in rungs]
    values = [one.value for one in found]
    ends = [[one.value - one.low for one in found], [one.high - one.value for one in found]]
    bound = [at for at in places if rungs[at].rung.above is not None]
    with axes_of(path, EDGE + RUNG * len(rungs)) as axes:
        axes.errorbar(values, places, xerr=ends, fmt="o", capsize=3, label="found, 95 %")
        wanted = [rungs[at].rung.above for at in bound]
        axes.plot(wanted, bound, "|", markersize=16, color="tab:red", label="wanted")
        axes.axvline(EVEN[game], color="0.5", linewidth=1, linestyle="--", label="even")
        axes.set_yticks(places, [one.rung.title for one in rungs])
        axes.set_ylim(len(rungs) - 0.5, -0.5)
        axes.set(title=title, xlabel=AXES[game])
    return path
