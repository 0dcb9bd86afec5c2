"""The log: its form and guards, its owners, its positions, its database's speed and clock."""

from collections.abc import Iterator
from contextlib import closing
from typing import Final

from services.cli.doctor.finding import Finding, measured, see
from services.cli.letters import letters, seen
from services.cli.place import Place, shown_url
from services.event_log import upgrade as upgrades
from services.event_log.port import LogError, LogMissing, LogUnreachable
from services.event_log.sql import open_reader
from services.event_log.survey import LAST_ROWS, LogFound, survey
from services.table.outbox import UNCONFIRMED

SLOW_MS: Final = (50.0, 500.0)
"""Milliseconds that one small question may take: a warning, bad."""
SKEW: Final = (1.0, 5.0)
"""Seconds between two clocks: a warning, bad. Turns' ends and tokens' ends are said in them."""
UNCONFIRMED_EVENTS: Final = (UNCONFIRMED / 5, float(UNCONFIRMED))
"""Events of a partition that EVENTS has not confirmed: a warning; commands wait from here on."""


def look(place: Place) -> Iterator[Finding]:
    """Raises nothing: a log that cannot be read is a finding."""
    try:
        yield from _form(place)
        found = survey(place.log_url)
        yield from _stands(found)
        yield from _letters(place, found)
    except LogMissing as error:
        yield Finding(check="log", level="bad", what=str(error), next=_where(place))
    except LogUnreachable as error:
        yield _away(place, error)
    except LogError as error:
        yield Finding(check="log", level="bad", what=str(error), next="waraq audit --all")


def _where(place: Place) -> str:
    """A slip in the name of the place is commoner than a log that was never made, and an empty log
    there would look like one that has lost everything.
    """
    named = "WARAQ_LOG_URL" if place.environ.get("WARAQ_LOG_URL") else f"--data {place.data}"
    return f"is {named} right? Only for a new service: waraq db upgrade"


def _away(place: Place, error: LogUnreachable) -> Finding:
    what = f"the log's database does not answer ({shown_url(place.log_url)}): {error}"
    return Finding(check="log", level="unreachable", what=what, next=see("database-away"))


def _form(place: Place) -> Iterator[Finding]:
    checked = upgrades.check(place.log_url)
    for problem in checked.problems:
        old = checked.revision != checked.head
        to_do = "waraq db upgrade" if old else see("restore-from-a-backup")
        yield Finding(check="log form", level="bad", what=problem, next=to_do)
    if not checked.problems:
        what = f"revision {checked.revision}, guarded against changes"
        yield Finding(check="log form", level="ok", what=what)


def _stands(found: LogFound) -> Iterator[Finding]:
    parts, info = found.partitions, found.info
    events, open_ = sum(one.position for one in parts), sum(one.open for one in parts)
    yield Finding(
        check="log",
        level="ok",
        what=f"generation {info.generation}, {info.partitions} partitions, {events} events,"
        f" {open_} open matches",
    )
    yield _owners(found)
    for part in parts:
        if not part.whole:
            what = f"partition {part.partition}: its latest {LAST_ROWS} rows have a gap"
            yield Finding(check="positions", level="bad", what=what, next="waraq audit --all")
    if all(part.whole for part in parts):
        what = f"the latest {LAST_ROWS} of each partition without a gap"
        yield Finding(check="positions", level="ok", what=what)
    yield _outbox(found)
    slow, to_do = f"a question takes {found.milliseconds} ms", see("log-slow")
    yield measured("database", found.milliseconds, SLOW_MS, slow, to_do)
    if found.skew is not None:
        yield clock("database clock", found.skew)


def _owners(found: LogFound) -> Finding:
    alone = [one for one in found.partitions if not one.held]
    if not alone:
        return Finding(check="owners", level="ok", what="each partition has one")
    waiting = sum(one.open for one in alone)
    what = (
        f"{len(alone)} of {len(found.partitions)} partitions have no owner:"
        f" {waiting} open matches stand still"
    )
    return Finding(check="owners", level="bad", what=what, next=see("partition-without-owner"))


def _outbox(found: LogFound) -> Finding:
    behind = max(one.position - one.published for one in found.partitions)
    what = f"at most {behind} events of a partition are not known to be in EVENTS"
    return measured("outbox", behind, UNCONFIRMED_EVENTS, what, see("events-unconfirmed"))


def clock(check: str, skew: float) -> Finding:
    what = f"{abs(skew):.1f} s {'ahead of' if skew > 0 else 'behind'} this machine's"
    return measured(check, abs(skew), SKEW, what, see("clocks-apart"))


def _letters(place: Place, found: LogFound) -> Iterator[Finding]:
    waiting = 0
    if found.letters:
        with closing(open_reader(place.log_url)) as log:
            waiting = sum(seen(log, letter).state == "waits" for letter in letters(log))
    what = f"{waiting} wait, of {found.letters}"
    if waiting:
        to_do = "waraq dead-letters list --waiting"
        yield Finding(check="dead letters", level="warning", what=what, next=to_do)
    else:
        yield Finding(check="dead letters", level="ok", what=what)
