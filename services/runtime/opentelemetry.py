"""Traces by OpenTelemetry; loaded only where `WARAQ_TRACING` says so."""

from collections.abc import Mapping
from typing import Final

from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.sdk.trace.sampling import TraceIdRatioBased
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from schemas.traces import HEADER
from services.runtime.guarded import Guarded
from services.runtime.settings import SettingMissing
from services.runtime.tracing import Span

RATIO: Final = "OTEL_TRACES_SAMPLER_ARG"
"""The share of traces that is kept, from 0 to 1; all if not set."""
QUEUE: Final = 2_048
"""Spans that wait to be sent; of more those that come are dropped."""
_MS: Final = 1_000_000
"""In nanoseconds."""
_propagator: Final = TraceContextTextMapPropagator()


def exporting(environ: Mapping[str, str], worker: str) -> Guarded:
    """A tracer that sends to where OpenTelemetry's own variables say, and stops nobody; raises
    `ValueError` or `RuntimeError` for variables that it cannot use.
    """
    ratio = _ratio(environ)
    batches = BatchSpanProcessor(OTLPSpanExporter(), max_queue_size=QUEUE)
    return Guarded(OtelTracer(worker, batches, ratio=ratio))


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
    """Whether a trace is kept follows from its id alone: a client's wish is not heard."""

    def __init__(self, worker: str, processor: SpanProcessor, *, ratio: float = 1.0) -> None:
        about = Resource.create({"service.name": f"waraq-{worker}"})
        self._provider = TracerProvider(resource=about, sampler=TraceIdRatioBased(ratio))
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
    ) -> Span:
        span = self._tracer.start_span(
            name,
            _context(parent),
            links=_links(link),
            kind=trace.SpanKind.CONSUMER,
            attributes=dict(said),
            start_time=None if began is None else began * _MS,
        )
        return _Begun(span)

    def close(self) -> None:
        self._provider.shutdown()


def _context(header: str | None) -> Context:
    """Of nobody for None: not of what happens to be under way in this process either."""
    return _propagator.extract({HEADER: header} if header else {}, Context())


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
