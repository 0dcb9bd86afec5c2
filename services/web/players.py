"""Sessions and names: `POST /session` and `…/profile`, who a player is and what he is called."""

from typing import Annotated, Final

from aiohttp import web
from msgspec import Meta, Struct

from schemas.decoding import decoder
from schemas.ids import PlayerId, matches
from services.runtime.clock import Clock
from services.runtime.tokens import TOKEN_CHARS, Refused, Session, session_token
from services.web.answers import Declined, said
from services.web.asking import BODY_BYTES, body_of, decoded, player_of, query_of, token_of
from services.web.names import NameRefused, proper_name
from services.web.profiles import Profile, Profiles
from services.web.queries import Queries
from services.web.readiness import Readiness
from services.web.sessions import SessionKeys, new_guest, renewed, vouched_for

IDS: Final = 50
"""Players whose names may be asked for at once."""


class SessionAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """The body of `POST /session`, if it has one."""

    assertion: Annotated[str, Meta(max_length=TOKEN_CHARS)] | None = None


class NameChosen(Struct, frozen=True, forbid_unknown_fields=True):
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


_asked = decoder(SessionAsked)
_chosen = decoder(NameChosen)


class Players:
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
        name = proper_name(decoded(_chosen, await body_of(request)).name)
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

    async def ready(self, _request: web.Request) -> web.Response:
        """Sessions and names. Without the standings' database there are no lists, and the same
        holds for every other web worker: it is no reason to send players to another one.
        """
        return said({"ready": await self._readiness.answer()})

    async def answers(self) -> bool:
        """Do sessions and names work, as `GET /readyz` says it?"""
        try:
            return await self._readiness.answer()
        except Declined:
            return False

    def _player(self, request: web.Request) -> PlayerId:
        return player_of(request, self._keys.ours, self._clock.now())
