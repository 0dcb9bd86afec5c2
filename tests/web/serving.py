"""The web worker's application in this process, on a port of its own, with a turned clock."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

from aiohttp import ClientResponse, ClientSession
from msgspec import Struct

from services.event_log.sql import file_url
from services.runtime.signing_keys import Keys
from services.scoring.database import open_shared
from services.scoring.tickets import DAILY, TicketOffice
from services.web.app import Handlers, make_app
from services.web.door import State
from services.web.files import Files
from services.web.guard import guard
from services.web.listening import CONNECTIONS, HEAD_WAIT, listening, runner_of
from services.web.lists import Lists
from services.web.page import Page
from services.web.players import Players
from services.web.profiles import Profiles
from services.web.queries import WITHIN, Queries
from services.web.sessions import SessionKeys
from services.web.status import Status
from services.web.tickets import Tickets

ORIGIN: Final = "https://cards.example"
NATS: Final = "wss://play.cards.example"
OURS, OLD, SITE = Keys(b"s" * 32), Keys(b"o" * 32), Keys(b"w" * 32)
TICKETS: Final = Keys(b"t" * 32)
START: Final = 1_796_000_000_000


class House(Struct, frozen=True):
    """`standings`: their database, one that is not there if not given; `daily`: None without a
    ticket key. Seconds: in which a head must come, and for which a query is waited for.
    """

    standings: str = ""
    daily: int | None = DAILY
    head_wait: float = HEAD_WAIT
    connections: int = CONNECTIONS
    patience: float = WITHIN
    door: Sequence[State] = ("ok",)
    """How the broker's is found to stand, one look after another; as at the last from then on."""


USUAL: Final = House()


class Turned:
    """A clock that goes when it is told to."""

    def __init__(self) -> None:
        self.ms = START

    def now(self) -> int:
        return self.ms

    def ticks(self) -> float:
        return self.ms / 1_000


class Site:
    """One client of the application."""

    routes: frozenset[tuple[str, str]]
    """Method and the first part of the path."""

    def __init__(self, url: str, client: ClientSession, clock: Turned, profiles: Profiles) -> None:
        self.url = url
        self.client = client
        self.clock = clock
        self.profiles = profiles

    async def ask(self, method: str, path: str, token: str | None = None, **more: Any) -> "Answer":
        headers = dict(more.pop("headers", {}))
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        async with self.client.request(method, self.url + path, headers=headers, **more) as answer:
            return Answer(answer, await answer.read(), await _json(answer))

    async def guest(self) -> dict[str, Any]:
        answer = await self.ask("POST", "/session")
        assert answer.status == 201
        opened: dict[str, Any] = answer.json
        return opened


class Answer:
    def __init__(self, response: ClientResponse, body: bytes, json: Any) -> None:
        self.status = response.status
        self.headers = response.headers
        self.body = body
        self.json = json

    @property
    def error(self) -> tuple[int, str]:
        return self.status, self.json["error"]


async def _json(answer: ClientResponse) -> Any:
    return await answer.json() if answer.content_type == "application/json" else None


def _looks(states: Sequence[State]) -> Callable[[], Awaitable[State]]:
    left = list(states)

    async def look() -> State:
        return left.pop(0) if len(left) > 1 else left[0]

    return look


@asynccontextmanager
async def site(
    folder: Path,
    *,
    url: str = "",
    behind_proxy: bool = False,
    signed: bool = True,
    house: House = USUAL,
) -> AsyncIterator[Site]:
    """`url`: the profiles' database, a new one if not given; `signed`: there is a website."""
    clock, profiles = Turned(), Profiles(url or file_url(folder / "profiles.db"))
    profiles.create()
    engine = open_shared(house.standings or file_url(folder / "standings.db"))
    office = None if house.daily is None else TicketOffice(engine, TICKETS, house.daily)
    keys = SessionKeys(Keys(OURS.signs, OLD.signs), SITE if signed else None)
    guarded = guard({ORIGIN}, clock, behind_proxy=behind_proxy)
    queries = Queries("profiles"), Queries("standings", within=house.patience)
    files = Files()
    players = Players(keys, profiles, queries[0], clock, NATS)
    handlers = Handlers(
        players,
        Lists(engine, queries[1], OURS, clock),
        Tickets(office, queries[1], OURS, clock),
        files,
        Page(files, NATS),
        Status(players, engine, queries[1], clock, _looks(house.door)),
    )
    runner = runner_of(make_app(handlers, guarded), head_wait=house.head_wait)
    async with (
        listening(runner, "127.0.0.1", 0, most=house.connections) as taking,
        ClientSession() as client,
    ):
        host, port = taking.sockets[0].getsockname()[:2]
        found = Site(f"http://{host}:{port}", client, clock, profiles)
        found.routes = frozenset(
            (route.method, f"/{route.resource.canonical.split('/')[1]}")
            for route in runner.app.router.routes()
            if route.resource is not None
        )
        yield found
    for each in queries:
        each.close()
    engine.dispose()
    profiles.close()
