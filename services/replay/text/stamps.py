"""When each act was done and which command it answers: two tables that only the bytes need.

`Times`: the tag is the opening's time in Unix ms, the words are the milliseconds from each act to
the next one. `Commands`: the tag is the opening's command, the words those of the other acts; a
dash stands for what the clock or the table did, which nobody said.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import pairwise
from typing import Final

from msgspec import Struct

from schemas.events import ControlChanged, MatchAbandoned, RoundScored, TurnTimedOut
from schemas.ids import LATEST, CommandId, Hex32, matches
from services.event_log.port import Entry
from services.replay.text.form import TABLES, TextUnreadable, TextUntrue, shown
from services.replay.text.lines import Form, Line
from services.replay.text.sheet import Seen
from services.replay.text.tags import written

_TIMES_A_LINE: Final = 12
_COMMANDS_A_LINE: Final = 3
_STEP: Final = re.compile(r"-?[0-9]{1,15}")
_NONE: Final = "-"


class Stamp(Struct, frozen=True):
    """When an act was done, in Unix ms, and the command that it answers; `line`: the command's."""

    time: int
    command: CommandId | None
    line: int


def is_act(seen: Seen) -> bool:
    """True for what was done; all other events follow from it by rule or chance."""
    match seen.event.body:
        case TurnTimedOut() | RoundScored() | MatchAbandoned():
            return True
        case ControlChanged(control=control):
            return control == "owner"
        case _:
            return seen.event.origin == "player"


# Written --------------------------------------------------------------------------------------


def tables(seen: Iterable[Seen]) -> list[str]:
    """The lines of both tables."""
    acts = [one for one in seen if is_act(one)]
    times = [one.event.time for one in acts]
    steps = [str(later - time) for time, later in pairwise(times)]
    first, *others = [one.stored.command or _NONE for one in acts]
    return [
        written("Times", str(times[0])),
        *_rows(steps, _TIMES_A_LINE),
        written("Commands", first),
        *_rows(others, _COMMANDS_A_LINE),
    ]


def digest(entries: Sequence[Entry]) -> Hex32:
    """SHA-256, in hex, of the last head and, for each event that answers a command, a blank, its
    version, a colon and the command's id: the head itself is of lines alone.
    """
    ids = [f"{entry.version}:{entry.command}" for entry in entries if entry.command is not None]
    return sha256(" ".join([entries[-1].head, *ids]).encode()).hexdigest()


def _rows(words: Sequence[str], width: int) -> Iterator[str]:
    for start in range(0, len(words), width):
        yield " ".join(words[start : start + width])


# Read -----------------------------------------------------------------------------------------


def stamps_of(form: Form) -> list[Stamp]:
    """A stamp for the opening and for each act that both tables know."""
    times = list(_times(form))
    said = [(line, _command(line, word)) for line, word in _table(form, "Commands")]
    return [Stamp(time, command, line) for time, (line, command) in zip(times, said, strict=False)]


def check_numbers(form: Form, acts: int, events: int) -> None:
    """Raises `TextUntrue` unless both tables have a word for each of so many acts, of which the
    rules made so many events.
    """
    for name in TABLES:
        found = sum(len(line.words) for line in form.tables[name])
        if found != acts:
            reason = f"{name}: the play has {acts} acts after the opening, this table {found} words"
            raise TextUntrue(form.tags[name].line, reason, events=events)


def _times(form: Form) -> Iterator[int]:
    time = 0
    for line, word in _table(form, "Times"):
        if not _STEP.fullmatch(word):
            raise TextUnreadable(line, f"{shown(word)} is no number of milliseconds")
        time += int(word)
        if not 0 <= time <= LATEST:
            raise TextUnreadable(line, f"{shown(word)} leads to no time from 1970 to 9999")
        yield time


def _command(line: int, word: str) -> CommandId | None:
    if word == _NONE:
        return None
    if not matches(word, CommandId):
        raise TextUnreadable(line, f"{shown(word)} is not of the form that a command's id has")
    return word


def _table(form: Form, name: str) -> Iterator[tuple[int, str]]:
    """Each word with its line, that of the tag first."""
    tag = form.tags[name]
    yield tag.line, tag.value
    for line in form.tables[name]:
        yield from _numbered(line)


def _numbered(line: Line) -> Iterator[tuple[int, str]]:
    return ((line.line, word) for word in line.words)
