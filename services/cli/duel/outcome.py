"""What a duel comes to: the deals added up, in whatever order they were played."""

from collections import Counter
from collections.abc import Iterable
from operator import attrgetter

from msgspec import Struct

from schemas.commands import HandOptions, Options
from services.cli.duel.estimates import Estimate, mean_of, ratio_of
from services.cli.duel.matchup import Matchup
from services.cli.duel.rounds import Deal
from services.cli.duel.thinking import Thinking, Times, times
from services.rules.games import game_name
from services.runtime.settings import BOT_POLICY


class Sum(Struct, frozen=True, kw_only=True):
    """As it was counted. `won`: a's share of the decided rounds, None if none was; `points`: a's
    lead a round.
    """

    matchup: Matchup
    deals: int
    decided: int
    won: Estimate | None
    points: Estimate
    a: Thinking
    b: Thinking


class Ends(Struct, frozen=True, array_like=True):
    """An interval, written as its two ends."""

    low: float
    high: float


class Intervals(Struct, frozen=True):
    won: Ends | None
    points: Ends


class Outcome(Struct, frozen=True, kw_only=True):
    """The line that is printed, rounded. `decided`: rounds, of two a deal, that somebody won (in
    Hand: went out of). Milliseconds are those of a's decisions; `b_times`: of b's. `options`: the
    table; `policy`: the bots that this build has.
    """

    a: str
    b: str
    deals: int
    won: float | None
    ci95: Intervals
    points: float
    mean_ms: float
    max_ms: float
    p99_ms: float
    b_times: Times
    decided: int
    seed: int
    options: Options
    policy: str


def added(matchup: Matchup, deals: Iterable[Deal]) -> Sum:
    """The sum of `estimates.LEAST` deals or more."""
    a: Thinking = Counter()
    b: Thinking = Counter()
    found = []
    for deal in deals:
        a.update(deal.a)
        b.update(deal.b)
        found.append(deal)
    found.sort(key=attrgetter("number"))
    wins, decided = [deal.won for deal in found], [deal.decided for deal in found]
    return Sum(
        matchup=matchup,
        deals=len(found),
        decided=sum(decided),
        won=ratio_of(wins, decided),
        points=mean_of([deal.points for deal in found]),
        a=a,
        b=b,
    )


def outcome_of(found: Sum) -> Outcome:
    """What is said of it."""
    thought = times(found.a)
    return Outcome(
        a=found.matchup.a,
        b=found.matchup.b,
        deals=found.deals,
        won=None if found.won is None else round(found.won.value, 4),
        ci95=Intervals(None if found.won is None else _ends(found.won, 4), _ends(found.points, 3)),
        points=round(found.points.value, 3),
        mean_ms=thought.mean_ms,
        max_ms=thought.max_ms,
        p99_ms=thought.p99_ms,
        b_times=times(found.b),
        decided=found.decided,
        seed=found.matchup.seed,
        options=found.matchup.options,
        policy=BOT_POLICY,
    )


def interval(found: Estimate, form: str, times: float = 1.0) -> str:
    """Such as `57.5 (56.3 to 58.7)`: value and ends, `times` as large, in the format `form`."""
    value, low, high = (times * each for each in (found.value, found.low, found.high))
    return f"{value:{form}} ({low:{form}} to {high:{form}})"


def prose(found: Sum) -> str:
    """The same in a sentence."""
    a, b, seed = found.matchup.a, found.matchup.b, found.matchup.seed
    won = "nobody won a round"
    if found.won is not None:
        won = f"{interval(found.won, '.1f', 100)} % of {found.decided} decided rounds"
    mine, other, table = times(found.a), times(found.b), _table(found.matchup.options)
    return (
        f"{table}: {a} against {b}, {found.deals} deals of seed {seed}: {won},"
        f" {interval(found.points, '+.2f')} points a round; it thought {mine.mean_ms:.2f} ms a"
        f" decision, {mine.max_ms:.1f} at most ({b} {other.mean_ms:.2f}, {other.max_ms:.1f})"
    )


def _table(options: Options) -> str:
    """Such as `hokm`, or `hand, saudi, 2 seats`."""
    if not isinstance(options, HandOptions):
        return game_name(options)
    return f"hand, {options.variant.replace('_', ' ')}, {options.seats} seats"


def _ends(found: Estimate, digits: int) -> Ends:
    return Ends(round(found.low, digits), round(found.high, digits))
