"""A trace goes from a client's command to its event and on to who reads that, and no further."""

import asyncio
import re
import time
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Final

import pytest
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanContext

from schemas import subjects
from schemas.commands import Command, OpenMatch, StartMatch, Suggestion, encode_command
from schemas.commands import HokmOptions as Options
from schemas.traces import HEADER, parent_of
from schemas.views import BotTurn, decode_turn
from services.bot.answering import Answers, think_here
from services.bot.metrics import BotMetrics
from services.bot.worker import run
from services.messaging.headers import trusted
from services.messaging.memory import MemoryBus
from services.messaging.port import Message
from services.runtime.command_ids import random_id
from services.runtime.opentelemetry import OtelTracer
from services.runtime.settings import SettingMissing
from services.runtime.tracing import Tracer, tracer_of
from services.scoring.recorder import Recorder
from tests.table.hall import ALL_HOUSE, ANNE, MATCH, Hall
from tests.table.playing import time_runs_out, to_the_end_of_a_round
from tests.waiting import until

TRACE: Final = "0af7651916cd43dd8448eb211c80319c"
CARD: Final = re.compile(r"\b[2-9TJQKA][SHDC]\d?\b")
KEY: Final = b"k" * 16
"""What is drawn by it is always the same."""
ASKED: Final = f"00-{TRACE}-b7ad6b7169203331-01"


def context_of(span: ReadableSpan) -> SpanContext:
    context = span.get_span_context()
    assert context is not None
    return context


class Traced:
    """A hall whose table traces, and the spans that have ended."""

    def __init__(self, *, ratio: float = 1.0, key: bytes = KEY) -> None:
        self._kept = InMemorySpanExporter()
        self.tracer = OtelTracer("table", SimpleSpanProcessor(self._kept), ratio=ratio, key=key)
        self.hall = Hall(tracer=self.tracer)

    @property
    def spans(self) -> Sequence[ReadableSpan]:
        return self._kept.get_finished_spans()

    def ids(self) -> list[str]:
        return [f"{context_of(span).trace_id:032x}" for span in self.spans]


@asynccontextmanager
async def traced(*, ratio: float = 1.0) -> AsyncIterator[Traced]:
    found = Traced(ratio=ratio)
    async with found.hall:
        yield found


async def said(hall: Hall, command: Command, **headers: str) -> None:
    heard = len(hall.feeds)
    subject = subjects.command_in(MATCH, ANNE)
    data = encode_command(command)
    await hall.line.publish([Message(subject=subject, data=data, headers=headers)])
    await until(lambda: len(hall.feeds) > heard, "an answer")


def opening(name: str = "o") -> Command:
    return Command(id=name * 16, action=OpenMatch(options=Options(), seats=ALL_HOUSE))


async def events(hall: Hall, many: int) -> list[Message]:
    await until(lambda: len(hall.published) >= many, f"{many} events in the stream")
    return hall.published


async def test_an_event_carries_the_trace_of_the_command_that_led_to_it() -> None:
    async with traced() as found:
        await said(found.hall, opening(), **{HEADER: ASKED})
        (event, *_) = await events(found.hall, 1)
        assert found.ids() == [TRACE]
        (span,) = found.spans
        assert span.parent is not None
        assert f"{span.parent.span_id:016x}" == ASKED.split("-")[2]
        assert event.headers[HEADER] == f"00-{TRACE}-{context_of(span).span_id:016x}-01"
        assert dict(span.attributes or {}) == {
            "waraq.match": MATCH,
            "waraq.command": "o" * 16,
            "waraq.event": "match_opened",
        }


async def test_what_a_command_leads_to_by_rule_and_chance_carries_it_too() -> None:
    async with traced() as found:
        await said(found.hall, opening())
        await said(found.hall, Command(id="s" * 16, action=StartMatch()), **{HEADER: ASKED})
        wanted = len(found.hall.rows())
        _, *led = await events(found.hall, wanted)
        assert len(led) > 2
        assert {parent_of(event.headers.get(HEADER)) for event in led} == {led[0].headers[HEADER]}
        assert led[0].headers[HEADER].split("-")[1] == TRACE


