"""The broker's account key: Ed25519 in the text form that its tools write (`nk -gen account`).

The text is base32 without padding of prefix bytes, the key, and a CRC-16/XMODEM, little-endian.
"""

import binascii
from base64 import b32decode, b32encode
from typing import Final

from msgspec import Struct
from nacl.signing import SigningKey

SEED_BYTES: Final = 32
SEED_CHARS: Final = 58
_ACCOUNT: Final = 0  # it makes a public key begin with A
_SEED: Final = 18 << 3  # with the account's prefix in its low bits and the next byte: SA
_CRC_BYTES: Final = 2
_SEED_HEAD: Final = bytes([_SEED | _ACCOUNT >> 5, (_ACCOUNT & 31) << 3])


class NotASeed(Exception):
    """The text is no account's seed."""


class AccountKey(Struct, frozen=True):
    """`public` is what the broker's configuration calls the issuer."""

    public: str
    seed: bytes

    def __repr__(self) -> str:
        """Without the secret, whoever prints it."""
        return f"AccountKey({self.public})"

    def sign(self, data: bytes) -> bytes:
        return SigningKey(self.seed).sign(data).signature


def account_key(seed: str) -> AccountKey:
    """The key of a seed `SA…`; raises `NotASeed`."""
    raw = _decoded(seed.strip())
    if len(raw) != len(_SEED_HEAD) + SEED_BYTES or not raw.startswith(_SEED_HEAD):
        raise NotASeed(f"an account's seed has {SEED_CHARS} signs and begins with SA")
    return _key(raw[len(_SEED_HEAD) :])


def seed_text(raw: bytes) -> str:
    """The seed `SA…` of 32 random bytes."""
    assert len(raw) == SEED_BYTES, "a seed has 32 bytes"
    return _encoded(_SEED_HEAD + raw)


def _key(raw: bytes) -> AccountKey:
    public = SigningKey(raw).verify_key.encode()
    return AccountKey(_encoded(bytes([_ACCOUNT]) + public), raw)


def _encoded(data: bytes) -> str:
    return b32encode(data + _crc(data)).rstrip(b"=").decode("ascii")


def _decoded(text: str) -> bytes:
    try:
        data = b32decode(text + "=" * (-len(text) % 8))
    except (binascii.Error, ValueError) as error:
        raise NotASeed("a seed is base32") from error
    if _crc(data[:-_CRC_BYTES]) != data[-_CRC_BYTES:]:
        raise NotASeed("the seed's check sum is wrong")
    return data[:-_CRC_BYTES]


def _crc(data: bytes) -> bytes:
    return binascii.crc_hqx(data, 0).to_bytes(_CRC_BYTES, "little")
