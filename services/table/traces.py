"""A turn's commands as spans, and what their events tell of them.

A trace goes from a command to its events and on to whoever reads these. A turn that a bot is asked
names it too, and what the bot says on that begins a trace of its own which is linked to it: a match
of bots would else be one trace that never ends.
"""

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from typing import Final

from msgspec.structs import replace

from schemas.ids import SCORING, CommandId, MatchId, house_seat
from schemas.traces import HEADER, parent_of
from services.event_log.port import Row
from services.messaging.port import Message
from services.runtime.tracing import Span, Tracer
from services.table.stage import Stage

ENDS: Final = frozenset({"turn_timed_out", "control_changed"})
"""Facts of the clock and of asks, which no command led to."""
LINKED: Final = 10_000
"""Matches of which it is known what led to their latest decision; the oldest are forgotten."""


class Links:
    """What led to the latest decision that each match waits for: held turns are asked later."""

    def __init__(self) -> None:
        self._headers: OrderedDict[MatchId, str] = OrderedDict()

    def put(self, matches: Iterable[MatchId], traces: "TurnTraces | None") -> None:
        """These matches have changed, by what is traced or by the clock."""
        for match in matches:
            self._headers.pop(match, None)
            header = None if traces is None else traces.of_match.get(match)
            if header is not None:
                self._headers[match] = header
        while len(self._headers) > LINKED:
            self._headers.popitem(last=False)

    def on(self, match: MatchId, turns: Iterable[Message]) -> list[Message]:
        """The turns of a match with what led to them."""
        header = self._headers.get(match)
        if header is None:
            return list(turns)
        return [replace(turn, headers={**turn.headers, HEADER: header}) for turn in turns]


class TurnTraces:
    """The spans of one turn, `began` at that Unix ms: one for each command that was accepted, since
    only these lead to events.
    """

    def __init__(self, tracer: Tracer, stage: Stage, *, began: int) -> None:
        self._spans: list[Span] = []
        self._headers: dict[tuple[MatchId, CommandId], str | None] = {}
        self.of_match: dict[MatchId, str | None] = {}
        """The header of the latest command of each match."""
        for happening in stage.happenings:
            match, command = happening.entry.stream, happening.entry.command or ""
            heard = stage.accepted.get((match, command))
            if heard is None:
                continue
            said = {"waraq.match": match, "waraq.command": command}
            said["waraq.event"] = happening.entry.type
            parent = parent_of(heard.message.headers.get(HEADER))
            drawn = _is_anybody(heard.address.voice)
            span = tracer.begin("command", parent, said, began=began, drawn=drawn)
            self._spans.append(span)
            self._headers[match, command] = self.of_match[match] = span.header

    def of_rows(self, rows: Sequence[Row]) -> dict[int, str]:
        """The header for each event that a command led to, by its position."""
        found: dict[int, str] = {}
        now: tuple[str, str] | None = None
        for row in rows:
            entry = row.entry
            if entry.command is not None:
                header = self._headers.get((entry.stream, entry.command))
                now = None if header is None else (entry.stream, header)
            elif now is not None and (entry.stream != now[0] or entry.type in ENDS):
                now = None
            if now is not None:
                found[row.position] = now[1]
        return found

    def end(self) -> None:
        """All that they led to is said."""
        for span in self._spans:
            span.end()


def _is_anybody(voice: str) -> bool:
    """False for our own workers, who have drawn already or go by what a table drew."""
    return voice != SCORING and house_seat(voice) is None
