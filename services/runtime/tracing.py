"""Traces from a command to its event, by W3C's `traceparent` in the broker's headers.

Without the extra `tracing` nothing of this is loaded but these words, and nothing is sent. The log
knows no trace: it is of a run, and the log is for ever.
"""

import importlib
import logging
from collections.abc import Mapping
from typing import Final, Protocol

from services.runtime.settings import SettingMissing

SETTING: Final = "WARAQ_TRACING"
INSTALL: Final = ".venv/bin/pip install -e '.[tracing]', for the image --build-arg EXTRAS=tracing"
DISABLED: Final = "OTEL_SDK_DISABLED"
"""OpenTelemetry's own word for it: `true`, and nothing is traced."""

_log = logging.getLogger(__name__)


class Span(Protocol):
    """Something that takes its time, and is under way."""

    @property
    def header(self) -> str | None:
        """What follows from it is told by this; None where there is nothing to follow from."""
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
        drawn: bool = False,
    ) -> Span:
        """`parent` is a header's value, None for what nobody traced before; `said`: attributes,
        which name no card; `began`: Unix ms, now if not given; `link`: a header's value of another
        trace that this one came out of; `drawn`: whoever named `parent` has no say in whether the
        trace is kept.
        """
        ...

    async def close(self) -> None:
        """Send what is not sent yet, as far as that goes quickly."""
        ...


def tracer_of(environ: Mapping[str, str], worker: str) -> Tracer | None:
    """None unless `WARAQ_TRACING` is 1, and where OpenTelemetry is told to be off; raises
    `SettingMissing` without the extra, or for variables that it cannot use. It raises nothing when
    it is used: see `Guarded`.

    Where it is sent OpenTelemetry's own variables say: `OTEL_EXPORTER_OTLP_ENDPOINT` and others.
    """
    said = environ.get(SETTING, "")
    if said not in {"", "0", "1"}:
        raise SettingMissing(f"{SETTING} is {said!r}: it is 1, or 0")
    if said != "1":
        return None
    if environ.get(DISABLED, "").strip().lower() == "true":
        _log.info("nothing is traced", extra={"reason": f"{DISABLED} is true"})
        return None
    try:
        opentelemetry = importlib.import_module("services.runtime.opentelemetry")
        found: Tracer = opentelemetry.exporting(environ, worker)
    except ImportError as error:
        raise SettingMissing(f"{SETTING} needs what is not installed: {INSTALL}") from error
    except (ValueError, RuntimeError) as error:
        raise SettingMissing(f"OpenTelemetry cannot use its variables: {error}") from error
    return found
