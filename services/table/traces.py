"""A turn's commands as spans, and what their events tell of them.

A trace goes from a command to its events and on to whoever reads these. It does not go into the
turns that bots are asked: a match of bots would be one trace that never ends.
"""

from collections.abc import Sequence
from typing import Final

from schemas.traces import HEADER, parent_of
from services.event_log.port import Row
from services.runtime.tracing import Span, Tracer
from services.table.stage import Stage
from services.table.work import Work

ENDS: Final = frozenset({"turn_timed_out", "control_changed"})
"""Facts of the clock and of asks, which no command led to."""


class TurnTraces:
    """The spans of one turn, `began` at that Unix ms: one for each command that was accepted, since
    only these lead to events.
    """

    def __init__(self, tracer: Tracer, work: Work, stage: Stage, *, began: int) -> None:
        parents = {one.command.id: one for one in work.heard if one.command is not None}
        self._spans: dict[str, Span] = {}
        for happening in stage.happenings:
            one = parents.get(happening.command or "")
            if one is None or one.command is None:
                continue
            said = {"waraq.match": one.address.match, "waraq.command": one.command.id}
            said["waraq.event"] = happening.entry.type
            span = tracer.begin(
                "command", parent_of(one.message.headers.get(HEADER)), said, began=began
            )
            self._spans[one.command.id] = span

    def of_rows(self, rows: Sequence[Row]) -> dict[int, str]:
        """The header for each event that a command led to, by its position."""
        found: dict[int, str] = {}
        now: tuple[str, str] | None = None
        for row in rows:
            entry = row.entry
            if entry.command is not None:
                span = self._spans.get(entry.command)
                now = None if span is None else (entry.stream, span.header)
            elif now is not None and (entry.stream != now[0] or entry.type in ENDS):
                now = None
            if now is not None:
                found[row.position] = now[1]
        return found

    def end(self) -> None:
        """All that they led to is said."""
        for span in self._spans.values():
            span.end()
