"""What a text shows is what the rules give: hands, tricks, points, the result, the head."""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import zip_longest
from typing import Final

from services.replay.text.form import DERIVED, TextUntrue, shown
from services.replay.text.lines import Form, Line, words_of
from services.replay.text.sheet import Seen, play_lines

Words = tuple[str, ...]
END: Final = "the line's end"
"""What an error says stands behind a line's last word."""


def check_whole(said: Form, made: Form, seen: Sequence[Seen]) -> None:
    """Raises `TextUntrue` where `said` is not as `made`, which the rules wrote of `seen`, has it.

    The play comes first, since what the tags say of it changes with it; the head comes last.
    """
    check_play(said.play, seen)
    if len(said.play) != len(made.play):
        raise _uneven(said, made, seen)
    for name in DERIVED:
        _check_tag(said, made, name, len(seen))
    others = ", an act (another was possible), a time, or what the tags say of the opening"
    _check_end(said, made, "Head", others, len(seen))
    _check_end(said, made, "Digest", " or the id of a command", len(seen))


def check_play(said: Sequence[Line], seen: Sequence[Seen]) -> None:
    """The same for lines of play, as far as both go."""
    before = 0
    for one, right in zip(said, _shown(seen), strict=False):
        if one.words != right:
            raise _other(one, right, before, seen)
        before += len(right)


def _shown(seen: Sequence[Seen]) -> list[Words]:
    """The words of each line that a text shows of these events."""
    return [words for words in map(words_of, play_lines(seen)) if words]


def _other(one: Line, right: Words, before: int, seen: Sequence[Seen]) -> TextUntrue:
    pairs = list(zip_longest(one.words, right, fillvalue=END))
    at = next(at for at, (word, other) in enumerate(pairs) if word != other)
    word, other = map(shown, pairs[at])
    belongs = f"{word} stands where {other} belongs: by the rules this line is {' '.join(right)}"
    version = _version(seen, before + at)
    return TextUntrue(one.line, belongs, version=version, events=len(seen))


def _version(seen: Sequence[Seen], before: int) -> int:
    """That of the event which is the first to be shown by more than so many words."""
    numbers = range(len(seen) + 1)
    return bisect_right(numbers, before, key=lambda events: sum(map(len, _shown(seen[:events]))))


def _uneven(said: Form, made: Form, seen: Sequence[Seen]) -> TextUntrue:
    at = min(len(said.play), len(made.play))
    version = _version(seen, sum(len(line.words) for line in made.play[:at]))
    if at < len(said.play):
        line, reason = said.play[at].line, f"{shown(str(said.play[at]))} is one too many"
    else:
        line, reason = said.last, f"the line {shown(str(made.play[at]))} is missing"
    return TextUntrue(line, reason, version=version, events=len(seen))


def _check_tag(said: Form, made: Form, name: str, events: int) -> None:
    tag, right = said.tags.get(name), made.value(name)
    if tag is not None and tag.value != right:
        reason = f"{name}: {shown(tag.value)} stands where {shown(right)} belongs"
        raise TextUntrue(tag.line, reason, events=events)


def _check_end(said: Form, made: Form, name: str, others: str, events: int) -> None:
    """The play is as the rules have it, so something that it does not show is not as it was."""
    if said.value(name) != made.value(name):
        reason = f"{name}: these acts lead to {made.value(name)}: this tag{others} is not as it was"
        raise TextUntrue(said.tags[name].line, reason, events=events)
