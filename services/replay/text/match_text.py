"""A match that is over as a text for people: written, and read back to the very same bytes.

As in PGN the text says how the match was opened and what players, scoring, operators and the clock
did. All else (shuffles, deals, tricks, ends of rounds, heads) the rules make again from the
match's secret when the text is read; where the text shows it, it must be the same. So reading a
text proves it. docs/match-text.md is the form.

There is no text of a match in play, nor for the eyes of one seat: the secret, from which every
card follows, stands in it. `services.replay.rebuild` shows positions as any viewer saw them.
"""

from collections.abc import Sequence
from itertools import zip_longest

from msgspec import Struct

from schemas.events import END_TAGS, MatchAbandoned, MatchEnded, MatchOpened
from schemas.ids import MatchId
from services.event_log.port import Entry
from services.replay.text.acts import Act, acts_of
from services.replay.text.enact import Enactment
from services.replay.text.form import MatchUnwritable, TextUnreadable, TextUntrue
from services.replay.text.lines import Form, take_apart
from services.replay.text.sameness import check_play, check_whole
from services.replay.text.sheet import play_lines
from services.replay.text.stamps import Stamp, check_numbers, digest, stamps_of, tables
from services.replay.text.tags import (
    check_opening,
    first_tags,
    last_tags,
    match_of,
    opening,
    secret_of,
    written,
)
from services.rules.history import unfold
from services.runtime.faults import place_of


class Said(Struct, frozen=True, kw_only=True):
    """What a text says: understood, and not believed yet. `acts` are those after the opening."""

    form: Form
    match: MatchId
    opened: MatchOpened
    secret: bytes
    acts: tuple[Act, ...]
    stamps: tuple[Stamp, ...]


def write(entries: Sequence[Entry]) -> str:
    """The text of a whole stream; raises `MatchUnwritable`.

    It is enacted before it is given away: a text that is not the match does not leave here.
    """
    if not entries or entries[-1].type not in END_TAGS:
        raise MatchUnwritable("only a match that is over has a text: its end tells its secret")
    try:
        text = _text(entries)
        again = _enacted(understood(text))
    except TextUnreadable as error:
        raise MatchUnwritable(f"the rules do not make this match again: {error.reason}") from error
    except Exception as error:
        raise MatchUnwritable(f"the stream is damaged: {place_of(error)}") from error
    if again != tuple(entries):
        version = _first_other(entries, again)
        raise MatchUnwritable(f"the rules make another match, from version {version} on")
    return text


def _first_other(entries: Sequence[Entry], again: Sequence[Entry]) -> int:
    pairs = enumerate(zip_longest(entries, again), 1)
    return next(version for version, (one, other) in pairs if one != other)


def read(text: str) -> tuple[Entry, ...]:
    """The entries of the match in `text`, made again by the rules.

    Raises `TextUnreadable`: of its kinds `TextUntrue` for what is of the form, and not true.
    """
    return proven(understood(text))


def understood(text: str) -> Said:
    """What `text` says; raises `TextUnreadable` for what has not the form of a match."""
    form = take_apart(text)
    opened = opening(form)
    return Said(
        form=form,
        match=match_of(form),
        opened=opened,
        secret=secret_of(form),
        acts=tuple(acts_of(form.play, opened.ruleset.partition("@")[0])),
        stamps=tuple(stamps_of(form)),
    )


def proven(said: Said) -> tuple[Entry, ...]:
    """The entries that the rules make of it; raises `TextUntrue` if it shows anything else."""
    entries = _enacted(said)
    check_whole(said.form, take_apart(_text(entries)), list(unfold(entries)))
    return entries


def _enacted(said: Said) -> tuple[Entry, ...]:
    check_opening(said.form, said.opened, said.secret)
    first, *others = said.stamps
    done = Enactment(said.match, said.secret, said.opened, first)
    for act, stamp in zip(said.acts, others, strict=False):
        _do(done, act, stamp, said.form)
    events = len(done.entries)
    check_numbers(said.form, len(said.acts), events)
    if not done.state.over:
        reason = "the match is not over: what ended it is missing"
        raise TextUntrue(said.form.last, reason, version=events + 1, events=events)
    return tuple(done.entries)


def _do(done: Enactment, act: Act, stamp: Stamp, form: Form) -> None:
    """An act that the rules refuse may be right, and the fault what the text shows before it."""
    try:
        done.do(act, stamp)
    except TextUntrue:
        said = [line for line in form.play if line.line < act.line]
        check_play(said, list(unfold(done.entries)))
        raise


def _text(entries: Sequence[Entry]) -> str:
    seen = list(unfold(entries))
    opened, over = seen[0].event.body, seen[-1].event.body
    assert isinstance(opened, MatchOpened)
    assert isinstance(over, (MatchEnded, MatchAbandoned))
    lines = [
        *first_tags(seen),
        *("", *play_lines(seen), ""),
        *last_tags(opened, over.secret),
        *tables(seen),
        written("Head", entries[-1].head),
        written("Digest", digest(entries)),
    ]
    return "\n".join(lines) + "\n"
