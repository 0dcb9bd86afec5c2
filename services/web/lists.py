"""What anybody may read of tables and players, and a player's own matches: never a card."""

from collections.abc import Callable, Sequence
from typing import Annotated, Final, Literal, TypeVar

from aiohttp import web
from msgspec import Meta, Struct

from schemas.ids import MatchId, PlayerId, matches
from services.runtime.clock import Clock
from services.runtime.signing_keys import Keys
from services.scoring.database import Connection, Engine, reading
from services.scoring.records import TOP, Standing, standing_of, top_of
from services.scoring.tables import OVER, RUNNING, Status, Table, open_tables, tables_of
from services.scoring.terms import TERMS
from services.web.answers import Declined, said
from services.web.asking import Nothing, player_of, query_of
from services.web.queries import Queries

PAGE: Final = 20
MOST_TABLES: Final = 50
"""Tables of one page: a table has under a kilobyte."""
MOST_STANDINGS: Final = 100
KEEP_TABLES: Final = 1
"""Seconds: the lists are about as much behind the log by themselves."""
KEEP_STANDINGS: Final = 5
KEEP_TERMS: Final = 300

STATUSES: Final[dict[str | None, Sequence[Status]]] = {
    "running": RUNNING,
    "over": OVER,
    None: (*RUNNING, *OVER),
}
T = TypeVar("T")


class TablesAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """The query of `GET /tables`. `after`: the last match of the page before."""

    after: MatchId | None = None
    most: Annotated[int, Meta(ge=1, le=MOST_TABLES)] = PAGE


class MatchesAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """The query of `GET /matches`; `after` as of tables."""

    status: Literal["running", "over"] | None = None
    after: MatchId | None = None
    most: Annotated[int, Meta(ge=1, le=MOST_TABLES)] = PAGE


class StandingsAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """The query of `GET /standings`. `after`: the last player of the page before."""

    after: PlayerId | None = None
    most: Annotated[int, Meta(ge=1, le=MOST_STANDINGS)] = PAGE


class Tables(Struct, frozen=True):
    """Tables that wait for anybody, the newest first; `more`: there is a page after this."""

    tables: tuple[Table, ...]
    more: bool


class Matches(Struct, frozen=True):
    """A player's own matches, the newest first."""

    matches: tuple[Table, ...]
    more: bool


class Standings(Struct, frozen=True):
    """Players by their XO points, the best first."""

    standings: tuple[Standing, ...]
    more: bool


class Lists:
    """The routes over what scoring has counted."""

    def __init__(self, engine: Engine, queries: Queries, keys: Keys, clock: Clock) -> None:
        self._engine = engine
        self._queries = queries
        self._keys = keys
        self._clock = clock

    async def tables(self, request: web.Request) -> web.Response:
        asked = query_of(request, TablesAsked)
        found = await self._read(
            lambda connection: open_tables(connection, after=asked.after, most=asked.most + 1)
        )
        return said(Tables(found[: asked.most], len(found) > asked.most), keep=KEEP_TABLES)

    async def matches(self, request: web.Request) -> web.Response:
        """Only of whoever asks."""
        player = player_of(request, self._keys, self._clock.now())
        asked = query_of(request, MatchesAsked)
        status, more = STATUSES[asked.status], asked.most + 1
        found = await self._read(
            lambda connection: tables_of(
                connection, player, status=status, after=asked.after, most=more
            )
        )
        return said(Matches(found[: asked.most], len(found) > asked.most))

    async def standings(self, request: web.Request) -> web.Response:
        asked = query_of(request, StandingsAsked)
        best = await self._read(lambda connection: top_of(connection, TOP))
        rest = _behind(best, asked.after)
        page = Standings(rest[: asked.most], len(rest) > asked.most)
        return said(page, keep=KEEP_STANDINGS)

    async def player(self, request: web.Request) -> web.Response:
        query_of(request, Nothing)
        player = request.match_info["player"]
        if not matches(player, PlayerId):
            raise Declined("bad_request", "a player's id is like u_0123456789ab")
        found = await self._read(lambda connection: standing_of(connection, player))
        return said(found, keep=KEEP_STANDINGS)

    async def terms(self, request: web.Request) -> web.Response:
        query_of(request, Nothing)
        return said(TERMS, keep=KEEP_TERMS)

    async def _read(self, query: Callable[[Connection], T]) -> T:
        return await self._queries.ask(lambda: self._reading(query))

    def _reading(self, query: Callable[[Connection], T]) -> T:
        with reading(self._engine) as connection:
            return query(connection)


def _behind(best: tuple[Standing, ...], after: PlayerId | None) -> tuple[Standing, ...]:
    """Those after `after`; nobody if he is not among the best."""
    if after is None:
        return best
    places = [place for place, one in enumerate(best) if one.player == after]
    return best[places[0] + 1 :] if places else ()
