"""Matches audited from their stored rows, beside a mere fold of them."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from schemas.commands import Options
from services.cli.bench.conditions import Conditions
from services.cli.bench.figures import Budget, Figure, Found, figure, ratios
from services.cli.bench.matches import HAND, HOKM, whole_match
from services.cli.bench.sides import Turn, computed, take_turns
from services.event_log.port import Entry
from services.replay.audit import audit_match
from services.rules.history import unfold

TURNS: Final = 5
LEAST: Final = Budget("at least", 10_000.0)
Match = tuple[Entry, ...]


def auditing(conditions: Conditions) -> Found:
    """Events a second of processor time, all in memory; raises if a match is not clean."""
    many = conditions.many(40, 5)
    return Found((*_audit("Hokm", HOKM, many), *_audit("Hand", HAND, -(-many // 4))))


def _audit(game: str, options: Options, many: int) -> tuple[Figure, ...]:
    matches = [whole_match(number, options) for number in range(many)]
    sides = {
        "audit": partial(_each, matches, _audited),
        "fold": partial(_each, matches, _folded),
    }
    rates = take_turns(sides, TURNS)
    audit, fold = rates["audit"], rates["fold"]
    return (
        figure(f"{game}, audited by re-execution", "events/s", audit, LEAST),
        figure(f"{game}, ratio: a fold against the audit", "times", ratios(fold, audit)),
    )


def _each(matches: Sequence[Match], do: Callable[[Match], None], _turn: int) -> Turn:
    def all_of_them() -> None:
        for match in matches:
            do(match)

    return computed(sum(map(len, matches)), all_of_them)


def _audited(match: Match) -> None:
    finding = audit_match(match)
    if not finding.ok:
        raise AssertionError(f"the audit found {finding.first_bad}")


def _folded(match: Match) -> None:
    for _ in unfold(match):
        pass
