"""The web worker's routes: docs/sessions.md says each of them."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Annotated, Final, TypeVar

import msgspec
from aiohttp import web
from aiohttp.typedefs import Middleware
from msgspec import Meta, Struct
from sqlalchemy.exc import SQLAlchemyError

from schemas.decoding import decoder
from schemas.ids import PlayerId, matches
from services.runtime.clock import Clock
from services.runtime.tokens import TOKEN_CHARS, Refused, Session, check_session, session_token
from services.web.answers import Declined, said
from services.web.names import NameRefused, proper_name
from services.web.profiles import Profile, Profiles
from services.web.sessions import SessionKeys, new_guest, renewed, vouched_for

BODY_BYTES: Final = 2_048
"""The largest body that is read."""
BODY_WAIT: Final = 5.0
"""Seconds that a body has to arrive."""
IDS: Final = 50
"""Players whose names may be asked for at once."""
THREADS: Final = 4
QUERIES: Final = 64
"""Queries that may wait for the database; more are told that it is busy."""
STATIC: Final = Path(__file__).parent / "static"
_BEARER: Final = "Bearer "

T = TypeVar("T")


class Asked(Struct, frozen=True, forbid_unknown_fields=True):
    """The body of `POST /session`, if it has one."""

    assertion: Annotated[str, Meta(max_length=TOKEN_CHARS)] | None = None


class Named(Struct, frozen=True, forbid_unknown_fields=True):
    """The body of `PUT /profile`."""

    name: Annotated[str, Meta(max_length=BODY_BYTES)]


class Opened(Struct, frozen=True, kw_only=True):
    """`nats` is where the broker takes the token; `ends`, in Unix ms, is when it cuts."""

    player: PlayerId
    token: str
    ends: int
    nats: str


_asked = decoder(Asked)
_named = decoder(Named)


class Desk:
    """What the routes share."""

    def __init__(self, keys: SessionKeys, profiles: Profiles, clock: Clock, nats: str) -> None:
        self._keys = keys
        self._profiles = profiles
        self._clock = clock
        self._nats = nats
        self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="profiles")
        self._waiting = 0

    async def open_session(self, request: web.Request) -> web.Response:
        session = self._session(_token(request), await _body(request))
        if isinstance(session, Refused):
            raise Declined("refused", "that token or assertion is not good")
        token = session_token(session, self._keys.ours)
        opened = Opened(player=session.player, token=token, ends=session.end, nats=self._nats)
        return said(opened, 201)

    def _session(self, token: str | None, body: bytes) -> Session | Refused:
        assertion = _decoded(_asked, body).assertion if body else None
        if token is not None and assertion is not None:
            raise Declined("bad_request", "say who you are by a token or an assertion, not by both")
        now = self._clock.now()
        if token is not None:
            return renewed(token, self._keys, now)
        return vouched_for(assertion, self._keys, now) if assertion is not None else new_guest(now)

    async def put_profile(self, request: web.Request) -> web.Response:
        player = self._player(request)
        name = proper_name(_decoded(_named, await _body(request)).name)
        if isinstance(name, NameRefused):
            raise Declined("bad_name", name.why)
        profile, now = Profile(player, name), self._clock.now()
        await self._query(lambda: self._profiles.put(profile, now))
        return said(profile)

    async def delete_profile(self, request: web.Request) -> web.Response:
        player = self._player(request)
        await self._query(lambda: self._profiles.erase(player))
        return web.Response(status=204)

    async def profiles(self, request: web.Request) -> web.Response:
        ids = request.query.get("ids", "").split(",")
        if len(ids) > IDS or not all(matches(one, PlayerId) for one in ids):
            raise Declined("bad_request", f"ids are 1 to {IDS} players, with commas between them")
        found = await self._query(lambda: self._profiles.named(ids))
        return said({"profiles": found})

    async def live(self, _request: web.Request) -> web.Response:
        return said({"live": True})

    async def ready(self, _request: web.Request) -> web.Response:
        return said({"ready": await self._query(self._profiles.answers)})

    async def close(self, _app: web.Application) -> None:
        self._pool.shutdown()
        self._profiles.close()

    def _player(self, request: web.Request) -> PlayerId:
        token = _token(request)
        session = check_session(token or "", self._keys.ours, self._clock.now())
        if isinstance(session, Refused):
            raise Declined("refused", "a session's token is needed: Authorization: Bearer …")
        return session.player

    async def _query(self, query: Callable[[], T]) -> T:
        if self._waiting >= QUERIES:
            raise Declined("busy", "ask again", retry_after=1)
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, query)
        except SQLAlchemyError as error:
            raise Declined("busy", "the database does not answer", retry_after=1) from error
        finally:
            self._waiting -= 1


def make_app(desk: Desk, guarded: Middleware, static: Path = STATIC) -> web.Application:
    app = web.Application(middlewares=[guarded], client_max_size=BODY_BYTES)
    app.router.add_post("/session", desk.open_session)
    app.router.add_put("/profile", desk.put_profile)
    app.router.add_delete("/profile", desk.delete_profile)
    app.router.add_get("/profiles", desk.profiles)
    app.router.add_get("/livez", desk.live)
    app.router.add_get("/readyz", desk.ready)
    app.router.add_static("/static", static)
    app.on_cleanup.append(desk.close)
    return app


def _token(request: web.Request) -> str | None:
    """What follows `Bearer`; None if nobody says who he is."""
    header = request.headers.get("Authorization")
    if header is None:
        return None
    if not header.startswith(_BEARER):
        raise Declined("refused", "say Authorization: Bearer TOKEN")
    return header.removeprefix(_BEARER).strip()


async def _body(request: web.Request) -> bytes:
    try:
        async with asyncio.timeout(BODY_WAIT):
            return await request.read()
    except TimeoutError:
        raise Declined("too_slow", "the body did not arrive in time") from None


def _decoded(decode: Callable[[bytes], T], body: bytes) -> T:
    try:
        return decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise Declined("bad_request", "the body is not the JSON that is asked for") from None
