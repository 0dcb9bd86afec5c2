"""Matches folded from their stored lines, beside the library's replay of the same events."""

from collections.abc import Sequence
from functools import partial
from typing import Final

from schemas.commands import Options
from schemas.events import decode_event
from services.cli.bench.conditions import Conditions
from services.cli.bench.figures import Budget, Figure, Found, figure, ratios
from services.cli.bench.matches import HAND, HOKM, whole_match
from services.cli.bench.peer import Duty, PeerLog, peer_event, peer_fact, peer_id
from services.cli.bench.sides import Turn, computed, take_turns
from services.event_log.port import Entry
from services.rules.history import unfold

TURNS: Final = 7
RATIO: Final = Budget("at least", 5.0)
Matches = Sequence[tuple[Entry, ...]]


def folding(conditions: Conditions) -> Found:
    """Events a second of processor time, all in memory: no database on either side."""
    many, budgets = conditions.many(60, 10), (80_000.0, 50_000.0)
    return Found(
        (
            *_fold("Hokm", [whole_match(n, HOKM) for n in range(many)], budgets[0]),
            *_fold("Hand", [whole_match(n, HAND) for n in range(many // 5)], budgets[1]),
        ),
        (_sizes(HOKM), _sizes(HAND)),
    )


def _fold(game: str, matches: Matches, least: float) -> tuple[Figure, ...]:
    peers = {duty: _peer(matches, duty) for duty in ("count", "rules")}
    sides = {
        "rules": partial(_by_rules, matches),
        "count": partial(_counted, matches),
        "their count": partial(_theirs, peers["count"], matches),
        "their rules": partial(_theirs, peers["rules"], matches),
    }
    rates = take_turns(sides, TURNS)
    for peer in peers.values():
        peer.close()
    ours, theirs = rates["rules"], rates["their rules"]
    counted, their_count = rates["count"], rates["their count"]
    return (
        figure(f"{game}, folded by the rules", "events/s", ours, Budget("at least", least)),
        figure(f"{game}, eventsourcing's replay by the same rules", "events/s", theirs),
        figure(f"{game}, eventsourcing's replay, only counting", "events/s", their_count),
        figure(f"{game}, ratio: both by the rules", "times", ratios(ours, theirs), RATIO),
        figure(f"{game}, ratio: both only counting", "times", ratios(counted, their_count)),
        figure(f"{game}, ratio: rules against counting", "times", ratios(ours, their_count)),
    )


def _peer(matches: Matches, duty: Duty) -> PeerLog:
    """The library with these matches stored; raises if it does not fold them as we do."""
    peer = PeerLog({})
    for match in matches:
        peer.put([peer_event(peer_fact(entry), duty=duty) for entry in match])
    if duty == "rules":
        for match in matches:
            *_, last = unfold(match)
            if peer.replay(peer_id(match[0].stream)).latest != last.after:
                raise AssertionError("the peer's replay has come to another state")
    return peer


def _by_rules(matches: Matches, _turn: int) -> Turn:
    def fold() -> None:
        for match in matches:
            for _ in unfold(match):
                pass

    return computed(_events(matches), fold)


def _counted(matches: Matches, _turn: int) -> Turn:
    """As much as the library is asked to do: the line decoded, and one more of them."""
    happened = dict.fromkeys((match[0].stream for match in matches), 0)

    def count() -> None:
        for match in matches:
            for entry in match:
                happened[decode_event(entry.line).match] += 1

    return computed(_events(matches), count)


def _theirs(peer: PeerLog, matches: Matches, _turn: int) -> Turn:
    ids = [peer_id(match[0].stream) for match in matches]
    return computed(_events(matches), lambda: [peer.replay(match) for match in ids])


def _events(matches: Matches) -> int:
    return sum(map(len, matches))


def _sizes(options: Options) -> str:
    match = whole_match(0, options)
    size = sum(len(entry.line) for entry in match) / len(match)
    return f"{type(options).__name__}: a line has {size:.0f} bytes on average"
