"""`waraq referee`: judges case files by the rules alone (tests/cases/README.md).

`judge_case` is pure: the bytes of a case in, what came of each step and the verdict out. The
command around it reads files, prints and sets the exit code.
"""

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import click
import msgspec
from msgspec import Raw, Struct

from schemas.cards import Card
from schemas.commands import GameAction, Options
from schemas.events import MatchEnded, RoundEnded, RoundScored
from schemas.ids import Hex32, Round, Seat
from schemas.refusals import Refusal
from services.cli import say
from services.cli.exits import DIFFERENCE, OK, USAGE
from services.rules.decider import Chance, Fact, Game
from services.rules.games import GAMES, read_options, ruleset_of

ACCEPTED: Final = "ok"
_NO_SEAL: Final[Hex32] = "0" * 64
_FIRST_SEAT: Final[Mapping[str, str]] = {"ace_draw": "first_seat", "first_dealer": "dealer"}
"""The key of a case that answers each draw of a seat."""


class Unreadable(Exception):
    """A case that cannot be judged; the message says what to do about it."""


class CaseStep(Struct, frozen=True, kw_only=True):
    """`command` is kept as it was written: each is judged by itself."""

    seat: Seat
    command: Raw
    expect: str | None = None
    state: dict[str, Any] | None = None


class Case(Struct, frozen=True, kw_only=True):
    """A case file. Keys that say nothing to the referee, `clauses` among them, are passed over."""

    game: str
    options: dict[str, Any]
    shuffles: tuple[str, ...]
    case: str | None = None
    first_seat: Seat | None = None
    dealer: Seat | None = None
    steps: tuple[CaseStep, ...] = ()
    state: dict[str, Any] | None = None


class Trace(Struct, frozen=True, kw_only=True):
    """What came of one step: `ok` or the refusal's code, and the judge's state after it."""

    case: str
    step: int
    outcome: str
    state: Struct


class Verdict(Struct, frozen=True, kw_only=True):
    """`difference`: the first one found, None in a case that passed."""

    case: str
    passed: bool
    difference: str | None


class Judgement(Struct, frozen=True, kw_only=True):
    verdict: Verdict
    traces: tuple[Trace, ...]


class ScriptedChance:
    """`services.rules.decider.Chance` that answers from a case; seals and seeds are zeros."""

    def __init__(self, case: Case) -> None:
        self._case = case
        self._shuffles: Iterator[str] = iter(case.shuffles)

    def order(self, round_: Round, label: str, items: tuple[Card, ...]) -> tuple[Card, ...]:
        wanted = f"{label} of round {round_}"
        cards = next(self._shuffles, None)
        if cards is None:
            raise Unreadable(f"`shuffles` ends before the {wanted}: add that shuffle")
        order = tuple(cards.split())
        if sorted(order) != sorted(items):
            raise Unreadable(f"the shuffle for the {wanted} must hold {' '.join(sorted(items))}")
        return order

    def seat(self, round_: Round, label: str, seats: int) -> Seat:
        key = _FIRST_SEAT[label]
        seat: Seat | None = getattr(self._case, key)
        if seat is None or seat >= seats:
            raise Unreadable(f"round {round_} needs `{key}`, a seat from 0 to {seats - 1}")
        return seat

    def seal(self, round_: Round) -> Hex32:  # noqa: ARG002 - a script has no secret to seal
        return _NO_SEAL

    def seed(self, round_: Round) -> Hex32:  # noqa: ARG002 - as above
        return _NO_SEAL

    def secret(self) -> Hex32:
        return _NO_SEAL


# Judging --------------------------------------------------------------------------------------


def judge_case(text: bytes, name: str) -> Judgement:
    """Play the case in `text`, called `name` if it does not name itself.

    Raises `Unreadable` if it is no case, or one that this build has no rules for.
    """
    case = _read(text)
    options = _options(case)
    game = GAMES[ruleset_of(options)]
    _check_seats(case, game.seats(options))
    chance = ScriptedChance(case)
    state = settle(game, game.initial_state(options), chance)
    name = case.case or name
    start, traces = game.judge(state), []
    for number, step in enumerate(case.steps):
        action = _action(step.command)
        refusal = game.refuse(state, step.seat, action) if action else Refusal.MALFORMED
        if action and refusal is None:
            body = game.act(state, step.seat, action)
            done = game.evolve(state, Fact(body=body, origin="player", seat=step.seat))
            state = settle(game, done, chance)
        outcome = refusal or ACCEPTED
        traces.append(Trace(case=name, step=number, outcome=outcome, state=game.judge(state)))
    difference = _first_difference(case, start, tuple(traces))
    verdict = Verdict(case=name, passed=difference is None, difference=difference)
    return Judgement(verdict=verdict, traces=tuple(traces))


