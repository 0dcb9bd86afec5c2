"""Traces from a command to its event, by W3C's `traceparent` in the broker's headers.

Without the extra `tracing` nothing of this is loaded but these words, and nothing is sent. The log
knows no trace: it is of a run, and the log is for ever.
"""

import importlib
from collections.abc import Mapping
from typing import Final, Protocol

from services.runtime.settings import SettingMissing

SETTING: Final = "WARAQ_TRACING"
INSTALL: Final = ".venv/bin/pip install -e '.[tracing]', for the image --build-arg EXTRAS=tracing"


class Span(Protocol):
    """Something that takes its time, and is under way."""

    @property
    def header(self) -> str:
        """What follows from it is told by this."""
        ...

    def end(self) -> None: ...


class Tracer(Protocol):
    def begin(
        self,
        name: str,
        parent: str | None,
        said: Mapping[str, str],
        *,
        began: int | None = None,
        link: str | None = None,
    ) -> Span:
        """`parent` is a header's value, None for what nobody traced before; `said`: attributes,
        which name no card; `began`: Unix ms, now if not given; `link`: a header's value of another
        trace that this one came out of.
        """
        ...

    def close(self) -> None:
        """Send what is not sent yet."""
        ...


def tracer_of(environ: Mapping[str, str], worker: str) -> Tracer | None:
    """None unless `WARAQ_TRACING` is 1; raises `SettingMissing` without the extra.

    Where it is sent OpenTelemetry's own variables say: `OTEL_EXPORTER_OTLP_ENDPOINT` and others.
    """
    said = environ.get(SETTING, "")
    if said not in {"", "0", "1"}:
        raise SettingMissing(f"{SETTING} is {said!r}: it is 1, or 0")
    if said != "1":
        return None
    try:
        opentelemetry = importlib.import_module("services.runtime.opentelemetry")
    except ImportError as error:
        raise SettingMissing(f"{SETTING} needs what is not installed: {INSTALL}") from error
    found: Tracer = opentelemetry.exporting(environ, worker)
    return found
