"""`waraq doctor`: all looks, one after another, and an exit code that a script can go by."""

from collections.abc import Callable, Iterator
from typing import Final

import click

from services.cli import say
from services.cli.doctor import (
    of_broker,
    of_door,
    of_folder,
    of_keys,
    of_log,
    of_machine,
    of_standings,
    of_workers,
)
from services.cli.doctor.finding import Finding
from services.cli.exits import DIFFERENCE, UNREACHABLE, stop
from services.cli.place import Place, as_json, at_place
from services.runtime.logs import log_to_stderr

LOOKS: Final[tuple[Callable[[Place], Iterator[Finding]], ...]] = (
    of_machine.look,
    of_folder.look,
    of_keys.look,
    of_log.look,
    of_broker.look,
    of_workers.look,
    of_door.look,
    of_standings.look,
)
TO_DO: Final = frozenset({"warning", "bad"})


@click.command()
@at_place
@as_json
def doctor(place: Place, *, as_json: bool) -> None:
    """Look at the whole service: what is wrong, how bad it is, and what to do next.

    Looks at this machine's disk and settings, at the data folder, keys, the log, the broker, the
    workers, the door for players and the standings, and changes nothing. It prints no secret and
    no card.
    """
    log_to_stderr("doctor", "critical")  # what a connection says on the way is in the findings
    levels = []
    for look in LOOKS:
        for finding in look(place):
            levels.append(finding.level)
            say.result(finding, _prose(finding), as_json=as_json)
    if "unreachable" in levels:
        stop(UNREACHABLE, "something could not be reached, and so not be looked at")
    wrong = sum(level in TO_DO for level in levels)
    if wrong:
        stop(DIFFERENCE, f"{wrong} of {len(levels)} findings are to be looked after")


def _prose(finding: Finding) -> str:
    what = "\n".join(map(say.foreign, finding.what.splitlines()))  # a database says several
    said = f"{finding.level:<11} {say.foreign(finding.check)}: {what}"
    return f"{said}\n            next: {finding.next}" if finding.next else said