async def test_a_refused_command_is_no_span_and_a_second_one_no_second_trace() -> None:
    async with traced() as found:
        await said(found.hall, opening(), **{HEADER: ASKED})
        await said(found.hall, opening(), **{HEADER: ASKED})
        await said(found.hall, opening("p"), **{HEADER: ASKED})
        assert len(found.spans) == 1


@pytest.mark.parametrize(
    "wrong",
    [
        "",
        "00",
        ASKED.upper(),
        ASKED + "-x",
        ASKED.replace("00-", "ff-", 1),
        f"00-{'0' * 32}-b7ad6b7169203331-01",
        f"00-{TRACE}-{'0' * 16}-01",
        ASKED + "\n",
        "x" * 1_000,
    ],
)
async def test_what_has_not_the_form_is_no_trace(wrong: str) -> None:
    assert trusted("cmd.0.m.u", {HEADER: wrong}) == {}
    async with traced() as found:
        await said(found.hall, opening(), **{HEADER: wrong})
        assert found.ids() != [TRACE]
        assert len(found.spans) == 1, "it begins a trace of its own"


def test_of_a_players_headers_the_trace_alone_is_heard() -> None:
    headers = {HEADER: ASKED, "Nats-Msg-Id": "x", "Waraq-Head": "y"}
    assert trusted("cmdin.m.u", headers) == {HEADER: ASKED}
    assert trusted("event.0.x", headers) == headers


async def test_the_log_knows_no_trace() -> None:
    async with traced() as found:
        await said(found.hall, opening(), **{HEADER: ASKED})
        await events(found.hall, 1)
        for row in found.hall.rows():
            assert TRACE not in row.entry.line
            assert TRACE not in str(row)


async def test_scoring_goes_on_with_the_trace_of_the_round_that_ended() -> None:
    async with traced() as found:
        await found.hall.start(ALL_HOUSE)
        await to_the_end_of_a_round(found.hall)
        await events(found.hall, len(found.hall.rows()))
        (ended,) = [m for m in found.hall.published if m.subject.endswith(".round_ended")]
        recorder = Recorder(found.hall.log, tracer=found.tracer)
        answer = await asyncio.to_thread(recorder.answer, ended)
        assert answer is not None
        assert answer.headers[HEADER].split("-")[1] == ended.headers[HEADER].split("-")[1]
        span = found.spans[-1]
        assert span.name == "score"
        assert span.parent is not None
        assert f"{span.parent.span_id:016x}" == ended.headers[HEADER].split("-")[2]


@asynccontextmanager
async def bots(hall: Hall, tracer: Tracer | None) -> AsyncIterator[list[Message]]:
    """A bot worker at work in that hall, and all that is said by the house."""
    said: list[Message] = []
    await hall.line.subscribe("cmdin.*.*", said.append)
    stop, ready = asyncio.Event(), asyncio.Event()
    working = asyncio.create_task(
        run(MemoryBus(hall.broker), stop, ready.set, tracer=tracer, rest=no_rest)
    )
    await asyncio.wait_for(ready.wait(), 10)
    yield said
    stop.set()
    await asyncio.wait_for(working, 10)


async def no_rest(_seconds: float) -> None:
    """Nobody waits here."""


async def played_by_bots(found: Traced, tracer: OtelTracer | None) -> list[Message]:
    """What bots said until a round's end."""
    async with bots(found.hall, tracer) as said:
        await found.hall.start(ALL_HOUSE)
        await until(lambda: "round_ended" in found.hall.types(), "the end of a round")
    return [message for message in said if ".house" in message.subject]


def named(found: Traced, name: str) -> list[ReadableSpan]:
    return [span for span in found.spans if span.name == name]


async def test_what_a_bot_says_is_a_trace_of_its_own_linked_to_what_led_to_its_turn() -> None:
    async with traced() as found:
        said = await played_by_bots(found, found.tracer)
        answers, commands = named(found, "answer"), named(found, "command")
        assert len(said) == len(answers) > 20
        led = {context_of(span).span_id for span in commands}
        for span in answers:
            assert span.parent is None
            (link,) = span.links
            assert link.context.span_id in led
            assert link.context.trace_id != context_of(span).trace_id
        by_bots = [span for span in commands if span.parent is not None]
        assert {span.parent.span_id for span in by_bots if span.parent} <= {
            context_of(span).span_id for span in answers
        }
        assert len(by_bots) > 20