def settle(game: Game, state: Any, chance: Chance) -> Any:
    """The state once the game waits for a seat: all that follows by itself, rounds scored too."""
    while (fact := game.consequence(state, chance)) is not None:
        state = game.evolve(state, fact)
        if isinstance(fact.body, RoundEnded):
            state = _score_round(game, state, fact.body.round)
    return state


def _score_round(game: Game, state: Any, round_: Round) -> Any:
    score = game.score(state)
    totals = game.totals(state, score)
    scored = RoundScored(round=round_, score=score, totals=totals)
    state = game.evolve(state, Fact(body=scored, origin="rule"))
    winner = game.winner(state)
    if winner is None:
        return state
    ended = MatchEnded(winner=winner, totals=totals, secret=_NO_SEAL)
    return game.evolve(state, Fact(body=ended, origin="rule"))


def _read(text: bytes) -> Case:
    try:
        return msgspec.json.decode(text, type=Case)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Unreadable(f"not a case (see tests/cases/README.md): {error}") from error


def _options(case: Case) -> Options:
    try:
        options = read_options(case.game, case.options)
    except ValueError as error:
        raise Unreadable(f"`game` and `options` fit no game: {error}") from error
    game = GAMES.get(ruleset_of(options))
    if game is None:
        raise Unreadable(f"this build has no rules for {case.game}; it has: {', '.join(GAMES)}")
    if not game.sound(options):
        raise Unreadable("`options` are out of the bounds of the rules page")
    return options


def _check_seats(case: Case, seats: int) -> None:
    for number, step in enumerate(case.steps):
        if step.seat >= seats:
            raise Unreadable(f"step {number}: the table has no seat {step.seat}")


def _action(command: Raw) -> GameAction | None:
    try:
        action: GameAction = msgspec.json.decode(command, type=GameAction)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return action


# Comparing ------------------------------------------------------------------------------------


def _first_difference(case: Case, start: Struct, traces: tuple[Trace, ...]) -> str | None:
    for step, trace in zip(case.steps, traces, strict=True):
        where = f"step {trace.step}"
        if step.expect not in {None, trace.outcome}:
            return f"{where}: expected {step.expect}, got {trace.outcome}"
        if (found := _state_difference(step.state, trace.state)) is not None:
            return f"{where}: {found}"
    found = _state_difference(case.state, traces[-1].state if traces else start)
    return None if found is None else f"end: {found}"


def _state_difference(expected: dict[str, Any] | None, state: Struct) -> str | None:
    actual = msgspec.json.decode(msgspec.json.encode(state))
    for key, value in (expected or {}).items():
        if key not in actual:
            return f"{key}: the state has no such key"
        wanted, got = _canonical(value), _canonical(actual[key])
        if wanted != got:
            return f"{key}: expected {wanted}, got {got}"
    return None


def _canonical(value: Any) -> str:
    """JSON in one spelling: true is not 1, the order of keys says nothing."""
    return msgspec.json.encode(value, order="deterministic").decode()


# The command ----------------------------------------------------------------------------------


@click.command("referee")
@click.argument(
    "cases", nargs=-1, required=True, metavar="CASE...", type=click.Path(path_type=Path)
)
@click.option("--trace", is_flag=True, help="Also print what came of each step.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line on stdout.")
def referee(cases: tuple[Path, ...], *, trace: bool, as_json: bool) -> None:
    """Judge case files by the rules alone.

    Exits with 0 if all passed, 4 on any difference, 2 if a case could not be read.
    """
    codes = [_judge_file(path, trace=trace, as_json=as_json) for path in cases]
    sys.exit(USAGE if USAGE in codes else max(codes))


def _judge_file(path: Path, *, trace: bool, as_json: bool) -> int:
    try:
        judgement = judge_case(path.read_bytes(), path.stem)
    except OSError as error:
        click.echo(f"{path}: cannot be read: {error.strerror}", err=True)
        return USAGE
    except Unreadable as error:
        click.echo(f"{path}: {error}", err=True)
        return USAGE
    for line in judgement.traces if trace else ():
        _print(line, f"{line.case}: step {line.step}: {line.outcome}", as_json=as_json)
    verdict = judgement.verdict
    prose = "passed" if verdict.passed else f"FAILED at {verdict.difference}"
    _print(verdict, f"{verdict.case}: {prose}", as_json=as_json)
    return OK if verdict.passed else DIFFERENCE


def _print(line: Struct, prose: str, *, as_json: bool) -> None:
    if as_json:
        say.line(line)
    else:
        click.echo(prose, err=True)
