"""A standings' database that is slow or away: sessions and names go on, and it is come back to."""

import asyncio
from pathlib import Path
from typing import Final

import pytest
import sqlalchemy as sa

from schemas.commands import HokmOptions
from services.scoring import database
from services.scoring.database import disposing, open_engine
from services.web.queries import THREADS
from tests.streams import Played, match_id
from tests.web.counted import count, standings
from tests.web.serving import House, Site, site

pytestmark = pytest.mark.slow
GONE: Final = "postgresql://a:secret@127.0.0.1:1/x"


async def players_go_on(here: Site) -> None:
    ann = await here.guest()
    put = await here.ask("PUT", "/profile", ann["token"], json={"name": "Ann"})
    assert put.status == 200
    assert (await here.ask("GET", "/readyz")).json == {"ready": True}


async def test_a_slow_query_holds_up_no_session_and_no_name(
    tmp_path: Path, postgres_url: str
) -> None:
    count(postgres_url, Played(match_id(1), HokmOptions()).rows)
    async with site(tmp_path, house=House(standings=postgres_url, patience=60)) as here:
        with disposing(open_engine(postgres_url)) as engine, engine.begin() as other:
            other.execute(sa.text("lock table matches in access exclusive mode"))
            waiting = [asyncio.create_task(here.ask("GET", "/tables")) for _ in range(3 * THREADS)]
            await players_go_on(here)
            assert not any(one.done() for one in waiting)
        for answer in await asyncio.gather(*waiting):
            assert [one["match"] for one in answer.json["tables"]] == [match_id(1)]


async def test_a_statement_is_given_up_after_a_while(
    tmp_path: Path, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "PATIENCE", 0.1)
    with standings(postgres_url):
        pass
    async with site(tmp_path, house=House(standings=postgres_url, patience=60)) as here:
        with disposing(open_engine(postgres_url)) as engine, engine.begin() as other:
            other.execute(sa.text("lock table matches in access exclusive mode"))
            assert (await here.ask("GET", "/tables")).error == (503, "busy")
        assert (await here.ask("GET", "/tables")).status == 200


async def test_without_a_server_sessions_go_on(tmp_path: Path) -> None:
    async with site(tmp_path, house=House(standings=GONE)) as here:
        answer = await here.ask("GET", "/tables")
        assert answer.error == (503, "busy")
        assert b"secret" not in answer.body
        await players_go_on(here)


async def test_a_connection_that_the_server_ended_is_replaced(
    tmp_path: Path, postgres_url: str
) -> None:
    with standings(postgres_url):
        pass
    async with site(tmp_path, house=House(standings=postgres_url)) as here:
        assert (await here.ask("GET", "/tables")).status == 200
        with disposing(open_engine(postgres_url)) as engine, engine.begin() as other:
            mine = "pid <> pg_backend_pid() and datname = current_database()"
            ended = f"select pg_terminate_backend(pid) from pg_stat_activity where {mine}"
            other.execute(sa.text(ended))
        first, second = [(await here.ask("GET", "/tables")).status for _ in range(2)]
        assert first in {200, 503}
        assert second == 200
