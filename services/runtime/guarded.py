"""A tracer that stops nobody: what it raises is told now and then, and the game goes on."""

import logging
from collections.abc import Mapping

from services.runtime.faults import place_of
from services.runtime.rarely import Rarely
from services.runtime.tracing import Span, Tracer

_log = logging.getLogger(__name__)


class Guarded:
    """`tracer`, which may raise whatever it likes at any time; this one raises nothing."""

    def __init__(self, tracer: Tracer) -> None:
        self._tracer = tracer
        self._faults = Rarely(_log, "the tracer failed")

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
        try:
            span = self._tracer.begin(name, parent, said, began=began, link=link, drawn=drawn)
        except Exception as error:  # noqa: BLE001 whatever it is, it is not the game's
            self._faults.say(place_of(error))
            return _Nothing()
        return _Guarded(span, self._faults)

    async def close(self) -> None:
        try:
            await self._tracer.close()
        except Exception as error:  # noqa: BLE001 as in `begin`
            self._faults.say(place_of(error))


class _Guarded:
    def __init__(self, span: Span, faults: Rarely) -> None:
        self._span = span
        self._faults = faults

    @property
    def header(self) -> str | None:
        try:
            return self._span.header
        except Exception as error:  # noqa: BLE001 as in `begin`
            self._faults.say(place_of(error))
            return None

    def end(self) -> None:
        try:
            self._span.end()
        except Exception as error:  # noqa: BLE001 as in `begin`
            self._faults.say(place_of(error))


class _Nothing:
    """What could not begin."""

    @property
    def header(self) -> None:
        return None

    def end(self) -> None:
        """There is nothing to end."""
