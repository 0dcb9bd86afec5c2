"""A trace goes from a client's command to its event and on to who reads that, and no further."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Final

import pytest
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanContext

from schemas import subjects
from schemas.commands import Command, OpenMatch, StartMatch, encode_command
from schemas.commands import HokmOptions as Options
from schemas.traces import HEADER, parent_of
from services.messaging.headers import trusted
from services.messaging.port import Message
from services.runtime.opentelemetry import OtelTracer
from services.runtime.settings import SettingMissing
from services.runtime.tracing import tracer_of
from services.scoring.recorder import Recorder
from tests.table.hall import ALL_HOUSE, ANNE, MATCH, Hall
from tests.table.playing import to_the_end_of_a_round
from tests.waiting import until

TRACE: Final = "0af7651916cd43dd8448eb211c80319c"
ASKED: Final = f"00-{TRACE}-b7ad6b7169203331-01"


def context_of(span: ReadableSpan) -> SpanContext:
    context = span.get_span_context()
    assert context is not None
    return context


class Traced:
    """A hall whose table traces, and the spans that have ended."""

    def __init__(self, *, ratio: float = 1.0) -> None:
        self._kept = InMemorySpanExporter()
        self.tracer = OtelTracer("table", SimpleSpanProcessor(self._kept), ratio=ratio)
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


async def test_a_players_wish_to_be_kept_is_not_heard() -> None:
    async with traced(ratio=0.0) as found:
        await said(found.hall, opening(), **{HEADER: ASKED})
        assert not found.spans


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
