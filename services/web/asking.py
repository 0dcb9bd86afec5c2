"""What a request says: who asks, its body, its query; what is not as it should be is declined."""

import asyncio
import re
from collections.abc import Callable
from typing import Final, TypeVar

import msgspec
from aiohttp import web
from msgspec import Struct

from schemas.ids import PlayerId, Time
from services.runtime.signing_keys import Keys
from services.runtime.tokens import Refused, check_session
from services.web.answers import Declined

BODY_BYTES: Final = 2_048
"""The largest body that is read."""
BODY_WAIT: Final = 5.0
"""Seconds that a body has to arrive."""
_BEARER: Final = "Bearer "
_NUMBER: Final = re.compile(r"-?(0|[1-9][0-9]{0,8})", re.ASCII)

T = TypeVar("T")
Q = TypeVar("Q", bound=Struct)


class Nothing(Struct, frozen=True, forbid_unknown_fields=True):
    """The query of what takes none."""


def token_of(request: web.Request) -> str | None:
    """What follows `Bearer`; None if nobody says who he is."""
    header = request.headers.get("Authorization")
    if header is None:
        return None
    if not header.startswith(_BEARER):
        raise Declined("refused", "say Authorization: Bearer TOKEN")
    return header.removeprefix(_BEARER).strip()


def player_of(request: web.Request, keys: Keys, now: Time) -> PlayerId:
    """Who asks, by the token of his session."""
    session = check_session(token_of(request) or "", keys, now)
    if isinstance(session, Refused):
        raise Declined("refused", "a session's token is needed: Authorization: Bearer …")
    return session.player


async def body_of(request: web.Request) -> bytes:
    try:
        async with asyncio.timeout(BODY_WAIT):
            return await request.read()
    except TimeoutError:
        raise Declined("too_slow", "the body did not arrive in time") from None


def decoded(decode: Callable[[bytes], T], body: bytes) -> T:
    try:
        return decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise Declined("bad_request", "the body is not the JSON that is asked for") from None


def query_of(request: web.Request, kind: type[Q]) -> Q:
    """The query as `kind`, which has texts and whole numbers: every key known, and once."""
    given = {name: _value(text) for name, text in request.query.items()}
    try:
        if len(given) == len(request.query):
            return msgspec.convert(given, kind)
    except msgspec.ValidationError:
        pass
    known = ", ".join(kind.__struct_fields__) or "nothing"
    raise Declined("bad_request", f"the query takes {known}: each once, in its form and bounds")


def _value(text: str) -> str | int:
    return int(text) if _NUMBER.fullmatch(text) else text
