"""Whatever bytes come, a decoder's one error is `msgspec.DecodeError`."""

from collections.abc import Callable

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.cards import decode_pack
from schemas.commands import decode_command
from schemas.events import decode_event
from schemas.feed import decode_ask, decode_feed
from schemas.views import decode_turn

DECODERS = [decode_command, decode_ask, decode_feed, decode_turn, decode_event, decode_pack]
WILD = [
    b"[" * 5_000,
    b'{"x":' * 5_000,
    b'{"action":' + b"[" * 3_000,
    b"\xff",
    b'"\xed\xa0\x80"',
    b"nul",
    b"1e999",
    b'{"id":1}' * 2,
]


@pytest.mark.parametrize("decode", DECODERS)
@pytest.mark.parametrize("data", WILD, ids=range(len(WILD)))
def test_wild_bytes_are_undecodable_and_nothing_else(
    decode: Callable[[bytes], object], data: bytes
) -> None:
    with pytest.raises(msgspec.DecodeError):
        decode(data)


@given(st.binary(max_size=200))
def test_random_bytes_are_no_command(data: bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        decode_command(data)
