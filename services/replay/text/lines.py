"""A text taken apart: tags, lines of words, tables. Comments are gone; nothing is understood yet.

As in PGN a comment stands in braces, over several lines if need be, and a line that begins with %
is skipped. Blanks, blank lines and commas between words are free.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct

from services.replay.text.form import STATED, TABLES, TAGS, TEXT_CHARS, TextUnreadable, shown

_TAG: Final = re.compile(r'\s*\[([A-Za-z]+)\s+"((?:[^"\\]|\\.)*)"\s*\]')
_ESCAPED: Final = re.compile(r"\\(.)")
_BRACE: Final = re.compile(r"[{}]|[^{}]+")
_WORD: Final = re.compile(r"\([^()]*\)|[^\s,()]+|[()]")


_HIDDEN: Final = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]"  # controls: a terminal obeys them
    r"|\r(?!\n)"  # goes back to the line's begin and writes over it
    r"|[\u2028\u2029]"  # end a line for an editor, and none for us
    r"|[\u202a-\u202e\u2066-\u2069]"  # turn the direction of what follows
    r"|[\ud800-\udfff]"  # bytes that are no UTF-8
)


class Tag(Struct, frozen=True):
    line: int
    name: str
    value: str


class Line(Struct, frozen=True):
    """The words of one line; an aside in parentheses is one word."""

    line: int
    words: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join(self.words)


class Form(Struct, frozen=True, kw_only=True):
    """`play`: the lines that belong to no table, in order; `last`: the text's number of lines."""

    tags: Mapping[str, Tag]
    play: tuple[Line, ...]
    tables: Mapping[str, tuple[Line, ...]]
    last: int

    def value(self, name: str) -> str:
        return self.tags[name].value


def take_apart(text: str) -> Form:
    """Raises `TextUnreadable` for what no match's text can be."""
    if len(text) > TEXT_CHARS:
        raise TextUnreadable(1, f"the text has over {TEXT_CHARS} characters: it is no match's")
    _check_letters(text)
    tags: dict[str, Tag] = {}
    play: list[Line] = []
    tables: dict[str, list[Line]] = {name: [] for name in TABLES}
    place = play
    for found in _significant(text.removeprefix("\ufeff")):
        if isinstance(found, Line):
            place.append(found)
            continue
        _check_tag(found, tags)
        tags[found.name] = found
        place = tables.get(found.name, play)
    last = text.count("\n") + 1
    _check_complete(tags, last)
    words = {name: tuple(lines) for name, lines in tables.items()}
    return Form(tags=tags, play=tuple(play), tables=words, last=last)


def _check_letters(text: str) -> None:
    """Comments too: what is shown of a text must be what is read of it."""
    found = _HIDDEN.search(text)
    if found is not None:
        line = text.count("\n", 0, found.start()) + 1
        reason = f"{shown(found[0])} may stand nowhere: it can change how other letters are shown"
        raise TextUnreadable(line, reason)


def _check_tag(tag: Tag, before: Mapping[str, Tag]) -> None:
    if tag.name not in TAGS:
        raise TextUnreadable(tag.line, f"there is no tag {shown(tag.name)}")
    if tag.name in before:
        raise TextUnreadable(tag.line, f"the tag {tag.name} stands here for the second time")


def _check_complete(tags: Mapping[str, Tag], last: int) -> None:
    if "Waraq" not in tags:
        raise TextUnreadable(1, 'this is no match: a match begins with a tag [Waraq "..."]')
    missing = [name for name in STATED if name not in tags]
    if missing:
        raise TextUnreadable(last, f"the tag {missing[0]} is missing")


def _significant(text: str) -> Iterator[Tag | Line]:
    """Tags and lines of words, as they come."""
    inside = 0  # the line on which the comment begins that we are in
    for number, line in enumerate(text.split("\n"), 1):
        if not inside and line.startswith("%"):
            continue
        tag = None if inside else _TAG.match(line)
        if tag is not None:
            _check_ascii(number, tag[0])
            yield Tag(number, tag[1], _ESCAPED.sub(r"\1", tag[2]))
        kept, inside = _uncommented(number, line[tag.end() :] if tag else line, inside)
        words = _words(number, kept)
        if words and tag is not None:
            raise TextUnreadable(number, f"{shown(words[0])} stands behind a tag")
        if words:
            yield Line(number, words)
    if inside:
        raise TextUnreadable(inside, "the comment that begins here has no end")


def _uncommented(number: int, line: str, inside: int) -> tuple[str, int]:
    """What of `line` is no comment, and where the comment began that goes on after it, or 0."""
    kept: list[str] = []
    for part in _BRACE.findall(line):
        if part == "{":
            inside = inside or number
        elif part == "}" and not inside:
            raise TextUnreadable(number, "a comment ends here that has not begun")
        elif part == "}":
            inside = 0
        elif not inside:
            kept.append(part)
    return " ".join(kept), inside


def _words(number: int, line: str) -> tuple[str, ...]:
    if line.lstrip().startswith("["):
        raise TextUnreadable(number, f'{shown(line.strip())} is no tag: a tag is [Name "value"]')
    _check_ascii(number, line)
    words = words_of(line)
    if "(" in words or ")" in words:
        raise TextUnreadable(number, "a parenthesis stands alone")
    return words


def _check_ascii(number: int, words: str) -> None:
    if not words.isascii():
        raise TextUnreadable(number, "letters other than ASCII may stand in comments only")


def words_of(line: str) -> tuple[str, ...]:
    """The words of a line without comments."""
    return tuple(" ".join(word.split()) for word in _WORD.findall(line))
