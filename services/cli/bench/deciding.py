"""How long a bot thinks, level by level."""

import time
from collections.abc import Iterator
from statistics import fmean
from typing import Final

from schemas.commands import GameAction, Options
from schemas.ids import Level
from schemas.views import BotTurn
from services.bot.policy import choose
from services.cli.bench.conditions import Conditions
from services.cli.bench.figures import Budget, Figure, Found, figure
from services.cli.bench.matches import HAND, HOKM, Play, match_id

LEVELS: Final[tuple[Level, ...]] = ("white", "black", "chrome")
CHROME_MEAN: Final = Budget("at most", 150.0)
CHROME_MAX: Final = Budget("at most", 500.0)
HAND_MEAN: Final = Budget("at most", 5.0)
RUNS: Final = 3


def deciding(conditions: Conditions) -> Found:
    """Milliseconds a decision in matches of four bots of one level; the mean and the longest."""
    many = conditions.many(400, 60)
    figures = [*_levels("Hokm", HOKM, many), *_levels("Hand", HAND, many)]
    return Found(tuple(figures), (f"{many} decisions a run",))


def _levels(game: str, options: Options, many: int) -> Iterator[Figure]:
    for level in LEVELS:
        runs = [_times(options, level, many, match_id(run)) for run in range(RUNS)]
        chrome = game == "Hokm" and level == "chrome"
        mean = HAND_MEAN if game == "Hand" else CHROME_MEAN if chrome else None
        name = f"{game}, {level}"
        yield figure(f"{name}, mean", "ms", [fmean(run) for run in runs], mean)
        yield figure(
            f"{name}, longest", "ms", [max(run) for run in runs], CHROME_MAX if chrome else None
        )


def _times(options: Options, level: Level, many: int, match: str) -> list[float]:
    """Milliseconds of each of the first `many` decisions."""
    times: list[float] = []

    def bot(turn: BotTurn) -> GameAction:
        began = time.perf_counter()
        action = choose(turn)
        times.append(1_000 * (time.perf_counter() - began))
        return action

    play = Play(match, options, level=level, bot=bot)
    while len(times) < many:
        if play.live.state.over:
            play = Play(f"{match[:-8]}{len(times):08x}", options, level=level, bot=bot)
        play.step()
    return times
