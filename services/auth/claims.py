"""What the broker asks of the callout and what it is answered: JWTs signed by an account key.

Only what the answer needs is read. Who asks is not checked here: the subject is in an account of
its own, in which nobody but the broker itself may publish it.
"""

import binascii
from base64 import b32encode, urlsafe_b64decode, urlsafe_b64encode
from hashlib import sha256
from typing import Any, Final

import msgspec
from msgspec import Struct

from schemas.decoding import decoder
from services.auth.nkeys import AccountKey
from services.messaging.permissions import Permissions

REQUEST_BYTES: Final = 16_384
"""The largest request that is read; a client's CONNECT line is bounded far below it."""
VERSION: Final = 2
REFUSED: Final = "refused"
_HEADER: Final = b'{"typ":"JWT","alg":"ed25519-nkey"}'
_NO_LIMIT: Final = -1  # the broker does not keep limits of a callout's JWT: its own settings do


class ConnectOptions(Struct, frozen=True):
    """What the client said in its CONNECT."""

    auth_token: str = ""
    user: str = ""
    password: str = msgspec.field(default="", name="pass")

    def __repr__(self) -> str:
        """Without the token, whoever prints it."""
        return f"ConnectOptions(user={self.user!r})"


class Server(Struct, frozen=True):
    id: str


class Request(Struct, frozen=True):
    """`user_nkey` is the key that the broker made up for this one connection."""

    server_id: Server
    user_nkey: str
    connect_opts: ConnectOptions


class Grant(Struct, frozen=True, kw_only=True):
    """Who may come in as `name` into `account`, until `end`; times in Unix seconds."""

    name: str
    account: str
    may: Permissions
    issued: int
    end: int


class _Claims(Struct, frozen=True):
    nats: Request


_decode: Final = decoder(_Claims)


def read_request(data: bytes) -> Request | None:
    """The broker's request, None if it is none."""
    parts = data.split(b".")
    if len(data) > REQUEST_BYTES or len(parts) != 3:
        return None
    try:
        found: _Claims = _decode(urlsafe_b64decode(parts[1] + b"=" * (-len(parts[1]) % 4)))
    except (binascii.Error, msgspec.DecodeError, ValueError):
        return None
    return found.nats


def user_jwt(key: AccountKey, request: Request, grant: Grant) -> str:
    """The right to be somebody on the one connection that `request` is about."""
    nats: dict[str, Any] = {
        "type": "user",
        "version": VERSION,
        "pub": {"allow": list(grant.may.publish)},
        "sub": {"allow": list(grant.may.subscribe)},
        "subs": _NO_LIMIT,
        "data": _NO_LIMIT,
        "payload": _NO_LIMIT,
    }
    who = {"name": grant.name, "sub": request.user_nkey, "aud": grant.account}
    return _signed(key, who | {"iat": grant.issued, "exp": grant.end, "nats": nats})


def granted(key: AccountKey, request: Request, grant: Grant) -> bytes:
    """The broker's answer where somebody may come in."""
    return _answer(key, request, grant.issued, {"jwt": user_jwt(key, request, grant)})


def refused(key: AccountKey, request: Request, issued: int) -> bytes:
    """The broker's answer where not; it tells the client no more than that."""
    return _answer(key, request, issued, {"error": REFUSED})


def _answer(key: AccountKey, request: Request, issued: int, said: dict[str, str]) -> bytes:
    nats = said | {"type": "authorization_response", "version": VERSION}
    about = {"sub": request.user_nkey, "aud": request.server_id.id}
    return _signed(key, about | {"iat": issued, "nats": nats}).encode("ascii")


def _signed(key: AccountKey, claims: dict[str, Any]) -> str:
    claims |= {"iss": key.public}
    name = b32encode(sha256(msgspec.json.encode(claims)).digest()).rstrip(b"=").decode("ascii")
    body = msgspec.json.encode(claims | {"jti": name})
    head = f"{_text(_HEADER)}.{_text(body)}"
    return f"{head}.{_text(key.sign(head.encode('ascii')))}"


def _text(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode("ascii")
