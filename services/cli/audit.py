"""`waraq audit`: is each match the one that was sealed, played by its rules, and whole?"""

from collections.abc import Iterable, Iterator
from contextlib import closing
from itertools import islice

import click
from msgspec.structs import replace

from schemas.ids import MatchId, matches
from services.cli import complete, say
from services.cli.exits import DIFFERENCE, NOT_FOUND, USAGE, stop
from services.cli.in_file import Found, is_missing, matches_at
from services.cli.kept import Kept, read_kept
from services.cli.place import Place, as_json, at_place, reader, stop_for
from services.cli.progress import Progress
from services.cli.streams import is_there
from services.event_log.port import LogError, Reader
from services.replay.audit import Finding, Policy, Questions
from services.replay.audit_log import audit_all, audit_stream
from services.replay.match_entries import audit_file
from services.replay.text.several import Untrue
from services.runtime.settings import BOT_POLICY


@click.command()
@click.argument("name", metavar="[ID|FILE]", required=False, shell_complete=complete.ids_or_files)
@click.option("--all", "whole", is_flag=True, help="Every match, and the log's positions.")
@click.option(
    "--head",
    metavar="HEAD|FILE",
    shell_complete=complete.files,
    help="A head that a client saw, or a match file that was kept: is its history here?",
)
@click.option("--bots", is_flag=True, help="Decide again what the house's bots decided.")
@at_place
@as_json
def audit(
    place: Place, name: str | None, *, whole: bool, head: str | None, bots: bool, as_json: bool
) -> None:
    """Make a match again from what its players did, and compare; with --all the whole log.

    Seals, shuffles, deals, tricks, scores: whatever follows by rule or by chance must come out
    byte for byte. Says of each match the first version that is not as it should be, and why.
    A FILE (- is stdin) of one or more matches needs no log.
    """
    if (name is None) == (not whole):
        stop(USAGE, "name one match or a file of them, or say --all")
    asked, kept = Questions(policy=_policy() if bots else None), read_kept(head)
    if name is None:
        bad = _audit_log(place, None, replace(asked, seen=kept.of_all()), as_json=as_json)
    elif matches(name, MatchId):
        bad = _audit_log(place, name, replace(asked, seen=kept.of(name)), as_json=as_json)
    else:
        bad = _report(_in_file(name, kept, asked), 0, as_json=as_json)
    if bad:
        stop(DIFFERENCE, f"{bad} not as it should be")


def _policy() -> Policy:
    from services.bot.policy import choose  # noqa: PLC0415 the search takes long to load

    return Policy(BOT_POLICY, choose)


# What is audited ------------------------------------------------------------------------------


def _audit_log(place: Place, match_id: MatchId | None, asked: Questions, *, as_json: bool) -> int:
    """How many are bad, of one match or of all of them."""
    with closing(reader(place)) as log:
        try:
            if match_id is None:
                return _report(audit_all(log, asked), _events(log), as_json=as_json)
            return _report(_one(log, match_id, asked), 0, as_json=as_json)
        except LogError as error:
            stop_for(error)


def _one(log: Reader, match_id: MatchId, asked: Questions) -> Iterator[Finding]:
    if not is_there(log, match_id):
        stop(NOT_FOUND, f"the log has no match {match_id!a}: see `waraq match list`")
    yield audit_stream(log, match_id, asked)


def _in_file(name: str, kept: Kept, asked: Questions) -> Iterator[Finding]:
    """Each match of a file; what was kept of matches that it has not is nothing about it."""
    if is_missing(name):
        stop(NOT_FOUND, f"{name!a} is neither a match's id nor a file: see `waraq match list`")
    compared = 0
    for found in matches_at(name) if kept.head is None else [_alone(name)]:
        match = found.match
        known = kept.head is not None or match in kept.matches
        compared += known
        yield _finding(found, replace(asked, seen=kept.of(match) if known else {}))
    if kept.name and not compared:
        stop(NOT_FOUND, f"{kept.name} has nothing of the matches in {name}")


def _alone(name: str) -> Found:
    """The one match of a file; stops the command if it has more, before anything is said of one."""
    first, *others = islice(matches_at(name), 2)
    if others:
        stop(USAGE, f"{name} has several matches, and a head is one match's: keep a file")
    return first


def _finding(found: Found, asked: Questions) -> Finding:
    if isinstance(found, Untrue):
        return Finding(match=found.match, events=found.events, ok=False, first_bad=found.fault)
    return audit_file(found, asked)


def _events(log: Reader) -> int:
    """How many events the log has now; a running table goes on."""
    return sum(log.position(number) for number in range(log.info().partitions))


# What is said ---------------------------------------------------------------------------------


def _report(findings: Iterable[Finding], total: int, *, as_json: bool) -> int:
    """Print each finding, of a whole log (of `total` events) in prose the bad only; count those."""
    checked = bad = events = decisions = 0
    again = ""
    progress = Progress("events", total)
    for finding in findings:
        checked += 1
        bad += not finding.ok
        events += finding.events
        if finding.bots is not None:
            decisions += finding.bots.decisions
            again = f", {decisions} decisions of bots made again"
        progress.report(events)
        if as_json or not total or not finding.ok or _unchecked(finding):
            progress.clear()
            say.result(finding, _prose(finding), as_json=as_json)
    progress.clear()
    say.prose(f"{checked} checked, {events} events{again}, {bad} bad")
    return bad


def _unchecked(finding: Finding) -> bool:
    return finding.bots is not None and finding.bots.verdict == "not checked"


def _prose(finding: Finding) -> str:
    name = finding.match or "the log"
    if finding.first_bad is not None:
        bad = finding.first_bad
        return f"{name}: {say.fault(bad.version, bad.reason)}"
    told = "whole"
    if finding.unproven is not None:
        told = f"its chain is whole, but from version {finding.unproven} on its cards are not known"
    bots = "" if finding.bots is None else f", bots ({finding.bots.policy}) {finding.bots.verdict}"
    return f"{name}: {finding.events} events, {told}{bots}"
