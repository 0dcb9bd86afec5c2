"""`round_ended` in, `record_score` out."""

from msgspec.structs import replace

from schemas.commands import HokmScore, RecordScore, decode_command
from schemas.subjects import HEAD_HEADER
from services.event_log.memory import MemoryLog, MemoryStore
from services.event_log.port import Row
from services.messaging.port import Message
from services.scoring.recorder import Recorder
from services.table.outbox import event_message
from tests.streams import Played, played, store


def logged(match: Played) -> MemoryLog:
    log = MemoryLog(MemoryStore(partitions=1))
    store(log, [match])
    return log


def published(match: Played, kind: str) -> list[Message]:
    rows: list[Row] = [row for row in match.rows if row.entry.type == kind]
    return [event_message(row, 1) for row in rows]


def test_the_score_is_the_rules_score_of_that_round_and_names_its_head() -> None:
    match = played(5)
    recorder = Recorder(logged(match))
    scored = [row for row in match.rows if row.entry.type == "round_scored"]
    for message, row in zip(published(match, "round_ended"), scored, strict=True):
        answer = recorder.answer(message)
        assert answer is not None
        assert answer.subject == f"cmdin.{match.match}.scoring"
        action = decode_command(answer.data).action
        assert isinstance(action, RecordScore)
        assert action.of == message.headers[HEAD_HEADER]
        assert isinstance(action.score, HokmScore)
        assert f'"kind":"{action.score.kind}"' in row.entry.line


def test_each_answer_has_an_id_of_its_own() -> None:
    """An id that could be foreseen could be used up by a player."""
    match = played(5)
    recorder = Recorder(logged(match))
    (message, *_) = published(match, "round_ended")
    answers = [recorder.answer(message) for _ in range(2)]
    ids = {decode_command(answer.data).id for answer in answers if answer}
    assert len(ids) == 2


def test_what_cannot_be_read_or_is_of_no_known_match_is_passed_over() -> None:
    match = played(5)
    recorder = Recorder(MemoryLog(MemoryStore(partitions=1)))
    (message, *_) = published(match, "round_ended")
    assert recorder.answer(message) is None
    assert recorder.answer(replace(message, data=b"{")) is None
    assert recorder.answer(published(match, "match_started")[0]) is None
