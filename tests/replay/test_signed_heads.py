"""Signed heads: Ed25519 over one line, the same every time; the key is nobody else's to read."""

from pathlib import Path

import pytest
from msgspec.structs import replace
from nacl.signing import VerifyKey

from services.replay.signed_heads import (
    HeadKey,
    MatchHead,
    Signed,
    check,
    key_from,
    read_key,
    sign,
)
from services.runtime.key_files import KeyUnusable

SEED = bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")
KEY = key_from(SEED)
HEAD = MatchHead(match="m_" + "0" * 32, version=130, head="ab" * 32)
SIGNED = sign(KEY, HEAD)


def test_the_public_key_is_that_of_rfc_8032() -> None:
    assert KEY.public == "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"


def test_what_is_signed_is_the_line_that_the_page_names() -> None:
    line = b"waraq-head@1|m_" + b"0" * 32 + b"|130|" + b"ab" * 32
    VerifyKey(bytes.fromhex(SIGNED.key)).verify(line, bytes.fromhex(SIGNED.signature))


def test_the_same_key_and_head_give_the_same_signature() -> None:
    assert sign(KEY, HEAD) == SIGNED
    assert check(SIGNED, HEAD) == check(SIGNED, HEAD, key=KEY.public) == "good"


@pytest.mark.parametrize(
    "other",
    [
        replace(HEAD, match="m_" + "1" * 32),
        replace(HEAD, version=131),
        replace(HEAD, head="ac" * 32),
    ],
)
def test_a_signature_is_of_one_match_one_version_and_one_head(other: MatchHead) -> None:
    assert check(SIGNED, other) == "forged"


@pytest.mark.parametrize(
    "key", ["00" * 32, "ff" * 32, "01" + "00" * 31, key_from(b"o" * 32).public]
)
def test_another_key_named_in_a_signature_makes_it_none(key: str) -> None:
    """Keys that are no points of the curve and such of small order too."""
    assert check(Signed(key=key, signature=SIGNED.signature), HEAD) == "forged"


def test_a_changed_signature_is_none() -> None:
    flipped = f"{int(SIGNED.signature[0], 16) ^ 1:x}{SIGNED.signature[1:]}"
    assert check(replace(SIGNED, signature=flipped), HEAD) == "forged"
    assert check(replace(SIGNED, signature="0" * 128), HEAD) == "forged"


def test_a_good_signature_of_whom_was_not_asked_for_is_told_apart() -> None:
    assert check(SIGNED, HEAD, key=key_from(b"o" * 32).public) == "other_key"


def key_file(folder: Path, seed: bytes = SEED, mode: int = 0o600) -> Path:
    path = folder / "head.key"
    path.write_bytes(seed)
    path.chmod(mode)
    return path


def test_a_key_is_32_bytes_that_only_their_owner_can_read(tmp_path: Path) -> None:
    assert read_key(key_file(tmp_path)) == KEY
    for seed, mode, reason in [
        (SEED, 0o640, "open to others: chmod 600"),
        (SEED, 0o604, "open to others: chmod 600"),
        (SEED[:-1], 0o600, "has under 32 bytes"),
        (SEED + b"\n", 0o600, "has not 32 bytes"),
        (b"", 0o600, "has under 32 bytes"),
    ]:
        with pytest.raises(KeyUnusable, match=reason):
            read_key(key_file(tmp_path, seed, mode))


def test_a_key_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(KeyUnusable, match=r"head\.key: No such file"):
        read_key(tmp_path / "head.key")
    with pytest.raises(KeyUnusable, match="Is a directory"):
        read_key(folder(tmp_path))


def folder(path: Path) -> Path:
    made = path / "folder"
    made.mkdir(mode=0o700)
    return made


def test_nothing_shows_the_secret(tmp_path: Path) -> None:
    shown = repr(KEY) + str(KEY) + f"{KEY}{[KEY]}"
    with pytest.raises(KeyUnusable) as caught:
        read_key(key_file(tmp_path, SEED + b"x"))
    shown += str(caught.value)
    assert SEED.hex() not in shown
    assert str(SEED)[2:20] not in shown
    assert repr(KEY) == f"HeadKey({KEY.public})"


def test_keys_that_are_equal_are_the_same_key() -> None:
    assert key_from(SEED) == HeadKey(KEY.public, SEED)
