"""Reading match files, a match at a time. Bad input has one exception, with its line and a reason.

What is accepted is exactly what `services.replay.match_file.write` gives back byte for byte.
Whether the match is a true one is not asked here: `services.replay.match_entries` does.
"""

import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any, BinaryIO, Final, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct

from schemas.decoding import decoder
from schemas.events import ENDS, decode_event, encode_event
from schemas.ids import CommandId, Hex32, MatchId
from services.replay.match_file import (
    EVENTS_LIMIT,
    FILE_BYTES,
    FORMAT,
    HEADER_KEYS,
    LINE_BYTES,
    MATCH_BYTES,
    Header,
    Line,
    MatchFile,
    Note,
    keys_for,
    write_header,
    write_line,
)
from services.replay.rebuild import VIEWERS
from services.replay.signed_heads import Signed

NOTE_NAME: Final = re.compile(r"_[0-9A-Za-z_.-]{0,63}")
BYTE_ORDER_MARKS: Final = (BOM_UTF8, BOM_UTF16_LE, BOM_UTF16_BE)
"""What some editors put before a text."""
SHOWN: Final = 40
"""The most characters of a strange key that a reason shows."""

_AnyCard = Annotated[str, Meta(pattern=r"^([2-9TJQKA][SHDC][12]?|JK[12])$(?!\n)")]
_Count = Annotated[int, Meta(ge=1, le=EVENTS_LIMIT)]


class Unreadable(Exception):
    """Not a match file: `line` counts from 1."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason


class _Kind(Struct, frozen=True):
    """What a key's value must be, for the program and in words."""

    decode: Callable[[bytes], Any]
    words: str


_KINDS: Final[Mapping[str, _Kind]] = {
    "format": _Kind(decoder(Literal["waraq-match@1"]), f"{FORMAT}, the format that is read here"),
    "match": _Kind(decoder(MatchId), "a match's id"),
    "viewer": _Kind(decoder(Literal[VIEWERS]), "judge, public or seat:0 to seat:3"),
    "events": _Kind(decoder(_Count), f"a number from 1 to {EVENTS_LIMIT}"),
    "head": _Kind(decoder(Hex32), "64 hex digits"),
    "over": _Kind(decoder(bool), "true or false"),
    "signed": _Kind(decoder(Signed | None), "null or a key and a signature in hex"),
    "command": _Kind(decoder(CommandId | None), "null or a command's id"),
    "pack": _Kind(decoder(tuple[_AnyCard, ...] | None), "null or a list of cards"),
    "cards": _Kind(decoder(tuple[_AnyCard, ...]), "a list of cards"),
}
_Read = TypeVar("_Read", Header, Line)
_object = decoder(dict[str, msgspec.Raw])


class _Text(Struct, frozen=True):
    """One line as it was read."""

    number: int
    data: bytes

    def bad(self, reason: str) -> Unreadable:
        return Unreadable(self.number, reason)


class _Parts(Struct, frozen=True):
    """A line's keys: those of the format in their order, and the notes."""

    values: Mapping[str, bytes]
    notes: tuple[Note, ...]


class _Source:
    """The lines of a file, numbered and bounded."""

    def __init__(self, source: BinaryIO) -> None:
        self._source = source
        self.number = 0
        self.bytes = 0

    def next(self) -> _Text | None:
        """The next line, None at the end; raises `Unreadable`."""
        data = self._source.readline(LINE_BYTES + 1)
        if not data:
            return None
        self.number += 1
        self.bytes += len(data)
        line = _Text(self.number, data)
        if data.startswith(BYTE_ORDER_MARKS):
            raise line.bad("it begins with a byte-order mark: a match file is UTF-8 without one")
        if data.endswith(b"}\r\n"):
            raise line.bad("it ends with CR LF: in a match file LF alone ends a line")
        if len(data) > LINE_BYTES:
            raise line.bad(f"it is longer than {LINE_BYTES} bytes")
        if self.bytes > FILE_BYTES:
            raise line.bad(f"the file is larger than {FILE_BYTES} bytes")
        if not data.endswith(b"\n"):
            raise line.bad("the file is cut short: no newline ends its last line")
        return line


