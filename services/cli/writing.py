"""The log as a command may write to it: alone, with no table at work on what it appends to."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Final

from services.cli.exits import FAILED, stop
from services.cli.place import (
    Place,
    forget_other_logs,
    is_empty,
    lock_folder,
    make_folder,
    stop_for,
)
from services.event_log.port import Batch, Claim, Entry, EventLog, LogError
from services.event_log.sql import open_log
from services.event_log.upgrade import upgrade

OWNER: Final = "waraq import"


@contextmanager
def writable_log(place: Place) -> Iterator[EventLog]:
    """The log at `place`. An embedded folder without one gets one, and is locked for the time.

    Stops the command where that cannot be, and for what goes wrong with the log inside.
    """
    with ExitStack() as stack:
        try:
            if "WARAQ_LOG_URL" not in place.environ:
                make_folder(place.data)
                stack.enter_context(lock_folder(place, "stop it first"))
                _prepare(place)
            log = open_log(place.log_url)
            stack.callback(log.close)
            yield log
        except LogError as error:
            stop_for(error)


def _prepare(place: Place) -> None:
    """As `waraq up` would, which cannot know later that the log was new."""
    upgrade(place.log_url)
    if is_empty(place.log_url):
        forget_other_logs(place)


class Appender:
    """Appends to partitions that it holds. Given up with the log's handle."""

    def __init__(self, log: EventLog) -> None:
        self._log = log
        self._claims: dict[int, Claim] = {}

    def take(self, partition: int) -> None:
        """From now on nobody else appends to it; stops the command if a table has it."""
        if not self._log.hold(partition):  # also the sign of life, once it is ours
            stop(
                FAILED,
                f"a table worker has partition {partition} of the log: stop the service first,"
                " or that worker",
            )
        if partition not in self._claims:
            self._claims[partition] = self._log.claim(partition, OWNER)

    def append(self, partition: int, entries: tuple[Entry, ...]) -> None:
        """All of them in one transaction, to a partition that was taken."""
        self._log.append(self._claims[partition], Batch(entries=entries))
