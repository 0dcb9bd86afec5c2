"""A collector that is away, or that takes what it is sent and says nothing, holds up no end."""

import asyncio
import logging
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from opentelemetry.sdk.trace import SpanProcessor

from services.runtime import opentelemetry
from services.runtime.opentelemetry import CLOSE_WITHIN, OtelTracer
from services.runtime.tracing import tracer_of

ROOT: Final = Path(__file__).parents[2]
AT_MOST: Final = 15.0
"""Seconds for a process to begin, to trace and to end: half of what OpenTelemetry itself waits."""
TRACED: Final = """
import asyncio, sys
from services.runtime.logs import log_to_stderr
from services.runtime.tracing import tracer_of

async def work(closes):
    tracer = tracer_of({"WARAQ_TRACING": "1"}, "table")
    for _ in range(3_000):
        tracer.begin("command", None, {}).end()
    await asyncio.sleep(1.5)
    if closes:
        await tracer.close()

log_to_stderr("table")
asyncio.run(work(sys.argv[1] == "closes"))
"""


class Slow(SpanProcessor):
    """Its end comes when the test says so."""

    def __init__(self) -> None:
        self.go = threading.Event()
        self.ended = threading.Event()

    def shutdown(self) -> None:
        assert self.go.wait(30)
        self.ended.set()


async def test_an_end_is_not_waited_for_and_the_loop_turns_meanwhile(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(opentelemetry, "CLOSE_WITHIN", 0.2)
    slow, turns = Slow(), 0
    closing = asyncio.create_task(OtelTracer("table", slow).close())
    while not closing.done():
        turns += 1
        await asyncio.sleep(0.01)
    assert turns > 3
    assert not slow.ended.is_set()
    assert [record.getMessage() for record in caplog.records] == ["spans are lost"]
    slow.go.set()
    assert await asyncio.to_thread(slow.ended.wait, 10)


async def test_an_end_in_time_is_no_line(caplog: pytest.LogCaptureFixture) -> None:
    slow = Slow()
    slow.go.set()
    await OtelTracer("table", slow).close()
    assert slow.ended.is_set()
    assert not caplog.records


@pytest.fixture(params=["nobody", "silent"])
def collector(request: pytest.FixtureRequest) -> Iterator[str]:
    """Nobody listens there; or somebody takes what he is sent, and does not answer."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        if request.param == "silent":
            listening.listen()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"


@pytest.mark.slow
@pytest.mark.parametrize("how", ["closes", "just ends"])
def test_a_worker_ends_soon_and_says_one_line_of_what_was_not_sent(
    collector: str, how: str
) -> None:
    environ = {"OTEL_EXPORTER_OTLP_ENDPOINT": collector, "PYTHONPATH": str(ROOT)}
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", TRACED, how],
        cwd=ROOT,
        env=environ,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert time.monotonic() - began < AT_MOST + CLOSE_WITHIN
    kinds = ["spans are not sent", "spans are lost"]
    assert all(done.stderr.count(kind) <= 1 for kind in kinds), done.stderr
    assert len(done.stderr.splitlines()) <= len(kinds), done.stderr


async def test_what_opentelemetry_says_of_each_try_is_one_line(
    caplog: pytest.LogCaptureFixture,
) -> None:
    tracer = tracer_of({"WARAQ_TRACING": "1"}, "table")
    assert tracer is not None
    caplog.clear()
    own = logging.getLogger("opentelemetry.exporter.otlp.proto.http.trace_exporter")
    for number in range(20):
        own.error("Failed to export: %s %s", number, "x" * 1_000)
    own.info("something else")
    (record,) = caplog.records
    assert record.getMessage() == "spans are not sent"
    assert vars(record)["reason"].startswith("Failed to export: 0 xxx")
    assert len(vars(record)["reason"]) == opentelemetry.REASON
    await tracer.close()
