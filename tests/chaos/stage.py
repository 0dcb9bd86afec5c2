"""The stage: broker, database, workers as processes, and a proxy on each way between them."""

from contextlib import ExitStack
from pathlib import Path
from typing import Final, Literal, Self

import psycopg
from msgspec import Struct
from sqlalchemy import make_url, text

from services.event_log.database import faults
from services.event_log.port import LogUnreachable
from services.event_log.sql import file_url, locate
from services.event_log.upgrade import upgrade
from services.messaging.jetstream import JetStreamBus, connect
from services.messaging.permissions import WARDEN, Role
from services.runtime.key_files import create_key
from tests.broker import broker_config, password
from tests.chaos.brokers import Brokers, MakeBrokers
from tests.chaos.proxy import Proxy
from tests.chaos.workers import Crew, Kind, new_worker
from tests.postgres import Server, serving
from tests.service.up_process import environment

Database = Literal["sqlite", "postgresql"]
PLAYERS: Final = tuple(f"u_chaos{number:03d}" for number in range(8))
TABLES: Final = {"sqlite": 2, "postgresql": 3}
"""One table worker at a time and a warm standby; or three that compete for 16 partitions."""
SCORERS: Final = {"sqlite": 1, "postgresql": 2}
"""Standings in a file have one writer."""
BOTS: Final = 2
_OWNERS: Final = text("select partition, owner, epoch, position from partitions")


class Links(Struct, frozen=True):
    """A worker's ways out. None: not through a proxy."""

    broker: Proxy | None
    database: Proxy | None


class Owned(Struct, frozen=True):
    """A partition as its row has it; `pid` is 0 before its first owner."""

    partition: int
    pid: int
    epoch: int
    position: int


class Stage:
    """Enter it to bring everything up; on leaving everything is stopped. `never_fenced` counts
    zombies that did not find out. Not `proxied`: nothing stands between the workers and what they
    use, for measures.
    """

    def __init__(
        self,
        folder: Path,
        database: Database,
        make_brokers: MakeBrokers,
        *,
        proxied: bool = True,
    ) -> None:
        self.folder = folder
        self.database: Database = database
        self.brokers: Brokers = make_brokers(broker_config(PLAYERS), folder / "broker")
        self.crew = Crew()
        self.links: dict[str, Links] = {}
        self.postgres: Server | None = None
        self.log_url = file_url(folder / "log.db")
        self.standings_url = file_url(folder / "standings.db")
        self.never_fenced = 0
        self._proxied = proxied
        self._cleanup = ExitStack()

    async def __aenter__(self) -> Self:
        try:
            await self._bring_up()
        except BaseException:
            self.crew.kill_all()
            self._cleanup.close()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        self.crew.kill_all()
        for links in self.links.values():
            for proxy in (links.broker, links.database):
                if proxy is not None:
                    await proxy.stop()
        self._cleanup.close()

    async def bus(self, user: str) -> JetStreamBus:
        """A connection of our own, not through a proxy."""
        return await connect(
            self.urls(), user=user, password=password(user), name=f"chaos {user}", within=30
        )

    def owners(self) -> dict[int, Owned]:
        """The partitions by number; none while the database does not answer."""
        engine = locate(self.log_url).reading()
        try:
            with faults(), engine.connect() as connection:
                rows = connection.execute(_OWNERS).all()
        except LogUnreachable:
            return {}
        finally:
            engine.dispose()
        return {
            partition: Owned(partition, int((owner or ":0").rpartition(":")[2]), epoch, position)
            for partition, owner, epoch, position in rows
        }

    # Bringing up ------------------------------------------------------------------------------

    async def _bring_up(self) -> None:
        await self.brokers.start()
        self._cleanup.callback(self.brokers.kill)
        if self.database == "postgresql":
            self._start_postgres()
        upgrade(self.log_url)
        create_key(self.folder / "shuffle.key")
        for number in range(TABLES[self.database]):
            await self._add("table", number, ("-m", "tests.chaos.table_worker"))
        for number in range(BOTS):
            await self._add("bot", number, ("-m", "services.bot"))
        for number in range(SCORERS[self.database]):
            await self._add("scoring", number, ("-m", "services.scoring"))
        self.crew.watch()

    def _start_postgres(self) -> None:
        self.postgres = self._cleanup.enter_context(serving())
        with psycopg.connect(self.postgres.url(), autocommit=True) as connection:
            for name in ("waraq", "standings"):
                connection.execute(f"create database {name}".encode())
        self.log_url = self.postgres.url("waraq")
        self.standings_url = self.postgres.url("standings")

    async def _add(self, kind: Kind, number: int, words: tuple[str, ...]) -> None:
        name = f"{kind}{number}"
        self.links[name] = links = await self._link()
        folder = self.folder / name
        told = environment(folder, self._told(kind, links, folder))
        self.crew.workers.append(new_worker(name, kind, words, told, folder))

    async def _link(self) -> Links:
        broker = database = None
        if not self._proxied:
            return Links(broker, database)
        if len(self.brokers.ports) == 1:
            broker = Proxy(lambda: self.brokers.ports[0])
            await broker.start()
        postgres = self.postgres
        if postgres is not None:
            database = Proxy(lambda: postgres.port)
            await database.start()
        return Links(broker, database)

    def _told(self, role: Role, links: Links, folder: Path) -> dict[str, str]:
        told = {
            "WARAQ_NATS_URL": f"nats://127.0.0.1:{links.broker.port}"
            if links.broker
            else self.urls(),
            "WARAQ_NATS_USER": role,
            "WARAQ_NATS_PASSWORD": password(role),
            "WARAQ_LOG_LEVEL": "info",
        }
        if role != "bot":
            told["WARAQ_LOG_URL"] = self._log_url_by(links)
        if role == "scoring":
            told["WARAQ_STANDINGS_URL"] = self.standings_url
        if role == "table":
            told["WARAQ_SHUFFLE_KEY_FILE"] = str(self.folder / "shuffle.key")
            told["WARAQ_STREAM_REPLICAS"] = str(self.brokers.replicas)
            told["WARAQ_CHAOS_FOLDER"] = str(folder)
            told["WARAQ_WARDEN_PASSWORD"] = password(WARDEN)
        return told

    def _log_url_by(self, links: Links) -> str:
        if links.database is None:
            return self.log_url
        url = make_url(self.log_url).set(port=links.database.port)
        return url.render_as_string(hide_password=False)

    def urls(self) -> str:
        return ",".join(f"nats://127.0.0.1:{port}" for port in self.brokers.ports)
