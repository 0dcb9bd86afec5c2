"""Heads signed by the deployment that keeps the log: Ed25519 over one line of ASCII.

`waraq-head@1|<match>|<version>|<head>`. What that proves, and what not, is in docs/match-file.md.
"""

from pathlib import Path
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct
from nacl.exceptions import BadSignatureError
from nacl.signing import SigningKey, VerifyKey

from schemas.ids import Hex32, MatchId
from services.runtime.key_files import KEY_BYTES, KeyUnusable, read_key_file

SCHEME: Final = "waraq-head@1"

Hex64 = Annotated[str, Meta(pattern="^[0-9a-f]{128}$", max_length=128)]
Verdict = Literal["good", "forged", "other_key"]
"""`forged`: not that key's signature of that head. `other_key`: one that is good, of a key that was
not asked for.
"""


class HeadKey(Struct, frozen=True):
    """`public` is the key that others compare, in hex."""

    public: Hex32
    seed: bytes

    def __repr__(self) -> str:
        """Without the secret, whoever prints it."""
        return f"HeadKey({self.public})"


class MatchHead(Struct, frozen=True, kw_only=True):
    """The head of `match` after `version`: it stands for every line up to there."""

    match: MatchId
    version: int
    head: Hex32


class Signed(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who signed a head, and how."""

    key: Hex32
    signature: Hex64


def key_from(seed: bytes) -> HeadKey:
    return HeadKey(SigningKey(seed).verify_key.encode().hex(), seed)


def read_key(path: Path) -> HeadKey:
    """The key in `path`; raises `KeyUnusable`."""
    seed = read_key_file(path, "head key")
    if len(seed) != KEY_BYTES:
        raise KeyUnusable(f"the head key {path} has not {KEY_BYTES} bytes: name another file")
    return key_from(seed)


def sign(key: HeadKey, head: MatchHead) -> Signed:
    """The same key and head give the same bytes every time."""
    signature = SigningKey(key.seed).sign(_message(head)).signature
    return Signed(key=key.public, signature=signature.hex())


def check(signed: Signed, head: MatchHead, *, key: Hex32 | None = None) -> Verdict:
    """Is it a signature of `head`, and of `key` (None: of whatever key it names)?"""
    try:
        verifier = VerifyKey(bytes.fromhex(signed.key))
        verifier.verify(_message(head), bytes.fromhex(signed.signature))
    except BadSignatureError:
        return "forged"
    return "good" if key in {None, signed.key} else "other_key"


def _message(head: MatchHead) -> bytes:
    return f"{SCHEME}|{head.match}|{head.version}|{head.head}".encode("ascii")
