"""The auth worker's answers, without a broker: whose rights, until when, and to whom nothing."""

from base64 import urlsafe_b64encode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.auth.claims import REFUSED, REQUEST_BYTES
from services.auth.doorman import Verdict
from services.auth.turnstile import TooMany
from services.messaging.permissions import COMMAND_LINE_PLAYER, player
from tests.auth.asking import NOW, answer, asked, claims, shown
from tests.auth.door import ANN, BOB, OTHERS


def test_a_token_gives_the_rights_of_its_player_and_nothing_more() -> None:
    answered = answer(asked(auth_token=shown()))
    assert answered.verdict == "let_in"
    assert answered.data is not None
    response = claims(answered.data.decode())
    assert (response["sub"], response["aud"]) == ("UCONNECTION", "NSERVER")
    user = claims(response["nats"]["jwt"])
    assert (user["name"], user["sub"], user["aud"]) == (ANN, "UCONNECTION", "WARAQ")
    may = player(ANN)
    assert user["nats"]["pub"] == {"allow": list(may.publish)}
    assert user["nats"]["sub"] == {"allow": list(may.subscribe)}
    assert "resp" not in user["nats"]


def test_the_right_never_outlives_the_token() -> None:
    answered = answer(asked(auth_token=shown(end=NOW + 5_999)))
    assert answered.data is not None
    user = claims(claims(answered.data.decode())["nats"]["jwt"])
    assert user["exp"] * 1_000 <= NOW + 5_999 < (user["exp"] + 1) * 1_000


@pytest.mark.parametrize(
    ("connect", "verdict"),
    [
        ({}, "missing"),
        ({"user": ANN}, "missing"),
        ({"auth_token": "", "pass": ""}, "missing"),
        ({"auth_token": "x"}, "malformed"),
        ({"auth_token": shown(keys=OTHERS)}, "forged"),
        ({"auth_token": shown(end=NOW)}, "expired"),
        ({"auth_token": shown("u_*")}, "malformed"),
        ({"user": BOB, "pass": shown()}, "other_user"),
        ({"user": BOB, "auth_token": shown()}, "other_user"),
        ({"auth_token": shown(COMMAND_LINE_PLAYER)}, "reserved"),
    ],
    ids=range(10),
)
def test_who_is_refused_is_told_nothing_of_why(connect: dict[str, str], verdict: Verdict) -> None:
    answered = answer(asked(**connect))
    assert answered.verdict == verdict
    assert answered.data is not None
    nats = claims(answered.data.decode())["nats"]
    assert nats["error"] == REFUSED
    assert "jwt" not in nats


def test_a_password_of_the_tokens_player_is_as_good() -> None:
    request = asked(user=ANN, **{"pass": shown()})
    assert answer(request).verdict == "let_in"


@given(st.binary(max_size=200) | st.builds(lambda body: b"e30." + body + b".x", st.binary()))
def test_what_is_no_request_is_not_answered(data: bytes) -> None:
    answered = answer(data)
    assert (answered.data, answered.verdict) == (None, "unreadable")


@pytest.mark.parametrize("body", [b"[" * 9_000, b"\xff" * 90, b"null", b'{"nats":{}}'])
def test_a_request_of_another_form_is_not_answered(body: bytes) -> None:
    data = b"e30." + urlsafe_b64encode(body) + b".c2ln"
    assert answer(data).verdict == "unreadable"


def test_a_request_over_the_limit_is_not_read() -> None:
    long = asked(auth_token=shown(), name="x" * REQUEST_BYTES)
    assert answer(long).verdict == "unreadable"


@pytest.mark.parametrize("stopped", ["too_often", "too_many"])
def test_who_is_stopped_is_refused_at_once_with_the_best_of_tokens(stopped: TooMany) -> None:
    answered = answer(asked(auth_token=shown()), stopped=stopped)
    assert answered.verdict == stopped
    assert answered.data is not None
    nats = claims(answered.data.decode())["nats"]
    assert nats["error"] == REFUSED
    assert "jwt" not in nats
