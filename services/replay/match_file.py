"""A match as a file of JSON lines: what stands in it for whom, and how it is written.

A header, then a line an event; docs/match-file.md is the format. `services.replay.match_reading`
reads it again.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import msgspec
from msgspec import Struct

from schemas.cards import Card
from schemas.ids import CommandId, Hex32, MatchId, Seat
from services.event_log.port import STREAM_EVENTS, Entry, Row
from services.replay.rebuild import JUDGE, is_over, viewer_seat
from services.replay.signed_heads import HeadKey, MatchHead, Signed, sign
from services.rules import sight
from services.rules.history import Unfolded, unfold

FORMAT: Final = "waraq-match@1"
EVENTS_LIMIT: Final = STREAM_EVENTS
"""The most events of one match: all of them are imported in one append."""
LINE_BYTES: Final = 64 * 1024
"""The longest line, notes and newline included."""
MATCH_BYTES: Final = 64 * 1024 * 1024
"""The most bytes of one match, which is what a reader holds in memory."""
FILE_BYTES: Final = 1 << 40
"""The largest file."""
HEADER_KEYS: Final = ("format", "match", "viewer", "events", "head", "over", "signed")
"""In the order in which they are written."""
PUBLIC_KEYS: Final = ("event", "head")
JUDGE_KEYS: Final = (*PUBLIC_KEYS, "command", "pack")
SEAT_KEYS: Final = (*PUBLIC_KEYS, "cards")


class Note(Struct, frozen=True):
    """A key of somebody else's on a line: it begins with `_`, `value` is its JSON text, and
    `place` keys of the format stand before it.
    """

    place: int
    name: str
    value: bytes


class Header(Struct, frozen=True, kw_only=True):
    """`head` is that of the last line; `signed` is null where no key was at hand."""

    match: MatchId
    viewer: str
    events: int
    head: Hex32
    over: bool
    signed: Signed | None = None
    notes: tuple[Note, ...] = ()


class Line(Struct, frozen=True, kw_only=True):
    """An event: its stored line, exactly, and its head. `command` and `pack` are the judge's,
    `cards` those that it put into the hand of the seat that the file is for.
    """

    event: str
    head: Hex32
    command: CommandId | None = None
    pack: tuple[Card, ...] | None = None
    cards: tuple[Card, ...] = ()
    notes: tuple[Note, ...] = ()


class MatchFile(Struct, frozen=True):
    """One match, for one viewer."""

    header: Header
    lines: tuple[Line, ...]

    @property
    def match(self) -> MatchId:
        return self.header.match

    @property
    def last_head(self) -> MatchHead:
        """What is signed."""
        header = self.header
        return MatchHead(match=header.match, version=header.events, head=header.head)


def match_file(rows: Sequence[Row], viewer: str, key: HeadKey | None = None) -> MatchFile:
    """The match of `rows`, a whole stream as far as it goes, with what `viewer` may see.

    Raises `services.replay.rebuild.ViewerUnknown`. Call it with rows that were audited.
    """
    seen = list(unfold(row.entry for row in rows))
    seat = None if viewer == JUDGE else viewer_seat(viewer, seen[-1].after)
    lines = tuple(_line(one, viewer, seat) for one in seen)
    last = rows[-1].entry
    head = MatchHead(match=last.stream, version=last.version, head=last.head)
    header = Header(
        match=last.stream,
        viewer=viewer,
        events=len(rows),
        head=last.head,
        over=is_over(rows),
        signed=None if key is None else sign(key, head),
    )
    return MatchFile(header, lines)


def _line(one: Unfolded[Entry], viewer: str, seat: Seat | None) -> Line:
    """Built from what this viewer may see; nothing is taken away from the whole."""
    entry = one.stored
    if viewer == JUDGE:
        pack = one.fact.pack
        return Line(event=entry.line, head=entry.head, command=entry.command, pack=pack)
    if seat is None or one.before is None:
        return Line(event=entry.line, head=entry.head)
    cards = sight.cards_dealt(one.before, one.event.body, one.after, seat)
    return Line(event=entry.line, head=entry.head, cards=cards)


# As bytes -------------------------------------------------------------------------------------


def keys_for(viewer: str) -> tuple[str, ...]:
    """The keys of an event's line in a file for `viewer`, in the order in which they stand."""
    if viewer == JUDGE:
        return JUDGE_KEYS
    return SEAT_KEYS if viewer.startswith("seat:") else PUBLIC_KEYS


def write(file: MatchFile) -> Iterator[bytes]:
    """The lines of the file, a newline after each."""
    yield write_header(file.header)
    for line in file.lines:
        yield write_line(line, file.header.viewer)


def write_header(header: Header) -> bytes:
    return _written(HEADER_KEYS, {**_values(header), "format": _json(FORMAT)}, header.notes)


def write_line(line: Line, viewer: str) -> bytes:
    values = _values(line) | {"event": line.event.encode()}
    return _written(keys_for(viewer), values, line.notes)


def _values(value: Header | Line) -> dict[str, bytes]:
    fields = (name for name in value.__struct_fields__ if name != "notes")
    return {name: _json(getattr(value, name)) for name in fields}


def _written(keys: Sequence[str], values: Mapping[str, bytes], notes: Sequence[Note]) -> bytes:
    """The keys in their order, the notes where they stood among them."""
    parts: list[bytes] = []
    for place in range(len(keys) + 1):
        parts += [_pair(note.name, note.value) for note in notes if note.place == place]
        parts += [_pair(key, values[key]) for key in keys[place : place + 1]]
    return b"{" + b",".join(parts) + b"}\n"


def _pair(key: str, value: bytes) -> bytes:
    return b'"' + key.encode() + b'":' + value


_json = msgspec.json.Encoder().encode
