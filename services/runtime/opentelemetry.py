"""Traces by OpenTelemetry; loaded only where `WARAQ_TRACING` says so."""

import asyncio
import contextlib
import logging
import secrets
import threading
from collections.abc import Mapping
from hashlib import blake2b
from typing import Final

from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.sdk.trace.sampling import ParentBased, TraceIdRatioBased
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from schemas.traces import HEADER, carried
from services.runtime.faults import place_of
from services.runtime.guarded import Guarded
from services.runtime.rarely import Rarely
from services.runtime.settings import SettingMissing
from services.runtime.tasks import happens
from services.runtime.tracing import Span

RATIO: Final = "OTEL_TRACES_SAMPLER_ARG"
"""The share of traces that is kept, from 0 to 1; all if not set."""
QUEUE: Final = 2_048
"""Spans that wait to be sent; of more those that come are dropped."""
TIMEOUTS: Final = ("OTEL_EXPORTER_OTLP_TIMEOUT", "OTEL_EXPORTER_OTLP_TRACES_TIMEOUT")
SEND_WITHIN: Final = 5.0
"""Seconds for one batch of spans, unless `TIMEOUTS` say other."""
CLOSE_WITHIN: Final = 2.0
"""Seconds for what is not sent when a worker ends; the rest is lost."""
REASON: Final = 200
"""Characters of what OpenTelemetry says that are told."""
DRAWN: Final = 16
"""Bytes of the key, and of what is drawn by it."""
_MS: Final = 1_000_000
"""In nanoseconds."""
_log = logging.getLogger(__name__)
_propagator: Final = TraceContextTextMapPropagator()


def exporting(environ: Mapping[str, str], worker: str) -> Guarded:
    """A tracer that sends to where OpenTelemetry's own variables say, and stops nobody; raises
    `ValueError` or `RuntimeError` for variables that it cannot use.
    """
    ratio = _ratio(environ)
    _quieten()
    within = None if any(name in environ for name in TIMEOUTS) else SEND_WITHIN
    batches = BatchSpanProcessor(OTLPSpanExporter(timeout=within), max_queue_size=QUEUE)
    return Guarded(OtelTracer(worker, batches, ratio=ratio))


def _quieten() -> None:
    """What OpenTelemetry has to say, of each try to reach a collector, is one line now and then."""
    logger = logging.getLogger("opentelemetry")
    logger.handlers[:] = [_Quiet()]
    logger.propagate = False


class _Quiet(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self._told = Rarely(_log, "spans are not sent")

    def emit(self, record: logging.LogRecord) -> None:
        self._told.say(record.getMessage()[:REASON])


def _ratio(environ: Mapping[str, str]) -> float:
    said = environ.get(RATIO, "1")
    try:
        ratio = float(said)
    except ValueError:
        ratio = -1.0
    if not 0.0 <= ratio <= 1.0:
        raise SettingMissing(f"{RATIO} is {said!r}: it is a share from 0 to 1")
    return ratio


class OtelTracer:
    """Whether a trace is kept is said where it begins, and for what comes from a player here: of
    the ids that he names a share that only this process knows, by its `key`.
    """

    def __init__(
        self,
        worker: str,
        processor: SpanProcessor,
        *,
        ratio: float = 1.0,
        key: bytes | None = None,
    ) -> None:
        self._below = round(ratio * (1 << 8 * DRAWN))
        self._key = key or secrets.token_bytes(DRAWN)
        about = Resource.create({"service.name": f"waraq-{worker}"})
        self._provider = TracerProvider(
            resource=about,
            sampler=ParentBased(TraceIdRatioBased(ratio)),
            shutdown_on_exit=False,  # it waits half a minute for a collector that is away
        )
        self._provider.add_span_processor(processor)
        self._tracer = self._provider.get_tracer("waraq")

    def begin(
        self,
        name: str,
        parent: str | None,
        said: Mapping[str, str],
        *,
        began: int | None = None,
        link: str | None = None,
        drawn: bool = False,
    ) -> Span:
        span = self._tracer.start_span(
            name,
            _context(self._draw(parent) if drawn and parent else parent),
            links=_links(link),
            kind=trace.SpanKind.CONSUMER,
            attributes=dict(said),
            start_time=None if began is None else began * _MS,
        )
        return _Begun(span)

    def _draw(self, header: str) -> str:
        """With our word for whether it is kept; his own flags are not looked at."""
        version, trace_id, span_id, _ = header.split("-")
        found = blake2b(bytes.fromhex(trace_id), digest_size=DRAWN, key=self._key).digest()
        kept = int.from_bytes(found) < self._below
        return f"{version}-{trace_id}-{span_id}-{kept:02x}"

    async def close(self) -> None:
        """In a thread that nothing waits for in the end: OpenTelemetry takes its time."""
        loop, closed = asyncio.get_running_loop(), asyncio.Event()

        def shut() -> None:
            try:
                self._provider.shutdown()
            except Exception as error:  # noqa: BLE001 as in `Guarded`, which is not in this thread
                _log.warning("spans are lost", extra={"reason": place_of(error)})
            with contextlib.suppress(RuntimeError):  # the loop has ended before
                loop.call_soon_threadsafe(closed.set)

        threading.Thread(target=shut, name="traces' end", daemon=True).start()
        if not await happens(closed, CLOSE_WITHIN):
            _log.warning("spans are lost", extra={"reason": f"not sent within {CLOSE_WITHIN} s"})


def _context(header: str | None) -> Context:
    """Of nobody for None: not of what happens to be under way in this process either."""
    return _propagator.extract(carried(header), Context())


def _links(header: str | None) -> list[trace.Link]:
    if header is None:
        return []
    return [trace.Link(trace.get_current_span(_context(header)).get_span_context())]


class _Begun:
    def __init__(self, span: trace.Span) -> None:
        self._span = span

    @property
    def header(self) -> str | None:
        """None for a span that is none: what has no valid context is not told."""
        carrier: dict[str, str] = {}
        _propagator.inject(carrier, trace.set_span_in_context(self._span))
        return carrier.get(HEADER)

    def end(self) -> None:
        self._span.end()
