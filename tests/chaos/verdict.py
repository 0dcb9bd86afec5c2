"""What clients were told, held against the log: nothing lost, doubled, made up or taken back."""

import itertools
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

import sqlalchemy as sa
from msgspec import Struct

from schemas.feed import Snapshot
from schemas.ids import MatchId
from schemas.refusals import Refusal
from services.event_log.port import Reader, Row
from services.rules import match as rules
from services.rules import seats, sight
from services.rules.history import unfold
from services.rules.match import MatchState
from services.scoring.records import Standing
from services.scoring.standings import Standings
from tests.chaos.record import Record

PLAYERS_AT_MOST: Final = 1_000


class InLog(Struct, frozen=True):
    """Where an accepted command stands; `time`: Unix ms, when it was decided."""

    version: int
    time: int


class Match(Struct, frozen=True):
    """One stream folded afresh: its commands, and head and state at each version."""

    commands: Mapping[str, InLog]
    heads: Mapping[int, str]
    states: Mapping[int, MatchState]

    @property
    def last(self) -> MatchState:
        return self.states[max(self.states)]


Matches = Mapping[MatchId, Match]


NO_MATCH: Final = Match({}, {}, {})


NOTHING: Final = (
    "lost",
    "moved",
    "order_broken",
    "refused_then_accepted",
    "refused_wrongly",
    "told_not_in_log",
    "told_twice_differently",
    "snapshots_other",
)
"""What no client may ever see."""


def fold(rows: list[Row]) -> Match:
    """The stream as it is, from its rows alone."""
    commands: dict[str, InLog] = {}
    heads: dict[int, str] = {}
    states: dict[int, MatchState] = {}
    for seen in unfold(row.entry for row in rows):
        entry, version = seen.stored, seen.event.version
        heads[version], states[version] = entry.head, seen.after
        if entry.command is not None:
            commands[entry.command] = InLog(version, seen.event.time)
    return Match(commands, heads, states)


def count_records(records: Iterable[Record], matches: Matches) -> dict[str, int]:
    """Counted over all records; which of the numbers are to be 0 is `NOTHING`'s to say.

    `refused_though_accepted` may happen: a match that is over and out of memory is unknown
    (architecture, Two answers), so a last command that is repeated may be told just that. Any
    other such refusal is `refused_wrongly`.
    """
    found: Counter[str] = Counter()
    for record in records:
        found.update(_count(record, matches.get(record.match, NO_MATCH)))
    return dict(found)


def _count(record: Record, match: Match) -> dict[str, int]:
    late = [one for one in record.refused if one.command in match.commands]
    then = [one for one in late if match.commands[one.command].time > one.heard]
    though = [one for one in late if one not in then]
    versions = [match.commands[one].version for one in record.said if one in match.commands]
    return {
        "accepted": len(record.accepted),
        "lost": sum(one not in match.commands for one in record.accepted),
        "moved": sum(
            match.commands[one].version != version
            for one, version in record.accepted.items()
            if one in match.commands
        ),
        "order_broken": sum(b <= a for a, b in itertools.pairwise(versions)),
        "refused": len({one.command for one in record.refused}),
        "refused_then_accepted": len({one.command for one in then}),
        "refused_though_accepted": len({one.command for one in though}),
        "refused_wrongly": sum(
            one.code is not Refusal.UNKNOWN_MATCH or not match.last.over for one in though
        ),
        "told": len(record.told),
        "told_not_in_log": sum(match.heads.get(at) != head for at, head in record.told.items()),
        "told_twice_differently": record.contradicted,
        "snapshots": len(record.snapshots),
        "snapshots_other": sum(not _is_fold(one, record.player, match) for one in record.snapshots),
    }


def _is_fold(snapshot: Snapshot, player: str, match: Match) -> bool:
    """Is this what the rules say of that version, for that player?"""
    state = match.states.get(snapshot.version)
    if state is None:
        return False
    view = sight.view(state, rules.seat_of(state, player))
    right = (match.heads[snapshot.version], state.move, seats.sitting(state.chairs), view)
    return right == (snapshot.head, snapshot.move, snapshot.sitting, snapshot.view)


def waiting(matches: Matches) -> dict[str, int]:
    """For what the matches wait that are not over."""
    reasons = [_reason(match.last) for match in matches.values() if not match.last.over]
    return dict(Counter(reasons))


def _reason(state: MatchState) -> str:
    if not state.started:
        return "lobby: for a start"
    if state.ended is not None:
        return "score: for scoring"
    seat = sight.turn(state)
    return "nothing" if seat is None else f"turn: for the {state.chairs[seat].control} of a seat"


def standings_differ(standings_url: str, log: Reader) -> int:
    """Players whose points are not those of standings that are made afresh from the log."""
    fresh, kept = (
        sa.create_engine("sqlite://", poolclass=sa.StaticPool),
        sa.create_engine(standings_url),
    )
    try:
        Standings(fresh).create()
        Standings(fresh).catch_up(log)
        return len(_points(fresh) ^ _points(kept))
    finally:
        fresh.dispose()
        kept.dispose()


def _points(engine: sa.Engine) -> frozenset[Standing]:
    return frozenset(Standings(engine).top(PLAYERS_AT_MOST))
