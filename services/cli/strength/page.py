"""docs/bots.md: prose by hand, and between marks what `make strength` has measured."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from services.cli.bench.report import around, as_table
from services.cli.bench.surroundings import Surroundings
from services.cli.duel.matchup import NAMES, Name
from services.cli.duel.outcome import interval
from services.cli.duel.thinking import Thinking, times
from services.cli.strength.ladder import Climbed, Rung, again
from services.cli.strength.plot import draw
from services.runtime.settings import BOT_POLICY

BLOCKS: Final = ("ladder", "thinking")
"""What is written; all else on the page is kept."""
GAMES: Final = {"hokm": "Hokm", "hand": "Hand"}
_HELD: Final = {None: "", True: "held", False: "**missed**"}


class Unmarked(Exception):
    """The page has no place for a block; the message says which."""


def write(page: Path, surroundings: Surroundings, rungs: Sequence[Climbed]) -> None:
    """Put what was measured into the page, and the plots into a folder of its name beside it.

    Raises `Unmarked`.
    """
    folder = page.with_suffix("")
    folder.mkdir(parents=True, exist_ok=True)
    plots = [
        draw(folder / f"{game}.svg", title, own)
        for game, title in GAMES.items()
        if (own := [one for one in rungs if one.rung.game == game])
    ]
    images = "".join(f"\n![{GAMES[plot.stem]}]({folder.name}/{plot.name})\n" for plot in plots)
    text = with_block(page.read_text(), "ladder", ladder(surroundings, rungs) + images)
    page.write_text(with_block(text, "thinking", thinking(rungs)))


def check(text: str) -> None:
    """Raises `Unmarked` for a page that cannot be written."""
    for name in BLOCKS:
        with_block(text, name, "")


def with_block(text: str, name: str, body: str) -> str:
    """`text` with `body` between the marks of block `name`; raises `Unmarked`."""
    begin, end = f"<!-- {name}: written by `make strength` -->\n", f"<!-- {name} ends -->"
    before, mark, rest = text.partition(begin)
    _, other, after = rest.partition(end)
    if not (mark and other):
        raise Unmarked(f"no block between the lines {begin.strip()} and {end}")
    return f"{before}{begin}{body}{end}{after}"


# The blocks -----------------------------------------------------------------------------------


def ladder(surroundings: Surroundings, rungs: Sequence[Climbed]) -> str:
    """Where and when, each rung with its interval, and how to play it again."""
    head = ("game", "who", "deals", "share of rounds won", "points a round", "wanted", "")
    table = as_table(head, [_row(one) for one in rungs])
    commands = "".join(f"{again(one)}\n" for one in rungs)
    policy = f"Policy `{BOT_POLICY}`, seed {rungs[0].found.matchup.seed}.\n"
    return f"{around(surroundings)}\n{policy}\n{table}\n```\n{commands}```\n"


def _row(one: Climbed) -> tuple[str, ...]:
    rung, found = one.rung, one.found
    won = "" if found.won is None else f"{interval(found.won, '.1f', 100)} %"
    points = interval(found.points, "+.2f" if rung.game == "hokm" else "+.1f")
    return (
        GAMES[rung.game],
        rung.title,
        f"{found.deals:,}",
        won,
        points,
        wanted(rung),
        _HELD[one.held],
    )


def wanted(rung: Rung) -> str:
    """What the lower end of the interval has to exceed, in words."""
    if rung.above is None:
        return ""
    return (
        f"over {100 * rung.above:.0f} %" if rung.game == "hokm" else f"over {rung.above:+g} points"
    )


def thinking(rungs: Sequence[Climbed]) -> str:
    """How long each contender thought, in all of its rungs together."""
    rows = [
        (GAMES[game], name, f"{own.decisions:,}", *map(_ms, (own.mean_ms, own.p99_ms, own.max_ms)))
        for game in GAMES
        for name in NAMES
        if (own := times(_thought(rungs, game, name))).decisions
    ]
    return as_table(("game", "who", "decisions", "mean", "99 of 100 within", "longest"), rows)


def _thought(rungs: Sequence[Climbed], game: str, name: Name) -> Thinking:
    thought: Thinking = Counter()
    for one in rungs:
        sides = ((one.rung.a, one.found.a), (one.rung.b, one.found.b))
        for who, spent in sides:
            if (one.rung.game, who) == (game, name):
                thought.update(spent)
    return thought


def _ms(value: float) -> str:
    return f"{value:.3g} ms"
