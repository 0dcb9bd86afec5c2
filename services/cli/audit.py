"""`waraq audit`: is each match the one that was sealed, played by its rules, and whole?"""

from collections.abc import Iterable, Iterator
from typing import Final

import click

from schemas.ids import Hex32, MatchId, matches
from services.cli import say
from services.cli.exits import DIFFERENCE, NOT_FOUND, USAGE, stop
from services.cli.place import Place, as_json, at_place, reader, stop_for
from services.cli.progress import Progress
from services.event_log.port import LogError, LogUnreachable, Reader
from services.replay.audit import Finding, Policy, Questions
from services.replay.audit_log import audit_all, audit_stream
from services.replay.heads import Seen
from services.runtime.settings import BOT_POLICY

HEAD_DIGITS: Final = 64


@click.command()
@click.argument("match_id", metavar="[ID|FILE]", required=False)
@click.option("--all", "whole", is_flag=True, help="Every match, and the log's positions.")
@click.option("--head", metavar="HEAD", help="A head that a client saw: is its history here?")
@click.option("--bots", is_flag=True, help="Decide again what the house's bots decided.")
@at_place
@as_json
def audit(
    place: Place,
    match_id: str | None,
    *,
    whole: bool,
    head: str | None,
    bots: bool,
    as_json: bool,
) -> None:
    """Make a match again from what its players did, and compare; with --all the whole log.

    Seals, shuffles, deals, tricks, scores: whatever follows by rule or by chance must come out
    byte for byte. Says of each match the first version that is not as it should be, and why.
    """
    if (match_id is None) == (not whole):
        stop(USAGE, "name one match, or say --all")
    asked = Questions(policy=_policy() if bots else None, seen=_seen(head, whole=whole))
    log = reader(place)
    try:
        findings = audit_all(log, asked) if match_id is None else _one(log, match_id, asked)
        bad = _report(findings, _events(log) if whole else 0, as_json=as_json)
    except LogError as error:
        stop_for(error)
    if bad:
        stop(DIFFERENCE, f"{bad} not as it should be")


def _policy() -> Policy:
    from services.bot.policy import choose  # noqa: PLC0415 the search takes long to load

    return Policy(BOT_POLICY, choose)


def _seen(head: str | None, *, whole: bool) -> Seen | None:
    if head is None:
        return None
    if whole:
        stop(USAGE, "a head is one match's: name the match, not --all")
    if not matches(head, Hex32):
        stop(USAGE, f"{head!a} is no head: {HEAD_DIGITS} digits of 0-9 and a-f")
    return Seen(head=head)


def _one(log: Reader, match_id: str, asked: Questions) -> Iterator[Finding]:
    if not matches(match_id, MatchId) or not _is_there(log, match_id):
        stop(NOT_FOUND, f"the log has no match {match_id!a}: see `waraq match list`")
    yield audit_stream(log, match_id, asked)


def _is_there(log: Reader, match_id: str) -> bool:
    try:
        return bool(log.load(match_id, limit=1))
    except LogUnreachable:
        raise
    except LogError:
        return True  # its first row cannot be read: that is for the audit to say


def _events(log: Reader) -> int:
    """How many events the log has now; a running table goes on."""
    return sum(log.position(number) for number in range(log.info().partitions))


def _report(findings: Iterable[Finding], total: int, *, as_json: bool) -> int:
    """Print each finding, of a whole log (of `total` events) in prose the bad only; count those."""
    checked = bad = events = 0
    progress = Progress("events", total)
    for finding in findings:
        checked += 1
        bad += not finding.ok
        events += finding.events
        progress.report(events)
        if as_json or not total or not finding.ok or _unchecked(finding):
            progress.clear()
            say.result(finding, _prose(finding), as_json=as_json)
    progress.clear()
    say.prose(f"{checked} checked, {events} events, {bad} bad")
    return bad


def _unchecked(finding: Finding) -> bool:
    return finding.bots is not None and finding.bots.verdict == "not checked"


def _prose(finding: Finding) -> str:
    name = finding.match or "the log"
    if finding.first_bad is not None:
        return f"{name}: version {finding.first_bad.version}: {finding.first_bad.reason}"
    bots = "" if finding.bots is None else f", bots ({finding.bots.policy}) {finding.bots.verdict}"
    return f"{name}: {finding.events} events, whole{bots}"
