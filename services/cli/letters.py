"""Dead letters as an operator may see them: what was said and where, and whether it still waits."""

from collections.abc import Iterator
from typing import Final, Literal

import msgspec
from msgspec import Struct

from schemas import subjects
from schemas.commands import Command, OpenMatch, decode_command
from schemas.events import END_TAGS
from schemas.ids import MatchId, matches
from services.cli.place import stop_for
from services.event_log.port import DeadLetter, LogError, LogUnreachable, Reader

State = Literal["waits", "accepted", "over"]
"""`waits`: it may be said again; `accepted`: its command stands in the log by now; `over`: its
match has come to its end, or there is none that it could be for.
"""
ILLEGIBLE: Final = "?"


class Letter(Struct, frozen=True, kw_only=True):
    """A dead letter without what it says: that may be a card which nobody else has seen.

    `action` is the command's type, `bytes` its length, `time` Unix ms.
    """

    id: int
    subject: str
    action: str
    command: str | None
    bytes: int
    error: str
    time: int
    state: State


def letters(log: Reader) -> Iterator[DeadLetter]:
    """All of them, the oldest first; a fault of the log ends the command."""
    after = 0
    try:
        while page := log.dead_letters(after=after):
            yield from page
            after = page[-1].id
    except LogError as error:
        stop_for(error)


def seen(log: Reader, letter: DeadLetter) -> Letter:
    """The letter as it may be shown. Raises `LogUnreachable`."""
    command = _command(letter)
    return Letter(
        id=letter.id,
        subject=letter.subject,
        action=_action(command),
        command=command.id if command else None,
        bytes=len(letter.body.encode()),
        error=letter.error,
        time=letter.time,
        state=_state(log, letter, command),
    )


def _command(letter: DeadLetter) -> Command | None:
    try:
        return decode_command(letter.body.encode())
    except msgspec.DecodeError:
        return None


def _action(command: Command | None) -> str:
    if command is None:
        return ILLEGIBLE
    tag: str = msgspec.to_builtins(command.action)["type"]
    return tag


def _state(log: Reader, letter: DeadLetter, command: Command | None) -> State:
    match = _match(letter)
    if match is None:
        return "over"
    try:
        rows = log.load(match)
    except LogUnreachable:
        raise
    except LogError:  # a stream that nobody can read: the audit says what is wrong with it
        return "waits"
    if command is not None and any(row.entry.command == command.id for row in rows):
        return "accepted"
    if not rows:
        return "waits" if command and isinstance(command.action, OpenMatch) else "over"
    return "over" if rows[-1].entry.type in END_TAGS else "waits"


def _match(letter: DeadLetter) -> MatchId | None:
    try:
        match = subjects.command_address(letter.subject).match
    except ValueError:
        return None
    return match if matches(match, MatchId) else None
