"""The master key of the sealed shuffle, and the luck of a match that follows from it."""

from hashlib import sha256
from pathlib import Path
from typing import Final

from msgspec import Struct

from schemas.ids import Hex32, MatchId
from services.rules.chance import SHUFFLE, KeyedChance, match_secret, seal_of
from services.rules.opening import Terms
from services.runtime.key_files import read_key_file

_ID_DIGITS: Final = 16


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
    """The key in `path`; raises `services.runtime.key_files.KeyUnusable`."""
    return key_from(read_key_file(path, "shuffle key"))


def chance_of(key: ShuffleKey, match: MatchId, nonces: tuple[Hex32, ...] = ()) -> KeyedChance:
    return KeyedChance(key.key, match, nonces)


def terms_of(key: ShuffleKey, match: MatchId, policy: str) -> Terms:
    """What the table adds to the opening of `match`."""
    seal = seal_of(match_secret(key.key, match))
    return Terms(seal=seal, shuffle=SHUFFLE, key=key.id, policy=policy)
