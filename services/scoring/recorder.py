"""`round_ended` in, `record_score` out: the points, by the same pure rules that the table asks."""

import logging
from collections import OrderedDict
from typing import Final

import msgspec
from msgspec.structs import replace

from schemas import subjects
from schemas.commands import Command, RecordScore, encode_command
from schemas.events import Event, MatchOpened, RoundEnded, decode_event
from schemas.ids import SCORING
from schemas.traces import HEADER, carried, parent_of
from services.event_log.port import Reader
from services.messaging.port import Message
from services.rules.games import GAMES
from services.runtime.command_ids import NewId, random_id
from services.runtime.tracing import Tracer

OPENINGS: Final = 10_000
"""Openings of matches kept in memory."""

_log = logging.getLogger(__name__)


class Recorder:
    """Reads the log for one thing only: under which options a match is played."""

    def __init__(
        self, log: Reader, new_id: NewId = random_id, tracer: Tracer | None = None
    ) -> None:
        self._tracer = tracer
        self._log = log
        self._new_id = new_id
        self._openings: OrderedDict[str, MatchOpened] = OrderedDict()

    def answer(self, message: Message) -> Message | None:
        """The command that records the score of an ended round; None for an unreadable event,
        which is logged: a reader that raised would be given it again for ever.
        """
        head = message.headers.get(subjects.HEAD_HEADER, "")
        try:
            event = decode_event(message.data)
        except msgspec.DecodeError as error:
            _log.error("unreadable event", extra={"reason": str(error)})
            return None
        if not isinstance(event.body, RoundEnded):
            return None
        if self._tracer is None:
            return self._record(event, event.body, head)
        said = {"waraq.match": event.match}
        span = self._tracer.begin("score", parent_of(message.headers.get(HEADER)), said)
        try:
            answer = self._record(event, event.body, head)
            return None if answer is None else replace(answer, headers=carried(span.header))
        finally:
            span.end()

    def _record(self, event: Event, body: RoundEnded, head: str) -> Message | None:
        opened = self._opened(event.match)
        if opened is None:
            _log.error("a round of a match that the log does not have", extra=_ids(event))
            return None
        score = GAMES[opened.ruleset].round_score(opened.options, body.result)
        command = Command(
            id=self._new_id(),
            action=RecordScore(round=body.round, of=head, score=score),
        )
        subject = subjects.command_in(event.match, SCORING)
        return Message(subject=subject, data=encode_command(command))

    def _opened(self, match: str) -> MatchOpened | None:
        opened = self._openings.get(match)
        if opened is None:
            rows = self._log.load(match, limit=1)
            body = decode_event(rows[0].entry.line).body if rows else None
            if not isinstance(body, MatchOpened):
                return None
            opened = self._openings[match] = body
            if len(self._openings) > OPENINGS:
                self._openings.popitem(last=False)
        return opened


def _ids(event: Event) -> dict[str, str | int]:
    return {"match": event.match, "version": event.version}
