"""The web worker's routes: docs/web.md says each of them."""

from typing import Annotated, Final

from aiohttp import web
from aiohttp.typedefs import Middleware
from msgspec import Meta, Struct

from schemas.decoding import decoder
from schemas.ids import PlayerId, matches
from services.runtime.clock import Clock
from services.runtime.tokens import TOKEN_CHARS, Refused, Session, session_token
from services.web.answers import Declined, said
from services.web.asking import BODY_BYTES, body_of, decoded, player_of, query_of, token_of
from services.web.files import Files
from services.web.lists import Lists
from services.web.names import NameRefused, proper_name
from services.web.profiles import Profile, Profiles
from services.web.queries import Queries
from services.web.readiness import Readiness
from services.web.sessions import SessionKeys, new_guest, renewed, vouched_for
from services.web.tickets import Tickets

IDS: Final = 50
"""Players whose names may be asked for at once."""


class Asked(Struct, frozen=True, forbid_unknown_fields=True):
    """The body of `POST /session`, if it has one."""

    assertion: Annotated[str, Meta(max_length=TOKEN_CHARS)] | None = None


class Named(Struct, frozen=True, forbid_unknown_fields=True):
    """The body of `PUT /profile`."""

    name: Annotated[str, Meta(max_length=BODY_BYTES)]


class NamesAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """The query of `GET /profiles`: players' ids with commas between them."""

    ids: str


class Opened(Struct, frozen=True, kw_only=True):
    """`nats` is where the broker takes the token; `ends`, in Unix ms, is when it cuts."""

    player: PlayerId
    token: str
    ends: int
    nats: str


_asked = decoder(Asked)
_named = decoder(Named)


class Desk:
    """Sessions and names. `queries` are those of the names' database."""

    def __init__(
        self, keys: SessionKeys, profiles: Profiles, queries: Queries, clock: Clock, nats: str
    ) -> None:
        self._keys = keys
        self._profiles = profiles
        self._queries = queries
        self._clock = clock
        self._nats = nats
        self._readiness = Readiness(lambda: queries.ask(profiles.answers), clock)

    async def open_session(self, request: web.Request) -> web.Response:
        session = self._session(token_of(request), await body_of(request))
        if isinstance(session, Refused):
            raise Declined("refused", "that token or assertion is not good")
        token = session_token(session, self._keys.ours)
        opened = Opened(player=session.player, token=token, ends=session.end, nats=self._nats)
        return said(opened, 201)

    def _session(self, token: str | None, body: bytes) -> Session | Refused:
        assertion = decoded(_asked, body).assertion if body else None
        if token is not None and assertion is not None:
            raise Declined("bad_request", "say who you are by a token or an assertion, not by both")
        now = self._clock.now()
        if token is not None:
            return renewed(token, self._keys, now)
        return vouched_for(assertion, self._keys, now) if assertion is not None else new_guest(now)

    async def put_profile(self, request: web.Request) -> web.Response:
        player = self._player(request)
        name = proper_name(decoded(_named, await body_of(request)).name)
        if isinstance(name, NameRefused):
            raise Declined("bad_name", name.why)
        profile, now = Profile(player, name), self._clock.now()
        await self._queries.ask(lambda: self._profiles.put(profile, now))
        return said(profile)

    async def delete_profile(self, request: web.Request) -> web.Response:
        player = self._player(request)
        await self._queries.ask(lambda: self._profiles.erase(player))
        return web.Response(status=204)

    async def profiles(self, request: web.Request) -> web.Response:
        ids = query_of(request, NamesAsked).ids.split(",")
        if len(ids) > IDS or not all(matches(one, PlayerId) for one in ids):
            raise Declined("bad_request", f"ids are 1 to {IDS} players, with commas between them")
        found = await self._queries.ask(lambda: self._profiles.named(ids))
        return said({"profiles": found})

    async def live(self, _request: web.Request) -> web.Response:
        return said({"live": True})

    async def ready(self, _request: web.Request) -> web.Response:
        """Sessions and names. Without the standings' database there are no lists, and the same
        holds for every other web worker: it is no reason to send players to another one.
        """
        return said({"ready": await self._readiness.answer()})

    def _player(self, request: web.Request) -> PlayerId:
        return player_of(request, self._keys.ours, self._clock.now())


class Rooms(Struct, frozen=True):
    """What the routes lead to."""

    desk: Desk
    lists: Lists
    tickets: Tickets


def make_app(rooms: Rooms, guarded: Middleware) -> web.Application:
    app = web.Application(middlewares=[guarded], client_max_size=BODY_BYTES)
    desk, lists, tickets = rooms.desk, rooms.lists, rooms.tickets
    app.router.add_post("/session", desk.open_session)
    app.router.add_put("/profile", desk.put_profile)
    app.router.add_delete("/profile", desk.delete_profile)
    app.router.add_get("/profiles", desk.profiles)
    app.router.add_post("/ticket", tickets.give)
    app.router.add_get("/ticket", tickets.left)
    app.router.add_get("/tables", lists.tables)
    app.router.add_get("/matches", lists.matches)
    app.router.add_get("/standings", lists.standings)
    app.router.add_get("/players/{player}", lists.player)
    app.router.add_get("/terms", lists.terms)
    app.router.add_get("/livez", desk.live)
    app.router.add_get("/readyz", desk.ready)
    app.router.add_get("/static/{name:.+}", Files().file)
    return app
