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

from schemas.events import END_TAGS, MatchAbandoned, MatchEnded, MatchOpened
from services.event_log.port import Entry
from services.replay.text.acts import Act, acts_of
from services.replay.text.enact import Enactment
from services.replay.text.form import MatchUnwritable, TextUnreadable
from services.replay.text.lines import Form, Line, take_apart, words_of
from services.replay.text.sameness import check_play, check_whole
from services.replay.text.sheet import play_lines
from services.replay.text.stamps import Stamp, check_numbers, digest, stamps_of, tables
from services.replay.text.tags import first_tags, last_tags, match_of, opening, secret_of, written
from services.rules.history import unfold
from services.runtime.faults import place_of


def write(entries: Sequence[Entry]) -> str:
    """The text of a whole stream; raises `MatchUnwritable`.

    It is enacted before it is given away: a text that is not the match does not leave here.
    """
    if not entries or entries[-1].type not in END_TAGS:
        raise MatchUnwritable("only a match that is over has a text: its end tells its secret")
    try:
        text = _text(entries)
        again = _enacted(take_apart(text))
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
    """The entries of the match in `text`, made again by the rules; raises `TextUnreadable`."""
    form = take_apart(text)
    entries = _enacted(form)
    check_whole(form, take_apart(_text(entries)))
    return entries


def _enacted(form: Form) -> tuple[Entry, ...]:
    opened, match, secret = opening(form), match_of(form), secret_of(form)
    acts = list(acts_of(form.play, opened.ruleset.partition("@")[0]))
    first, *others = stamps_of(form)
    done = Enactment(match, secret, opened, first)
    for act, stamp in zip(acts, others, strict=False):
        _do(done, act, stamp, form)
    check_numbers(form, len(acts))
    if not done.state.over:
        raise TextUnreadable(form.last, "the match is not over: what ended it is missing")
    return tuple(done.entries)


def _do(done: Enactment, act: Act, stamp: Stamp, form: Form) -> None:
    """An act that the rules refuse may be right, and the fault what the text shows before it."""
    try:
        done.do(act, stamp)
    except TextUnreadable:
        made = [Line(act.line, words) for words in map(words_of, play_lines(unfold(done.entries)))]
        said = [line for line in form.play if line.line < act.line]
        check_play(said, [line for line in made if line.words])
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
