"""What scoring counts: there, in this program's form, and not behind the log."""

import time
from collections.abc import Iterator
from contextlib import closing
from typing import Final

from services.cli.doctor.finding import Finding, see
from services.cli.place import Place
from services.event_log.port import LogError, LogMissing, LogUnreachable
from services.event_log.sql import open_reader
from services.scoring.database import (
    StandingsError,
    StandingsMissing,
    StandingsUnreachable,
    disposing,
    open_existing,
)
from services.scoring.standings import Standings
from services.scoring.worker import CATCH_UP_EVERY

BEHIND: Final = see("standings-behind")
LOOK_AGAIN: Final = 2 * CATCH_UP_EVERY
"""Seconds in which a scoring worker that lives has caught up with what was missing, or some."""


def look(place: Place) -> Iterator[Finding]:
    """Raises nothing. Waits `LOOK_AGAIN` where something is behind, to see whether it moves."""
    try:
        yield _lag(place)
    except StandingsMissing as error:
        yield Finding(
            check="standings", level="bad", what=str(error), next="waraq standings rebuild"
        )
    except StandingsUnreachable as error:
        what = f"their database does not answer: {error}"
        yield Finding(check="standings", level="unreachable", what=what, next=BEHIND)
    except StandingsError as error:
        yield Finding(check="standings", level="bad", what=str(error), next=BEHIND)
    except (LogMissing, LogUnreachable):
        return  # said by who looks at the log
    except LogError as error:
        yield Finding(check="standings", level="bad", what=str(error), next=BEHIND)


def _lag(place: Place) -> Finding:
    with (
        closing(open_reader(place.log_url)) as log,
        disposing(open_existing(place.standings_url)) as engine,
    ):
        standings = Standings(engine)
        first = standings.behind(log)
        if not first:
            return Finding(check="standings", level="ok", what="nothing is behind the log")
        time.sleep(LOOK_AGAIN)
        second = standings.behind(log)
    if second < first:
        what = f"{second} events behind the log, and catching up"
        return Finding(check="standings", level="ok", what=what)
    what = f"{second} events behind the log, and not catching up"
    return Finding(check="standings", level="bad", what=what, next=BEHIND)
