"""One deal played by the rules in process: each seat is asked with a turn of its own view."""

import time
from collections import Counter
from typing import Any, Final

from msgspec import Struct

from schemas.commands import HandOptions, HandScore, HokmScore
from schemas.ids import Seat
from schemas.views import BotTurn
from services.cli.duel.contenders import CONTENDERS, Contender
from services.cli.duel.matchup import MATCH, ROUNDS, Matchup, Who, luck_of_deal, who
from services.cli.duel.thinking import Thinking, note
from services.rules.chance import SealedChance
from services.rules.decider import Fact, Game
from services.rules.games import GAMES, ruleset_of
from services.rules.hand.state import unit_of

LONGEST: Final = 10_000
"""Decisions of one round. No round of Hand comes near it, however badly it is played."""


class Refused(Exception):
    """A contender said what the rules refuse; the message says who, what and in which deal."""


class Deal(Struct, frozen=True, kw_only=True):
    """What the two rounds of one deal brought. `decided`: rounds that somebody won, `won`: by a.
    `points`: a's lead, the mean of the two rounds.
    """

    number: int
    won: int
    decided: int
    points: float
    a: Thinking
    b: Thinking


class Ended(Struct, frozen=True):
    """A round: whose it was, None if nobody's; by how many points a was ahead."""

    winner: Who | None
    points: float


class _Table:
    """One round in play, and how long the two thought."""

    def __init__(self, matchup: Matchup, deal: int, turned: int) -> None:
        self.matchup, self.turned = matchup, turned
        self.game: Game = GAMES[ruleset_of(matchup.options)]
        self.thought: dict[Who, Thinking] = {"a": Counter(), "b": Counter()}
        self._deal = deal
        self._chance: SealedChance = luck_of_deal(matchup.seed, deal)
        self._players = {"a": CONTENDERS[matchup.a], "b": CONTENDERS[matchup.b]}
        self._state: Any = self.game.initial_state(matchup.options)

    def played(self) -> Any:
        """The state at the round's end, before it is scored."""
        self._follow(self.game.consequence(self._state, self._chance))
        for move in range(LONGEST):
            seat = self.game.turn(self._state)
            if seat is None:
                return self._state
            self._follow(self._asked(seat, move))
        raise AssertionError(f"deal {self._deal} does not end")

    def _asked(self, seat: Seat, move: int) -> Fact:
        one = who(seat, self.turned)
        player = self._players[one]
        turn = self._turn(seat, move, player)
        began = time.perf_counter()
        action = player.play(turn)
        note(self.thought[one], time.perf_counter() - began)
        refusal = self.game.refuse(self._state, seat, action)
        if refusal is not None:
            name = self.matchup.a if one == "a" else self.matchup.b
            where = f"deal {self._deal} of seed {self.matchup.seed}, round {self.turned}"
            raise Refused(f"{name} said {action} in {where}, which is refused: {refusal}")
        return Fact(body=self.game.act(self._state, seat, action), origin="player", seat=seat)

    def _turn(self, seat: Seat, move: int, player: Contender) -> BotTurn:
        view = self.game.view(self._state, seat)
        return BotTurn(
            match=MATCH, seat=seat, move=move, level=player.level, task="play", view=view
        )

    def _follow(self, fact: Fact | None) -> None:
        while fact is not None:
            self._state = self.game.evolve(self._state, fact)
            fact = self.game.consequence(self._state, self._chance)


def play_deal(matchup: Matchup, number: int) -> Deal:
    """Both rounds of a deal; raises `Refused`."""
    tables = [_Table(matchup, number, turned) for turned in range(ROUNDS)]
    rounds = [judged(matchup, table.turned, table.played()) for table in tables]
    return Deal(
        number=number,
        won=sum(one.winner == "a" for one in rounds),
        decided=sum(one.winner is not None for one in rounds),
        points=sum(one.points for one in rounds) / ROUNDS,
        a=_sum([table.thought["a"] for table in tables]),
        b=_sum([table.thought["b"] for table in tables]),
    )


def _sum(parts: list[Thinking]) -> Thinking:
    return sum(parts, Counter())


# Whose round it was ---------------------------------------------------------------------------


def judged(matchup: Matchup, turned: int, state: Any) -> Ended:
    """A round that has ended, by the rules' own score."""
    score = GAMES[ruleset_of(matchup.options)].score(state)
    if isinstance(score, HokmScore):
        return _hokm(score, turned)
    assert isinstance(matchup.options, HandOptions)
    out = state.last.went_out
    winner = None if out is None else who(out, turned)
    return Ended(winner, _hand(matchup.options, score, turned))


def _hokm(score: HokmScore, turned: int) -> Ended:
    """A side is named by the first of its seats."""
    winner = who(score.side, turned)
    return Ended(winner, score.points if winner == "a" else -score.points)


def _hand(options: HandOptions, score: HandScore, turned: int) -> float:
    """The penalty of b less that of a, a scored unit: a seat, or in a partnership a side."""
    units: dict[Who, set[int]] = {"a": set(), "b": set()}
    for seat in range(options.seats):
        units[who(seat, turned)].add(unit_of(options, seat))
    a, b = (sum(score.penalties[unit] for unit in units[one]) for one in ("a", "b"))
    return (b - a) / len(units["a"])
