"""Standings with matches in them, for the web worker to read."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from services.event_log.port import Row
from services.scoring.database import disposing, open_engine
from services.scoring.standings import Standings
from tests.scoring.databases import new_log, store_together

PATHS: Final = (
    "/tables",
    "/matches",
    "/standings",
    "/players/u_0123456789ab",
    "/ticket?offset=0",
)
"""Every route that needs the standings' database."""


def count(url: str, *matches: Sequence[Row]) -> None:
    """Make the standings of a log that has these matches."""
    with standings(url) as found:
        log = new_log()
        store_together(log, matches)
        found.rebuild(log)


@contextmanager
def standings(url: str) -> Iterator[Standings]:
    """As the scoring worker has them, their tables made."""
    with disposing(open_engine(url)) as engine:
        found = Standings(engine)
        found.create()
        yield found
