"""Lists of tables, standings, players and the rules of points: what anybody may read, in pages."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
import sqlalchemy as sa

from schemas.commands import HokmOptions
from services.event_log.sql import file_url
from services.runtime.tokens import Session, session_token
from services.scoring import ledger
from services.scoring.database import disposing, open_engine, open_existing, reading
from services.scoring.records import TOP, standing_of, top_of
from services.scoring.tables import open_tables, tables_of
from services.scoring.terms import RULES
from services.web.lists import MOST_STANDINGS, MOST_TABLES
from tests.streams import FRIEND, OWNER, Played, match_id, played
from tests.web.counted import PATHS, count, standings
from tests.web.serving import OURS, START, Answer, House, Site, site

STRANGER: Final = "u_stranger00"
OPEN: Final = [match_id(n) for n in (5, 4, 3)]
BAD: Final = [
    "/tables?x=1",
    "/tables?most=0",
    "/tables?most=51",
    "/tables?most=1&most=1",
    "/tables?most=x",
    "/tables?most=1.0",
    "/tables?most=",
    "/tables?after=",
    "/tables?after=m_1",
    "/tables?after=m_%27%20or%201=1",
    f"/tables?after={match_id(1)}%0a",
    f"/tables?after={match_id(1)}&after={match_id(2)}",
    "/matches?status=lobby",
    "/matches?status=",
    f"/matches?player={OWNER}",
    "/standings?most=101",
    "/standings?after=u_*",
    "/standings?after=" + "u_" + "0" * 99,
    "/standings?game=hokm",
    "/players/x",
    "/players/u_*",
    "/players/U_0123456789AB",
    f"/players/{OWNER}%0a",
    f"/players/{OWNER}?x=1",
    "/terms?x=1",
    "/profiles?ids=u_ann00000&ids=u_ann00000",
    "/profiles?ids=u_ann00000&x=1",
]


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Standings that nobody writes to."""
    found = file_url(tmp_path_factory.mktemp("lists") / "standings.db")
    lobbies = [Played(match_id(n), HokmOptions()).rows for n in (3, 4, 5)]
    count(found, played(1_000).rows, played(1_001).rows, played(2, moves=3).rows, *lobbies)
    return found


@pytest.fixture
async def here(tmp_path: Path, url: str) -> AsyncIterator[Site]:
    async with site(tmp_path, house=House(standings=url)) as found:
        yield found


def token(player: str) -> str:
    return session_token(
        Session(player=player, kind="guest", issued=START, end=START + 60_000), OURS
    )


def like(struct: object) -> Any:
    return msgspec.json.decode(msgspec.json.encode(struct))


async def pages(here: Site, path: str, name: str, key: str, *, who: str | None) -> list[str]:
    """The keys of all pages of one."""
    found: list[str] = []
    after, more = "", True
    while more:
        answer = await here.ask("GET", f"{path}most=1{after}", token(who) if who else None)
        (one,) = answer.json[name]
        found.append(one[key])
        after, more = f"&after={one[key]}", answer.json["more"]
    return found


async def test_open_tables_are_those_of_the_command_line(here: Site, url: str) -> None:
    answer = await here.ask("GET", "/tables")
    assert answer.status == 200
    with disposing(open_existing(url)) as engine, reading(engine) as connection:
        assert answer.json == {"tables": like(open_tables(connection)), "more": False}
    assert [one["match"] for one in answer.json["tables"]] == OPEN
    assert answer.headers["Cache-Control"] == "public, max-age=1"


async def test_lists_are_read_in_pages(here: Site) -> None:
    assert await pages(here, "/tables?", "tables", "match", who=None) == OPEN
    mine = await pages(here, "/matches?", "matches", "match", who=FRIEND)
    assert len(mine) == 3
    assert len(await pages(here, "/standings?", "standings", "player", who=None)) == 2
    after = await here.ask("GET", f"/tables?after={match_id(9)}")
    assert after.json == {"tables": [], "more": False}
    after = await here.ask("GET", f"/standings?after={STRANGER}")
    assert after.json == {"standings": [], "more": False}


async def test_a_player_sees_his_own_matches_and_nobody_elses(here: Site, url: str) -> None:
    with disposing(open_existing(url)) as engine, reading(engine) as connection:
        for player in (OWNER, FRIEND, STRANGER):
            answer = await here.ask("GET", "/matches", token(player))
            assert answer.json == {"matches": like(tables_of(connection, player)), "more": False}
            assert answer.headers["Cache-Control"] == "no-store"
    assert (await here.ask("GET", "/matches", token(STRANGER))).json["matches"] == []
    for nobody in (None, "", "a.b"):
        assert (await here.ask("GET", "/matches", nobody)).error == (401, "refused")


