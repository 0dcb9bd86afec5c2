r"""Session tokens and the website's assertions: HMAC-SHA-256 over a few lines of JSON.

A token is `<base64url of the payload>.<base64url of the MAC>`, without padding. The MAC is over
`<purpose>\n<payload>`, so that no token of one purpose is good for the other, whatever keys a
deployment gives them. Pure: keys and the time are given; times are Unix ms.
"""

import binascii
import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import sha256
from typing import Any, Final, Literal, TypeVar

import msgspec
from msgspec import Struct

from schemas.decoding import decoder
from schemas.ids import PlayerId, Time
from services.runtime.signing_keys import Keys

TOKEN_CHARS: Final = 384
"""The longest token that is looked at; those made here have under 200."""
ASSERTION_MS: Final = 5 * 60_000
"""The longest life of an assertion: it passes once from the website through a browser to us."""
SKEW_MS: Final = 60_000
"""How far the clock of whoever signed may be ahead of ours."""
_SESSION: Final = b"waraq-session@1\n"
_ASSERTION: Final = b"waraq-assertion@1\n"

Kind = Literal["guest", "signed"]
"""A guest made himself up here; a signed-in player is vouched for by the deployment's website."""


class Session(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who speaks, from when, until when. The end is not part of the life."""

    player: PlayerId
    kind: Kind
    issued: Time
    end: Time


class Assertion(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The website's word: this is `player`. It says how it is signed in docs/sessions.md."""

    player: PlayerId
    issued: Time
    end: Time


class Refused(Struct, frozen=True):
    """Why a token is not taken. For our own logs: whoever showed it is told none of it."""

    reason: Literal["malformed", "forged", "expired"]


T = TypeVar("T", Session, Assertion)
_decode_session = decoder(Session)
_decode_assertion = decoder(Assertion)


def session_token(session: Session, keys: Keys) -> str:
    return _token(_SESSION, session, keys)


def assertion_token(assertion: Assertion, keys: Keys) -> str:
    """What the website makes; here for tests and for whoever writes one in Python."""
    return _token(_ASSERTION, assertion, keys)


def check_session(token: str, keys: Keys, now: Time) -> Session | Refused:
    """The session that `token` stands for at `now`."""
    payload = _payload(_SESSION, token, keys)
    if isinstance(payload, Refused):
        return payload
    return _in_time(_decoded(_decode_session, payload), now)


def check_assertion(token: str, keys: Keys, now: Time) -> Assertion | Refused:
    """Whom the website vouches for at `now`; one that would live too long is malformed."""
    payload = _payload(_ASSERTION, token, keys)
    if isinstance(payload, Refused):
        return payload
    found: Assertion | Refused = _decoded(_decode_assertion, payload)
    if isinstance(found, Assertion) and found.end - found.issued > ASSERTION_MS:
        return Refused("malformed")
    return _in_time(found, now)


def _token(purpose: bytes, said: Session | Assertion, keys: Keys) -> str:
    payload = msgspec.json.encode(said)
    return f"{_text(payload)}.{_text(_mac(keys.signs, purpose, payload))}"


def _payload(purpose: bytes, token: str, keys: Keys) -> bytes | Refused:
    """The signed bytes; nothing in them is read before their MAC is known to be good."""
    if len(token) > TOKEN_CHARS or token.count(".") != 1:
        return Refused("malformed")
    payload, mac = (_bytes(part) for part in token.split("."))
    if payload is None or mac is None:
        return Refused("malformed")
    if not any(hmac.compare_digest(mac, _mac(key, purpose, payload)) for key in keys.checks):
        return Refused("forged")
    return payload


def _decoded(decode: Any, payload: bytes) -> Any:
    try:
        return decode(payload)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return Refused("malformed")


def _in_time(found: T | Refused, now: Time) -> T | Refused:
    if isinstance(found, Refused):
        return found
    if not found.issued - SKEW_MS <= now < found.end:
        return Refused("expired")
    return found


def _mac(key: bytes, purpose: bytes, payload: bytes) -> bytes:
    return hmac.digest(key, purpose + payload, sha256)


def _text(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def _bytes(text: str) -> bytes | None:
    """What `text` encodes, None if it is no encoding or not the one that we would write."""
    try:
        data = urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except (binascii.Error, ValueError):
        return None
    return data if _text(data) == text else None
