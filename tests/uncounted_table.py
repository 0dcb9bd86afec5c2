"""The table worker with counters that do nothing: the other side of `tests.metrics_cost`."""

from unittest import mock

from prometheus_client import Histogram

from services.table.__main__ import main
from services.table.metrics import TableMetrics
from services.table.timing import Timing


def nothing(*_: object, **__: object) -> None:
    """In the place of counting."""


if __name__ == "__main__":
    with (
        mock.patch.object(TableMetrics, "turned", nothing),
        mock.patch.object(Histogram, "observe", nothing),
        mock.patch.object(Timing, "appended", nothing),
        mock.patch.object(Timing, "confirmed", nothing),
    ):
        main()
