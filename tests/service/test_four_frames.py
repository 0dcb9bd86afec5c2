"""Where a websocket's frames end, so that the bad network cuts where it means to."""

from collections.abc import Iterator
from random import Random
from typing import Final

import pytest

from tests.service.four.frames import HEAD_ENDS, Frames

HEAD: Final = b"GET / HTTP/1.1\r\nUpgrade: websocket" + HEAD_ENDS
SIZES: Final = (0, 1, 125, 126, 65_535, 65_536)
KEY: Final = b"\x01\xfe\x00\x80"


def frame(text: bytes, key: bytes = b"") -> bytes:
    """RFC 6455, 5.2: final, binary; masked with `key` if there is one."""
    size, mask = len(text), 0x80 if key else 0
    if size < 126:
        length = bytes([mask | size])
    elif size < 1 << 16:
        length = bytes([mask | 126]) + size.to_bytes(2)
    else:
        length = bytes([mask | 127]) + size.to_bytes(8)
    masked = bytes(byte ^ key[at % 4] for at, byte in enumerate(text)) if key else text
    return b"\x82" + length + key + masked


def pieces(data: bytes, chance: Random) -> Iterator[bytes]:
    while data:
        size = chance.choice((1, 2, 7, 1_000, 70_000))
        yield data[:size]
        data = data[size:]


@pytest.mark.parametrize("key", [b"", KEY], ids=["down", "up"])
def test_frames_are_found_however_their_bytes_come(key: bytes) -> None:
    texts = [bytes([65 + at]) * size for at, size in enumerate(SIZES)]
    sent = [HEAD, *(frame(text, key) for text in texts)]
    for seed in range(20):
        frames = Frames()
        found = [
            one for piece in pieces(b"".join(sent), Random(seed)) for one in frames.take(piece)
        ]
        assert [one.raw for one in found] == sent
        assert [one.text for one in found] == [b"", *texts]


def test_a_frame_that_is_not_whole_is_waited_for() -> None:
    frames = Frames()
    assert len(frames.take(HEAD + frame(b"PING", KEY)[:-1])) == 1
    assert frames.take(frame(b"PING", KEY)[-1:])[0].text == b"PING"
