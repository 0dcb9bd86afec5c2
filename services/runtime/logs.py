"""Logs: one JSON object a line on stderr, with ids and never with cards.

Of a fault only kind and place are told (`services.runtime.faults`).
"""

import json
import logging
import sys
from typing import Final

from services.runtime.faults import trace_of

_PLAIN: Final = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


class JsonLines(logging.Formatter):
    """`time`, `level`, `worker`, `said`, and what the call gave as `extra`."""

    def __init__(self, worker: str) -> None:
        super().__init__()
        self._worker = worker

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "time": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"),
            "level": record.levelname.lower(),
            "worker": self._worker,
            "said": record.getMessage(),
        }
        line |= {key: value for key, value in vars(record).items() if key not in _PLAIN}
        if record.exc_info:
            error = record.exc_info[1]
            line["trace"] = trace_of(error) if error else None
        return json.dumps(line, default=str)


def log_to_stderr(worker: str, level: str = "info") -> None:
    """`level`: debug, info, warning or error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines(worker))
    known = logging.getLevelNamesMapping().get(level.upper(), logging.INFO)
    logging.basicConfig(handlers=[handler], level=known, force=True)
