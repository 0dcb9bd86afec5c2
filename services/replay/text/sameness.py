"""What a text shows is what the rules give: hands, tricks, points, the result, the head."""

from collections.abc import Sequence
from itertools import zip_longest

from services.replay.text.form import DERIVED, TextUnreadable, shown
from services.replay.text.lines import Form, Line


def check_whole(said: Form, made: Form) -> None:
    """Raises `TextUnreadable` where `said` is not as `made`, which the rules wrote, has it.

    The play comes first, since what the tags say of it changes with it; the head comes last.
    """
    check_play(said.play, made.play)
    if len(said.play) != len(made.play):
        raise _uneven(said, made)
    for name in DERIVED:
        _check_tag(said, made, name)
    _check_end(said, made, "Head", "a time or what the tags say of the opening")
    _check_end(said, made, "Digest", "the id of a command")


def check_play(said: Sequence[Line], made: Sequence[Line]) -> None:
    """The same for lines of play, as far as both go."""
    for one, other in zip(said, made, strict=False):
        if one.words != other.words:
            raise TextUnreadable(one.line, _difference(one, other))


def _difference(one: Line, other: Line) -> str:
    pairs = zip_longest(one.words, other.words, fillvalue="the line's end")
    said, right = next((said, right) for said, right in pairs if said != right)
    return f"{shown(said)} stands where {shown(right)} belongs: by the rules this line is {other}"


def _uneven(said: Form, made: Form) -> TextUnreadable:
    at = min(len(said.play), len(made.play))
    if at < len(said.play):
        return TextUnreadable(said.play[at].line, f"{shown(str(said.play[at]))} is one too many")
    return TextUnreadable(said.last, f"the line {shown(str(made.play[at]))} is missing")


def _check_tag(said: Form, made: Form, name: str) -> None:
    tag, right = said.tags.get(name), made.value(name)
    if tag is not None and tag.value != right:
        reason = f"{name}: {shown(tag.value)} stands where {shown(right)} belongs"
        raise TextUnreadable(tag.line, reason)


def _check_end(said: Form, made: Form, name: str, suspect: str) -> None:
    """The play is as the rules have it, so something that it does not show is not as it was."""
    if said.value(name) != made.value(name):
        reason = (
            f"{name}: these acts lead to {made.value(name)}: this tag or {suspect} is not as it was"
        )
        raise TextUnreadable(said.tags[name].line, reason)