@pytest.mark.parametrize(
    ("status", "found"),
    [("running", {"playing": 1, "lobby": 3}), ("over", {"ended": 2})],
)
async def test_his_matches_are_told_apart_by_whether_they_are_over(
    here: Site, status: str, found: dict[str, int]
) -> None:
    answer = await here.ask("GET", f"/matches?status={status}", token(OWNER))
    statuses = [one["status"] for one in answer.json["matches"]]
    assert {one: statuses.count(one) for one in statuses} == found


async def test_standings_and_players_are_those_of_the_command_line(here: Site, url: str) -> None:
    best = (await here.ask("GET", "/standings")).json
    with disposing(open_existing(url)) as engine, reading(engine) as connection:
        assert best == {"standings": like(top_of(connection, TOP)), "more": False}
        for player in (OWNER, FRIEND, STRANGER):
            answer = await here.ask("GET", f"/players/{player}")
            assert answer.json == like(standing_of(connection, player))
            assert set(answer.json) == {"player", "xo", "rounds", "records"}


async def test_the_rules_of_points_and_records_are_there_for_all(tmp_path: Path) -> None:
    async with site(tmp_path) as here:  # also without any standings
        answer = await here.ask("GET", "/terms")
    assert answer.json == {"xo_points": 10, "rules": dict(RULES)}


@pytest.mark.parametrize("path", BAD)
async def test_another_query_is_refused(tmp_path: Path, path: str) -> None:
    async with site(tmp_path) as here:
        answer = await here.ask("GET", path, token(OWNER))
    assert answer.error == (400, "bad_request")
    assert OWNER not in answer.json["text"]


@pytest.mark.parametrize("path", [*PATHS, "/terms"])
async def test_head_says_what_get_would_without_the_body(here: Site, path: str) -> None:
    get, head = [await here.ask(method, path, token(OWNER)) for method in ("GET", "HEAD")]
    assert (head.status, head.body) == (200, b"")
    for name in ("Content-Type", "Content-Length", "Cache-Control"):
        assert head.headers[name] == get.headers[name]


async def test_they_are_read_only(here: Site) -> None:
    for path in (*PATHS, "/terms"):
        for method in ("PUT", "DELETE", "PATCH"):
            assert (await here.ask(method, path, token(OWNER))).error == (405, "method")


async def test_without_standings_sessions_go_on_and_lists_are_busy(tmp_path: Path) -> None:
    async with site(tmp_path) as here:
        for path in PATHS:
            busy = await here.ask("GET", path, token(OWNER))
            assert (busy.error, busy.headers["Retry-After"]) == ((503, "busy"), "1")
            assert busy.headers["Cache-Control"] == "no-store"
        await here.guest()
        assert (await here.ask("GET", "/readyz")).json == {"ready": True}
        assert not (tmp_path / "standings.db").exists()
        with standings(file_url(tmp_path / "standings.db")):
            for path in PATHS:
                assert (await here.ask("GET", path, token(OWNER))).status == 200


async def test_standings_of_another_form_are_not_read(
    here: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ledger, "FORM", ledger.FORM + 1)
    for path in PATHS:
        assert (await here.ask("GET", path, token(OWNER))).error == (503, "busy")


async def test_a_file_that_is_no_database_is_busy_and_not_shown(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "standings.db").write_bytes(b"no database, though it is long enough" * 50)
    async with site(tmp_path) as here:
        for _ in range(3):
            answer = await here.ask("GET", "/tables")
            assert answer.error == (503, "busy")
            assert b"standings.db" not in answer.body
    assert [one.message for one in caplog.records] == ["no answer from the standings"]


async def test_answers_are_bounded(tmp_path: Path) -> None:
    url = file_url(tmp_path / "standings.db")
    count(url, *(Played(match_id(n), HokmOptions()).rows for n in range(MOST_TABLES + 5)))
    with disposing(open_engine(url)) as engine, engine.begin() as connection:
        rows = [{"player": f"u_{n:028}", "xo": n, "rounds": 1} for n in range(TOP + 5)]
        connection.execute(sa.insert(ledger.tallies), rows)
    async with site(tmp_path) as here:
        tables = await here.ask("GET", f"/tables?most={MOST_TABLES}")
        best = await here.ask("GET", f"/standings?most={MOST_STANDINGS}")
        shown = await _all_standings(here, best)
    assert (len(tables.json["tables"]), tables.json["more"]) == (MOST_TABLES, True)
    assert len(tables.body) < 1_000 * MOST_TABLES
    assert len(best.body) < 100 * MOST_STANDINGS
    assert shown == TOP


async def _all_standings(here: Site, page: Answer) -> int:
    shown = len(page.json["standings"])
    while page.json["more"]:
        after = page.json["standings"][-1]["player"]
        page = await here.ask("GET", f"/standings?most={MOST_STANDINGS}&after={after}")
        shown += len(page.json["standings"])
    return shown
