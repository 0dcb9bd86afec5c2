"""What the broker asks the auth worker, made here, and what is in its answers."""

import json
from base64 import b32decode, urlsafe_b64decode, urlsafe_b64encode
from typing import Any, Final

from nacl.signing import VerifyKey

from services.auth.doorman import Answered, Doorman, answer_login
from services.auth.turnstile import TooMany
from services.runtime.signing_keys import Keys
from services.runtime.tokens import Session, session_token
from tests.auth.door import ANN, ISSUER, KEYS
from tests.clocks import HandClock

NOW: Final = HandClock().now() + 900
DOORMAN: Final = Doorman(ISSUER, KEYS, "WARAQ")


def answer(data: bytes, *, stopped: TooMany | None = None) -> Answered:
    """The doorman's, where the turnstile says that of everybody."""
    return answer_login(DOORMAN, data, NOW, lambda _: stopped)


def shown(who: str = ANN, *, keys: Keys = KEYS, end: int = NOW + 5_000) -> str:
    return session_token(Session(player=who, kind="guest", issued=NOW - 9_000, end=end), keys)


def asked(**connect: str) -> bytes:
    """The broker's request about a client that says that."""
    nats = {
        "server_id": {"name": "n1", "host": "127.0.0.1", "id": "NSERVER"},
        "user_nkey": "UCONNECTION",
        "client_info": {"id": 7, "user": "[REDACTED]"},
        "connect_opts": connect | {"lang": "nats.ws", "protocol": 1},
    }
    body = urlsafe_b64encode(json.dumps({"iss": "NSERVER", "nats": nats}).encode()).rstrip(b"=")
    return b"e30." + body + b".c2ln"


def claims(jwt: str) -> dict[str, Any]:
    """What the issuer has signed; fails if it has not."""
    head, body, signature = jwt.split(".")
    found: dict[str, Any] = json.loads(unpadded(body))
    key = b32decode(found["iss"])[1:33]
    VerifyKey(key).verify(f"{head}.{body}".encode(), unpadded(signature))
    assert found["iss"] == ISSUER.public
    return found


def unpadded(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
