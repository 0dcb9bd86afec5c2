"""`POST /ticket` and `GET /ticket`: the free matches of a player's day (H22)."""

from math import ceil

from aiohttp import web
from msgspec import Struct

from schemas.decoding import decoder
from services.runtime.clock import Clock
from services.runtime.signing_keys import Keys
from services.runtime.tickets import Offset
from services.scoring.tickets import NoneLeft, TicketOffice, WantedTicket, give, left_of
from services.web.answers import Declined, said
from services.web.asking import Nothing, body_of, decoded, player_of, query_of
from services.web.queries import Queries

_wanted = decoder(WantedTicket)


class LeftAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """The query of `GET /ticket`."""

    offset: Offset


class Tickets:
    """`office` is None where the deployment has no ticket key: there any match may be opened."""

    def __init__(
        self, office: TicketOffice | None, queries: Queries, keys: Keys, clock: Clock
    ) -> None:
        self._office = office
        self._queries = queries
        self._keys = keys
        self._clock = clock

    async def give(self, request: web.Request) -> web.Response:
        now = self._clock.now()
        player, office = player_of(request, self._keys, now), self._needed()
        query_of(request, Nothing)
        wanted = decoded(_wanted, await body_of(request))
        found = await self._queries.ask(lambda: give(office, player, wanted, now))
        if isinstance(found, NoneLeft):
            wait = ceil((found.again - now) / 1_000)
            text = f"all tickets of {found.day} are given"
            raise Declined("none_left", text, retry_after=wait, again=found.again)
        return said(found, 201)

    async def left(self, request: web.Request) -> web.Response:
        now = self._clock.now()
        player, office = player_of(request, self._keys, now), self._needed()
        offset = query_of(request, LeftAsked).offset
        return said(await self._queries.ask(lambda: left_of(office, player, offset, now)))

    def _needed(self) -> TicketOffice:
        if self._office is None:
            raise Declined("no_tickets", "no tickets are asked for here: open any match without")
        return self._office