def read(source: BinaryIO) -> Iterator[MatchFile]:
    """The matches of a file, one after the other; raises `Unreadable` when it comes to it."""
    lines = _Source(source)
    first = lines.next()
    if first is None:
        raise Unreadable(1, "the file is empty")
    while first is not None:
        yield _match(lines, first)
        first = lines.next()


def _match(source: _Source, first: _Text) -> MatchFile:
    header, begin = _header(first), source.bytes
    lines: list[Line] = []
    while len(lines) < header.events:
        lines.append(_line(_wanted(source, len(lines), header), header))
        if source.bytes - begin > MATCH_BYTES:
            raise Unreadable(source.number, f"the match has more than {MATCH_BYTES} bytes")
    if lines[-1].head != header.head:
        raise first.bad("the header's head is not that of the match's last line")
    last = decode_event(lines[-1].event).body
    if isinstance(last, ENDS) != header.over:
        raise first.bad("the header's `over` is not what the match's last event says")
    return MatchFile(header, tuple(lines))


def _wanted(source: _Source, had: int, header: Header) -> _Text:
    found = source.next()
    if found is None:
        reason = f"the file ends after {had} of the {header.events} events that its header promises"
        raise Unreadable(source.number + 1, reason)
    return found


def _header(line: _Text) -> Header:
    found = _found(line)
    if "format" not in found:
        if "event" in found:
            raise line.bad("an event where a header belongs: the events are more than promised")
        raise line.bad(f'no header: a match begins with {{"format":"{FORMAT}"')
    _value(line, "format", found["format"])
    parts = _parts(line, found, HEADER_KEYS)
    values = {key: _value(line, key, data) for key, data in parts.values.items()}
    del values["format"]
    header = Header(**values, notes=parts.notes)
    return _exactly(line, header, write_header(header))


def _line(line: _Text, header: Header) -> Line:
    found = _found(line)
    if "format" in found:
        raise line.bad(f"a header where one of {header.events} events belongs")
    parts = _parts(line, found, keys_for(header.viewer))
    values = {key: _value(line, key, data) for key, data in parts.values.items() if key != "event"}
    event = _event(line, parts.values["event"], header)
    read = Line(event=event, **values, notes=parts.notes)
    return _exactly(line, read, write_line(read, header.viewer))


def _found(line: _Text) -> dict[str, bytes]:
    """The line's keys and the JSON of their values, in their order."""
    try:
        line.data.decode("utf-8")
        return {key: bytes(value) for key, value in _object(line.data).items()}
    except UnicodeDecodeError:
        raise line.bad("it is not UTF-8") from None
    except msgspec.DecodeError:
        raise line.bad("it is no JSON object") from None


def _parts(line: _Text, found: Mapping[str, bytes], wanted: tuple[str, ...]) -> _Parts:
    values: dict[str, bytes] = {}
    notes: list[Note] = []
    for name, data in found.items():
        if name in wanted:
            values[name] = data
        elif NOTE_NAME.fullmatch(name):
            notes.append(Note(len(values), name, data))
        else:
            raise line.bad(f"it has the unknown key {name[:SHOWN]!a}: notes begin with _")
    for name in wanted:
        if name not in values:
            raise line.bad(f"it has no {name!a}")
    return _Parts(values, tuple(notes))


def _value(line: _Text, key: str, data: bytes) -> Any:
    kind = _KINDS[key]
    try:
        return kind.decode(data)
    except msgspec.DecodeError:
        raise line.bad(f"its {key!a} is not {kind.words}") from None


def _event(line: _Text, data: bytes, header: Header) -> str:
    """The stored line, if it is one of this match in the form that docs/fair-deal.md promises."""
    try:
        event = decode_event(data)
    except msgspec.DecodeError:
        raise line.bad("its event is of no form that this program knows") from None
    if encode_event(event) != data or not data.isascii():
        raise line.bad("its event is not written in the promised form")
    if event.match != header.match:
        raise line.bad("its event is of another match than the header")
    return data.decode()


def _exactly(line: _Text, read: _Read, written: bytes) -> _Read:
    """What was read, if it is written as it stood: else a copy would not be the same bytes."""
    if written != line.data:
        raise line.bad("it is not in the promised form: keys in order and once, no spaces")
    return read
