"""The master key of the sealed shuffle, and the luck of a match that follows from it."""

import os
import stat
from hashlib import sha256
from pathlib import Path
from typing import Final

from msgspec import Struct

from schemas.ids import Hex32, MatchId
from services.rules.chance import SHUFFLE, KeyedChance, match_secret, seal_of
from services.rules.opening import Terms

KEY_BYTES: Final = 32
_ID_DIGITS: Final = 16


class KeyUnusable(Exception):
    """The key file is missing, too short or open to others."""


class ShuffleKey(Struct, frozen=True):
    """`id` names the key in `match_opened` and tells nothing of it."""

    id: str
    key: bytes

    def __repr__(self) -> str:
        """Without the key, whoever prints it."""
        return f"ShuffleKey({self.id})"


def key_from(key: bytes) -> ShuffleKey:
    return ShuffleKey(sha256(b"waraq-shuffle-key:" + key).hexdigest()[:_ID_DIGITS], key)


def read_key(path: Path) -> ShuffleKey:
    """The key in `path`; raises `KeyUnusable`, saying what to do."""
    try:
        mode, key = path.stat().st_mode, path.read_bytes()
    except OSError as error:
        raise KeyUnusable(f"cannot read the shuffle key {path}: {error.strerror}") from error
    if stat.S_IMODE(mode) & 0o077:
        raise KeyUnusable(f"the shuffle key {path} is open to others: chmod 600 {path}")
    if len(key) < KEY_BYTES:
        raise KeyUnusable(f"the shuffle key {path} has under {KEY_BYTES} bytes: make a new one")
    return key_from(key)


def create_key(path: Path) -> None:
    """Write a new random key that only its owner can read; keeps one that is there."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    try:
        descriptor = os.open(path, flags, 0o600)
    except FileExistsError:
        return
    with os.fdopen(descriptor, "wb") as file:
        file.write(os.urandom(KEY_BYTES))
        file.flush()
        os.fsync(file.fileno())


def chance_of(key: ShuffleKey, match: MatchId, nonces: tuple[Hex32, ...] = ()) -> KeyedChance:
    return KeyedChance(key.key, match, nonces)


def terms_of(key: ShuffleKey, match: MatchId, policy: str) -> Terms:
    """What the table adds to the opening of `match`."""
    seal = seal_of(match_secret(key.key, match))
    return Terms(seal=seal, shuffle=SHUFFLE, key=key.id, policy=policy)