async def test_no_trace_of_a_match_of_bots_grows_with_the_match() -> None:
    async with traced() as found:
        await played_by_bots(found, found.tracer)
        assert max(Counter(found.ids()).values()) == 2


async def test_no_span_names_a_card() -> None:
    async with traced() as found:
        await played_by_bots(found, found.tracer)
        allowed = {"waraq.match", "waraq.command", "waraq.event", "waraq.voice"}
        for span in found.spans:
            said = dict(span.attributes or {})
            assert set(said) <= allowed
            assert not any(CARD.search(str(value)) for value in said.values())
            assert not span.events


async def test_no_span_says_how_long_a_turn_was_thought_about() -> None:
    """It begins and ends once the answer is there, and where that is held back, after that."""
    async with traced() as found:
        await found.hall.start(ALL_HOUSE)
        turn = decode_turn(found.hall.turns[-1].data)
        order: list[str] = []

        async def thinking(asked: BotTurn) -> Suggestion:
            before = len(named(found, "answer"))
            suggestion = await think_here(asked)
            order.append(f"thought, {before} spans")
            return suggestion

        answers = Answers(MemoryBus(found.hall.broker), random_id, BotMetrics(), found.tracer)
        said = await answers.to(turn, thinking, ASKED)
        order.append(f"held, {len(named(found, 'answer'))} spans")
        held = time.time_ns()
        await answers.say(said, [])
        (span,) = named(found, "answer")
        assert order == ["thought, 0 spans", "held, 0 spans"]
        assert span.start_time is not None
        assert span.start_time >= held


async def test_a_bot_worker_that_does_not_trace_passes_none_on() -> None:
    async with traced() as found:
        said = await played_by_bots(found, None)
        assert any(HEADER in turn.headers for turn in found.hall.turns), "the table names them"
        assert not any(HEADER in message.headers for message in said)
        assert not named(found, "answer")


async def test_the_log_of_a_traced_match_has_the_bytes_of_one_that_is_not() -> None:
    logs = []
    for tracing in (True, False):
        found = Traced()
        if not tracing:
            found.hall = Hall()
        async with found.hall:
            await played_by_bots(found, found.tracer if tracing else None)
            rows = found.hall.rows()
            end = [row.entry.type for row in rows].index("round_ended")
            logs.append([(row.entry.line, row.entry.head) for row in rows[: end + 1]])
            assert bool(found.spans) is tracing
    assert logs[0] == logs[1]


async def test_what_the_clock_led_to_is_asked_of_a_bot_without_a_trace() -> None:
    async with traced() as found:
        await found.hall.start(ALL_HOUSE)
        assert HEADER in found.hall.turns[-1].headers
        asked = len(found.hall.turns)
        await time_runs_out(found.hall)
        await until(lambda: len(found.hall.turns) > asked, "the next turn")
        assert HEADER not in found.hall.turns[-1].headers


async def test_without_the_setting_nothing_is_traced() -> None:
    assert tracer_of({}, "table") is None
    assert tracer_of({"WARAQ_TRACING": "0"}, "table") is None
    async with Hall() as hall:
        await said(hall, opening(), **{HEADER: ASKED})
        (event, *_) = await events(hall, 1)
        assert HEADER not in event.headers


def test_the_setting_is_1_or_0() -> None:
    with pytest.raises(SettingMissing, match="WARAQ_TRACING is 'yes'"):
        tracer_of({"WARAQ_TRACING": "yes"}, "table")


@pytest.mark.parametrize("wrong", ["-1", "2", "half", "nan"])
def test_the_share_that_is_kept_is_from_0_to_1(wrong: str) -> None:
    with pytest.raises(SettingMissing, match="OTEL_TRACES_SAMPLER_ARG"):
        tracer_of({"WARAQ_TRACING": "1", "OTEL_TRACES_SAMPLER_ARG": wrong}, "table")
