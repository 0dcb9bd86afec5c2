"""Session tokens: who may make one, how long it is good, and what is no token at all."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.runtime import tokens
from services.runtime.signing_keys import Keys
from services.runtime.tokens import (
    ASSERTION_MS,
    TOKEN_CHARS,
    Assertion,
    Refused,
    Session,
    assertion_token,
    check_assertion,
    check_session,
    session_token,
)

NOW = 1_796_000_000_000
KEYS, OTHERS = Keys(b"a" * 32), Keys(b"b" * 32)
ANN = Session(player="u_ann00000", kind="guest", issued=NOW, end=NOW + 1_000)
BOB = Assertion(player="u_bob00000", issued=NOW, end=NOW + 1_000)


def signed(payload: bytes, keys: Keys = KEYS) -> str:
    """A token of any bytes, with a good MAC."""
    mac = tokens._mac(keys.signs, tokens._SESSION, payload)
    return f"{tokens._text(payload)}.{tokens._text(mac)}"


def test_what_was_signed_is_what_is_read() -> None:
    assert check_session(session_token(ANN, KEYS), KEYS, NOW) == ANN
    assert check_assertion(assertion_token(BOB, KEYS), KEYS, NOW) == BOB


def test_a_token_is_far_under_its_limit() -> None:
    longest = Session(player="u_" + "z" * 28, kind="signed", issued=NOW, end=NOW)
    assert len(session_token(longest, KEYS)) < TOKEN_CHARS * 3 // 4


def test_a_token_of_another_key_is_forged() -> None:
    assert check_session(session_token(ANN, OTHERS), KEYS, NOW) == Refused("forged")
    assert check_assertion(assertion_token(BOB, OTHERS), KEYS, NOW) == Refused("forged")


def test_keys_are_changed_without_ending_sessions() -> None:
    old = session_token(ANN, KEYS)
    rotated = Keys(OTHERS.signs, still_good=KEYS.signs)
    assert check_session(old, rotated, NOW) == ANN
    assert check_session(session_token(ANN, rotated), OTHERS, NOW) == ANN
    assert check_session(session_token(ANN, rotated), KEYS, NOW) == Refused("forged")
    assert check_session(old, OTHERS, NOW) == Refused("forged")


@pytest.mark.parametrize("now", [ANN.end, ANN.end + 1, NOW - tokens.SKEW_MS - 1])
def test_a_token_is_good_in_its_time_only(now: int) -> None:
    token = session_token(ANN, KEYS)
    assert check_session(token, KEYS, ANN.end - 1) == ANN
    assert check_session(token, KEYS, now) == Refused("expired")


def test_an_assertion_is_no_session_and_a_session_no_assertion_whatever_the_keys() -> None:
    assert check_session(assertion_token(BOB, KEYS), KEYS, NOW) == Refused("forged")
    assert check_assertion(session_token(ANN, KEYS), KEYS, NOW) == Refused("forged")


def test_an_assertion_for_too_long_is_not_taken() -> None:
    long = msgspec.structs.replace(BOB, end=NOW + ASSERTION_MS + 1)
    assert check_assertion(assertion_token(long, KEYS), KEYS, NOW) == Refused("malformed")


@pytest.mark.parametrize(
    "player", ["u_*", "u_>", "u_ann0*000", "u_ann0.000", "u_ANN00000", "ops", "house0", "", "u_a\n"]
)
def test_even_a_signed_token_names_a_proper_player(player: str) -> None:
    payload = msgspec.json.encode({**msgspec.to_builtins(ANN), "player": player})
    assert check_session(signed(payload), KEYS, NOW) == Refused("malformed")


@pytest.mark.parametrize(
    "payload",
    [b"", b"{}", b"null", b"\xff", b"[" * 200, msgspec.json.encode(ANN)[:-1] + b',"more":1}'],
)
def test_a_signed_payload_of_another_form_is_malformed(payload: bytes) -> None:
    assert check_session(signed(payload), KEYS, NOW) == Refused("malformed")


@pytest.mark.parametrize("token", ["", ".", "..", "a", "a.b.c", "ü.ü", "=.=", "a" * 100_000])
def test_what_has_not_the_form_is_refused(token: str) -> None:
    assert isinstance(check_session(token, KEYS, NOW), Refused)


def test_the_same_bytes_have_one_token_only() -> None:
    payload, _, mac = session_token(ANN, KEYS).partition(".")
    for same in (
        f"{payload}=.{mac}",
        f"{payload}.{mac}=",
        f"{payload}\n.{mac}",
        f" {payload}.{mac}",
    ):
        assert check_session(same, KEYS, NOW) == Refused("malformed")


@given(at=st.integers(0, 300), char=st.characters())
def test_a_token_with_any_sign_changed_is_refused(at: int, char: str) -> None:
    token = session_token(ANN, KEYS)
    at %= len(token)
    changed = token[:at] + char + token[at + 1 :]
    if changed != token:
        assert isinstance(check_session(changed, KEYS, NOW), Refused)


def test_keys_do_not_show_themselves() -> None:
    assert repr(KEYS.signs) not in repr(KEYS)
    assert "aaaa" not in f"{KEYS} {[KEYS]}"
