"""Duels on duplicate deals: each round is played twice, with the levels changed about.

    python -m tests.bot.hand_duel --a black --b white --deals 400 --variant classic --seats 4

prints one JSON line: `points` is b's penalty less a's, in points a round and scored unit (a seat,
or a side), with its 95 % interval; `out` the rounds that a and b went out of; then the mean and
the longest time of a decision of either.
"""

import argparse
import json
import sys
import time
from statistics import fmean, stdev
from typing import Final

import msgspec
from msgspec import Struct

from schemas.commands import GameAction, HandOptions, HandScore
from schemas.events import HandRound
from schemas.ids import Level, Seat
from schemas.views import BotTurn
from services.bot.policy import choose
from services.rules.hand import GAME
from services.rules.hand.state import unit_of
from tests.bot.hand_rounds import bots, first_round
from tests.rules.hand_play import Table

NORMAL: Final = 1.96
"""Standard errors on either side that hold 95 % of a normal distribution."""


class Duel(Struct, frozen=True, kw_only=True):
    """Who plays whom, and at which table."""

    a: Level
    b: Level
    options: HandOptions


class Outcome(Struct, frozen=True, kw_only=True):
    """The fields of the line that is printed."""

    deals: int
    points: float
    ci95: float
    out: tuple[int, int]
    mean_ms: float
    max_ms: float


def play(duel: Duel, deals: range) -> Outcome:
    """The duel on the deals of these seeds, two at least."""
    spent: list[float] = []
    pairs = [[_round(duel, seed, turned, spent) for turned in (0, 1)] for seed in deals]
    gains = [fmean(_gain(duel, *each) for each in enumerate(pair)) for pair in pairs]
    winners = [_winner(*each) for pair in pairs for each in enumerate(pair)]
    return Outcome(
        deals=len(gains),
        points=round(fmean(gains), 1),
        ci95=round(NORMAL * stdev(gains) / len(gains) ** 0.5, 1),
        out=(winners.count(0), winners.count(1)),
        mean_ms=round(fmean(spent), 2),
        max_ms=round(max(spent), 1),
    )


def _round(duel: Duel, seed: int, turned: int, spent: list[float]) -> HandRound:
    both = (duel.a, duel.b)
    levels = [both[_player(seat, turned)] for seat in range(duel.options.seats)]

    def timed(turn: BotTurn) -> GameAction:
        began = time.perf_counter()
        action = choose(turn)
        spent.append(1_000 * (time.perf_counter() - began))
        return action

    return first_round(Table(duel.options, seed, bots(levels, timed)))


def _player(seat: Seat, turned: int) -> int:
    """Who sits there: 0 for a, 1 for b."""
    return (seat + turned) % 2


def _winner(turned: int, ended: HandRound) -> int | None:
    return None if ended.went_out is None else _player(ended.went_out, turned)


def _gain(duel: Duel, turned: int, ended: HandRound) -> float:
    score = GAME.round_score(duel.options, ended)
    assert isinstance(score, HandScore)
    mine: tuple[set[int], set[int]] = (set(), set())
    for seat in range(duel.options.seats):
        mine[_player(seat, turned)].add(unit_of(duel.options, seat))
    a, b = (fmean(score.penalties[unit] for unit in units) for units in mine)
    return b - a


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    for name, default in (("a", "black"), ("b", "white"), ("variant", "classic")):
        parser.add_argument(f"--{name}", default=default)
    for name, number in (("deals", 400), ("seed", 0), ("seats", 4)):
        parser.add_argument(f"--{name}", type=int, default=number)
    asked = parser.parse_args()
    table = {"game": "hand", "variant": asked.variant, "seats": asked.seats, "rounds": 3}
    duel = msgspec.convert({"a": asked.a, "b": asked.b, "options": table}, Duel)
    outcome = play(duel, range(asked.seed, asked.seed + asked.deals))
    sys.stdout.write(json.dumps(msgspec.to_builtins(outcome)) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
