"""A forger with the log in his hands: he changes what is stored, and all later heads with it."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from schemas.cards import decode_pack, encode_pack
from services.event_log.chain import NO_HEAD, next_head
from services.event_log.port import Entry

Body = dict[str, Any]


def index_of(entries: Sequence[Entry], kind: str, *, nth: int = 0) -> int:
    """Where the nth event of a kind stands, from 0."""
    return [at for at, entry in enumerate(entries) if entry.type == kind][nth]


def rechained(entries: Sequence[Entry]) -> list[Entry]:
    """The same entries, numbered and with every head computed anew."""
    head, forged = NO_HEAD, []
    for version, entry in enumerate(entries, 1):
        line = _numbered(entry.line, version)
        head = next_head(head, line)
        forged.append(replace(entry, version=version, line=line, head=head))
    return forged


def _numbered(line: str, version: int) -> str:
    said = msgspec.json.decode(line)
    if said["version"] == version:
        return line
    said["version"] = version
    return msgspec.json.encode(said).decode()


def with_line(entry: Entry, line: str) -> Entry:
    return replace(entry, line=line)


def put(entries: Sequence[Entry], at: int, *put_in: Entry, gone: int = 1) -> list[Entry]:
    """The entries with `gone` of them from `at` on replaced; heads as they were."""
    return [*entries[:at], *put_in, *entries[at + gone :]]


def body_of(entry: Entry) -> Body:
    body: Body = msgspec.json.decode(entry.line)["body"]
    return body


def changed(entries: Sequence[Entry], at: int, fields: Mapping[str, Any]) -> list[Entry]:
    """Fields of one body changed, all later heads recomputed."""
    said = msgspec.json.decode(entries[at].line)
    said["body"].update(fields)
    line = msgspec.json.encode(said).decode()
    return rechained(put(entries, at, replace(entries[at], line=line)))


def swapped_cards(entry: Entry, one: int = 0, other: int = -1) -> Entry:
    """A shuffle with two cards of its pack exchanged."""
    assert entry.secret is not None
    pack = list(decode_pack(entry.secret))
    pack[one], pack[other] = pack[other], pack[one]
    return replace(entry, secret=encode_pack(tuple(pack)))


def flipped(text: str, at: int) -> str:
    """The text with one bit of one byte changed."""
    return text[:at] + chr(ord(text[at]) ^ 1) + text[at + 1 :]
