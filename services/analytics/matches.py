"""A match in one row."""

from collections.abc import Sequence

import msgspec

from schemas.commands import HandOptions, HokmOptions
from schemas.events import MatchAbandoned, MatchEnded, MatchStarted, decode_event
from services.analytics.story import Step, unit_of, utc
from services.analytics.tables import MatchRow
from services.analytics.told import Told


def match_row(told: Told, steps: Sequence[Step], rounds: int) -> MatchRow:
    """`steps` are those of what is told; `rounds`: how many of them have ended."""
    first, state = steps[0].event, steps[-1].after
    opened, options = state.opened, state.opened.options
    started = (step for step in steps if isinstance(step.event.body, MatchStarted))
    end = decode_event(told.end.line) if told.end is not None else None
    body = end.body if end is not None else None
    seats = len(opened.seats)
    units = {unit_of(options, seat) for seat in range(seats)}
    return MatchRow(
        match=first.match,
        ruleset=opened.ruleset,
        variant=options.variant if isinstance(options, HandOptions) else None,
        seats=seats,
        target=options.target if isinstance(options, HokmOptions) else None,
        rounds_planned=options.rounds if isinstance(options, HandOptions) else None,
        options=msgspec.json.encode(options).decode(),
        policy=opened.policy,
        owner=opened.owner,
        levels=tuple(entry.level for entry in opened.seats),
        status=_status(body),
        outcome=_outcome(body),
        opened=utc(first.time),
        started=next((utc(step.event.time) for step in started), None),
        ended=utc(end.time) if end is not None else None,
        events=told.events,
        rounds=rounds,
        unit="seat" if len(units) == seats else "side",
        totals=state.totals,
        winner=body.winner if isinstance(body, MatchEnded) else None,
    )


def _status(end: object) -> str:
    if end is None:
        return "playing"
    return "ended" if isinstance(end, MatchEnded) else "abandoned"


def _outcome(end: object) -> str | None:
    if isinstance(end, MatchAbandoned):
        return end.reason
    return "ended" if isinstance(end, MatchEnded) else None
