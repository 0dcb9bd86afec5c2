"""Heads that somebody kept: one alone, or all of a match file, against which a log is held."""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct, field

from schemas.ids import Hex32, MatchId, matches
from services.cli.exits import NOT_FOUND, USAGE, stop
from services.cli.in_file import is_missing, matches_at
from services.replay.heads import Seen, missing
from services.replay.match_entries import chain_fault
from services.replay.match_file import MatchFile
from services.replay.rebuild import JUDGE
from services.replay.signed_heads import check
from services.replay.text.several import Untrue

KEPT_HEADS: Final = 10_000_000
"""The most heads of a kept file that are held in memory, about 1 GB of them."""


class Kept(Struct, frozen=True, kw_only=True):
    """What `--head` names: a head of whatever match is asked about, or the matches of a file."""

    name: str = ""
    head: Hex32 | None = None
    matches: Mapping[MatchId, Seen] = field(default_factory=dict)

    def of(self, match: MatchId) -> Mapping[MatchId, Seen]:
        """What was seen of one match; stops the command if that is nothing."""
        if self.head is not None:
            return {match: Seen(head=self.head)}
        if self.name and match not in self.matches:
            stop(NOT_FOUND, f"{self.name} has nothing of {match}")
        return {match: self.matches[match]} if self.name else {}

    def of_all(self) -> Mapping[MatchId, Seen]:
        """What was seen of every match of a log; stops the command if it is one head alone."""
        if self.head is not None:
            stop(USAGE, "a head is one match's: name the match, or keep a file")
        return self.matches


def read_kept(head: str | None) -> Kept:
    """Stops the command if `head` is neither a head nor a match file that holds together."""
    if head is None:
        return Kept()
    if matches(head, Hex32):
        return Kept(head=head)
    if is_missing(head):
        stop(NOT_FOUND, f"there is no file {head!a}, and a head has 64 digits of 0-9 and a-f")
    return Kept(name=head, matches=_of_file(head))


def _of_file(name: str) -> Mapping[MatchId, Seen]:
    found: dict[MatchId, Seen] = {}
    held = 0
    for file in matches_at(name):
        if isinstance(file, Untrue):
            stop(USAGE, f"{name}: {file.match} is no true match: {file.fault.reason}")
        held += file.header.events
        if held > KEPT_HEADS:
            stop(USAGE, f"{name} has over {KEPT_HEADS} heads: keep the matches in several files")
        _check(name, file)
        match, seen = file.header.match, _seen(file)
        found[match] = _longer(name, match, found.get(match, seen), seen)
    return found


def _seen(file: MatchFile) -> Seen:
    commands = [line.command for line in file.lines] if file.header.viewer == JUDGE else []
    heads = tuple(line.head for line in file.lines)
    return Seen(heads=heads, commands=tuple(commands))


def _longer(name: str, match: MatchId, one: Seen, other: Seen) -> Seen:
    """Of two kept states of a match the later; stops the command if they are two histories."""
    first, second = sorted((one, other), key=lambda seen: len(seen.heads))
    fork = missing(second.heads, first)
    if fork is not None:
        stop(USAGE, f"{name} has two histories of {match}, which part at version {fork.version}")
    return second


def _check(name: str, file: MatchFile) -> None:
    """A file that speaks against itself says nothing about a log."""
    signed, match = file.header.signed, file.header.match
    if chain_fault(file) is not None:
        stop(USAGE, f"{name}: the lines of {match} do not chain to their heads")
    if signed is not None and check(signed, file.last_head) != "good":
        stop(USAGE, f"{name}: the signature of {match} is not that of the key that it names")
