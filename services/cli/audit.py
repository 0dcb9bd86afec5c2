"""`waraq audit`: is each match the one that was sealed, and is the log whole?"""

import sys
from collections.abc import Iterable, Iterator
from typing import Final

import click

from schemas.ids import MatchId, matches
from services.cli import say
from services.cli.exits import DIFFERENCE, NOT_FOUND, USAGE, stop
from services.cli.place import Place, as_json, at_place, reader, stop_for
from services.event_log.port import LogError, LogUnreachable, Reader
from services.replay.audit import Finding, audit_all, audit_stream

PROGRESS_EVERY: Final = 100
"""Matches between two lines of progress."""


@click.command()
@click.argument("match_id", metavar="ID", required=False)
@click.option("--all", "whole", is_flag=True, help="Every match, and the log's positions.")
@at_place
@as_json
def audit(place: Place, match_id: str | None, *, whole: bool, as_json: bool) -> None:
    """Check chain, seals and shuffles of a match, or with --all of the whole log."""
    if (match_id is None) == (not whole):
        stop(USAGE, "name one match, or say --all")
    log = reader(place)
    try:
        findings = audit_all(log) if match_id is None else _one(log, match_id)
        bad = _report(findings, as_json=as_json)
    except LogError as error:
        stop_for(error)
    if bad:
        stop(DIFFERENCE, f"{bad} not as it should be")


def _one(log: Reader, match_id: str) -> Iterator[Finding]:
    if not matches(match_id, MatchId) or not _is_there(log, match_id):
        stop(NOT_FOUND, f"the log has no match {match_id!a}: see `waraq match list`")
    yield audit_stream(log, match_id)


def _is_there(log: Reader, match_id: str) -> bool:
    try:
        return bool(log.load(match_id, limit=1))
    except LogUnreachable:
        raise
    except LogError:
        return True  # its first row cannot be read: that is for the audit to say


def _report(findings: Iterable[Finding], *, as_json: bool) -> int:
    """Print each finding; how many are bad."""
    bad = events = done = 0
    for done, finding in enumerate(findings, 1):
        bad += not finding.ok
        events += finding.events
        if as_json or not finding.ok:
            say.result(finding, _prose(finding), as_json=as_json)
        if done % PROGRESS_EVERY == 0 and sys.stderr.isatty():
            say.prose(f"{done} matches")
    say.prose(f"{done} checked, {events} events, {bad} bad")
    return bad


def _prose(finding: Finding) -> str:
    name = finding.match or "the log"
    if finding.first_bad is None:
        return f"{name}: {finding.events} events, whole"
    return f"{name}: version {finding.first_bad.version}: {finding.first_bad.reason}"
