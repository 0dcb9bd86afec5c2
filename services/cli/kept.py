"""Heads that somebody kept: one alone, or all of a match file, against which a log is held."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from schemas.ids import Hex32, MatchId, matches
from services.cli.exits import NOT_FOUND, USAGE, stop
from services.cli.in_file import matches_at
from services.replay.heads import Seen
from services.replay.match_entries import chain_fault
from services.replay.match_file import MatchFile
from services.replay.signed_heads import check

KEPT_HEADS: Final = 10_000_000
"""The most heads of a kept file that are held in memory, about 1 GB of them."""


def kept_heads(head: str | None, match: MatchId | None) -> Mapping[MatchId, Seen]:
    """What was seen of `match` (None: of every match of a log); stops the command if `head` is
    neither a head nor a match file that holds together.
    """
    if head is None:
        return {}
    if matches(head, Hex32):
        if match is None:
            stop(USAGE, "a head is one match's: name the match, or keep a file")
        return {match: Seen(head=head)}
    if not Path(head).exists():
        stop(USAGE, f"{head!a} is neither a head (64 digits of 0-9 and a-f) nor a match file")
    return _of_file(head, match)


def _of_file(name: str, match: MatchId | None) -> Mapping[MatchId, Seen]:
    found = {file.header.match: _seen(file) for file in _bounded(name, match)}
    if match is not None and match not in found:
        stop(NOT_FOUND, f"{name} has nothing of {match}")
    return found


def _bounded(name: str, match: MatchId | None) -> Iterator[MatchFile]:
    held = 0
    for file in matches_at(name):
        if match is not None and file.header.match != match:
            continue
        held += file.header.events
        if held > KEPT_HEADS:
            stop(USAGE, f"{name} has over {KEPT_HEADS} heads: name the match")
        _check(name, file)
        yield file


def _check(name: str, file: MatchFile) -> None:
    """A file that speaks against itself says nothing about a log."""
    signed, match = file.header.signed, file.header.match
    if chain_fault(file) is not None:
        stop(USAGE, f"{name}: the lines of {match} do not chain to their heads")
    if signed is not None and check(signed, file.last_head) != "good":
        stop(USAGE, f"{name}: the signature of {match} is not that of the key that it names")


def _seen(file: MatchFile) -> Seen:
    return Seen(heads={version: line.head for version, line in enumerate(file.lines, 1)})
