"""Whatever a tracer raises, the game goes on: commands are answered, turns taken, rounds scored."""

import asyncio
import logging
from typing import Final

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from schemas.traces import HEADER
from services.runtime import rarely
from services.runtime.guarded import Guarded
from services.runtime.opentelemetry import OtelTracer
from services.runtime.rarely import Rarely
from services.runtime.settings import SettingMissing
from services.runtime.tracing import Span, tracer_of
from services.scoring.recorder import Recorder
from tests.service.test_traces import ASKED, bots, events, opening, said
from tests.table.hall import ALL_HOUSE, Hall
from tests.table.playing import to_the_end_of_a_round
from tests.waiting import until

CALLS: Final = ("begin", "header", "end")
TRACING: Final = {"WARAQ_TRACING": "1"}


class Raising:
    """A tracer that raises at one of its calls; what does not raise has a header."""

    def __init__(self, at: str) -> None:
        self.at = at
        self.raised = 0

    def may(self, call: str) -> None:
        if call == self.at:
            self.raised += 1
            raise ZeroDivisionError("planted")

    def begin(self, *_: object, **__: object) -> Span:
        self.may("begin")
        return RaisingSpan(self)

    async def close(self) -> None:
        self.may("close")


class RaisingSpan:
    def __init__(self, tracer: Raising) -> None:
        self._tracer = tracer

    @property
    def header(self) -> str | None:
        self._tracer.may("header")
        return ASKED

    def end(self) -> None:
        self._tracer.may("end")


@pytest.mark.parametrize("call", CALLS)
async def test_a_table_answers_every_command(call: str) -> None:
    tracer = Raising(call)
    async with Hall(tracer=Guarded(tracer)) as hall:
        await hall.start(ALL_HOUSE)
        await to_the_end_of_a_round(hall)
        sent = await events(hall, len(hall.rows()))
    assert tracer.raised > 20
    assert any(HEADER in event.headers for event in sent) is (call == "end")


@pytest.mark.parametrize("call", CALLS)
async def test_a_bot_takes_every_turn(call: str) -> None:
    tracer = Raising(call)
    async with Hall() as hall, bots(hall, Guarded(tracer)) as spoken:
        await hall.start(ALL_HOUSE)
        await until(lambda: "round_ended" in hall.types(), "the end of a round")
    assert len(spoken) > 20
    assert tracer.raised > 20


@pytest.mark.parametrize("call", CALLS)
async def test_a_round_is_scored(call: str) -> None:
    tracer = Raising(call)
    async with Hall() as hall:
        await hall.start(ALL_HOUSE)
        await to_the_end_of_a_round(hall)
        await events(hall, len(hall.rows()))
        (ended,) = [m for m in hall.published if m.subject.endswith(".round_ended")]
        recorder = Recorder(hall.log, tracer=Guarded(tracer))
        assert await asyncio.to_thread(recorder.answer, ended) is not None
    assert tracer.raised == 1


async def test_an_end_that_raises_ends_the_worker_all_the_same() -> None:
    tracer = Raising("close")
    await Guarded(tracer).close()
    assert tracer.raised == 1


def test_it_is_told_once_with_the_place_and_never_in_the_faults_own_words(
    caplog: pytest.LogCaptureFixture,
) -> None:
    tracer = Guarded(Raising("begin"))
    for _ in range(50):
        tracer.begin("command", None, {})
    (record,) = caplog.records
    assert record.getMessage() == "the tracer failed"
    assert vars(record)["reason"].startswith("ZeroDivisionError at test_tracer_faults.py:")


def test_what_happens_again_and_again_is_told_now_and_then_with_how_often(
    caplog: pytest.LogCaptureFixture,
) -> None:
    now = 0.0
    told = Rarely(logging.getLogger("test"), "again", ticks=lambda: now)
    for _ in range(5):
        told.say("x")
    now = rarely.EVERY
    told.say("y")
    said = [(vars(record)["reason"], vars(record)["times"]) for record in caplog.records]
    assert said == [("x", 1), ("y", 5)]


# OpenTelemetry's own words ----------------------------------------------------------------------


@pytest.mark.parametrize("word", ["true", "TRUE", " true "])
def test_where_opentelemetry_is_off_nothing_is_traced(word: str) -> None:
    assert tracer_of(TRACING | {"OTEL_SDK_DISABLED": word}, "table") is None


async def test_a_span_that_is_none_is_told_to_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """A provider that is off gives such: the table answers, and the event goes without a header."""
    monkeypatch.setenv("OTEL_SDK_DISABLED", "true")
    assert type(TracerProvider().get_tracer("x")).__name__ == "NoOpTracer"
    tracer = OtelTracer("table", SimpleSpanProcessor(InMemorySpanExporter()))
    assert tracer.begin("command", None, {}).header is None
    async with Hall(tracer=tracer) as hall:
        await said(hall, opening())
        (event,) = await events(hall, 1)
        assert HEADER not in event.headers


async def test_what_workers_use_is_guarded() -> None:
    tracer = tracer_of(TRACING, "table")
    assert isinstance(tracer, Guarded)
    await tracer.close()


def test_variables_that_opentelemetry_cannot_use_are_a_wrong_setting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OTEL_BSP_SCHEDULE_DELAY", "-1")
    with pytest.raises(SettingMissing, match="schedule_delay_millis must be positive"):
        tracer_of(TRACING, "table")
