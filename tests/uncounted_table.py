"""The table worker with counters that do nothing: the other side of `tests.metrics_cost`."""

from contextlib import ExitStack
from typing import Final
from unittest import mock

from prometheus_client import Histogram

from services.table.__main__ import main
from services.table.metrics import TableMetrics
from services.table.timing import Timing

COUNTING: Final = (
    (TableMetrics, "turned"),
    (Timing, "appended"),
    (Timing, "confirmed"),
    (Histogram, "observe"),
)
"""What counts on a command's way. `observe` is in it twice, by itself and within the others: the
most that it can be.
"""


def nothing(*_: object, **__: object) -> None:
    """In the place of counting."""


if __name__ == "__main__":
    with ExitStack() as patched:
        for of, name in COUNTING:
            patched.enter_context(mock.patch.object(of, name, nothing))
        main()
