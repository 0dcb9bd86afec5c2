"""A websocket's bytes on one way, split where its frames end, so that they can be read and cut."""

from typing import Final

from msgspec import Struct

HEAD_ENDS: Final = b"\r\n\r\n"
_MASKED: Final = 0x80
_SIGNS: Final = {126: 2, 127: 8}
"""Bytes that say a longer length."""


class Frame(Struct, frozen=True):
    """`raw` as it was sent; `text` is what it carries, of the HTTP head nothing."""

    raw: bytes
    text: bytes


class Frames:
    """Give it the bytes as they come; the first thing on either way is an HTTP head."""

    def __init__(self) -> None:
        self._rest = b""
        self._upgraded = False

    def take(self, data: bytes) -> list[Frame]:
        """The frames that are whole now."""
        self._rest += data
        found = []
        while (frame := self._next()) is not None:
            self._rest = self._rest[len(frame.raw) :]
            found.append(frame)
        return found

    def _next(self) -> Frame | None:
        if self._upgraded:
            return _first(self._rest)
        head, ends, _ = self._rest.partition(HEAD_ENDS)
        self._upgraded = bool(ends)
        return Frame(head + ends, b"") if ends else None


def _first(data: bytes) -> Frame | None:
    """The frame at the front; None if it is not whole (RFC 6455, 5.2)."""
    if len(data) < 2:
        return None
    masked, size = data[1] & _MASKED, data[1] & ~_MASKED
    at = 2 + _SIGNS.get(size, 0)
    if size in _SIGNS:
        size = int.from_bytes(data[2:at])
    key = data[at : at + 4] if masked else b""
    at += len(key)
    if len(data) < at + size:
        return None
    return Frame(data[: at + size], _unmasked(data[at : at + size], key))


def _unmasked(data: bytes, key: bytes) -> bytes:
    if not key:
        return data
    whole = (key * (len(data) // 4 + 1))[: len(data)]
    return (int.from_bytes(data) ^ int.from_bytes(whole)).to_bytes(len(data))
