"""`POST /ticket` and `GET /ticket`: the free matches of a player's day (H22)."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Final

import pytest

from services.event_log.sql import file_url
from services.runtime.tickets import EAST, WEST, check
from services.scoring.tickets import DAILY
from services.web.queries import QUERIES, THREADS
from services.web.rates import WRITES
from tests.streams import match_id
from tests.web.counted import standings
from tests.web.serving import ORIGIN, START, TICKETS, Answer, House, Site, site

HOUR: Final = 3_600_000
BODIES: Final[list[Any]] = [
    {},
    {"match": match_id(1)},
    {"match": match_id(1), "offset": EAST + 1},
    {"match": match_id(1), "offset": "0"},
    {"match": match_id(1), "offset": True},
    {"match": "m_*", "offset": 0},
    {"match": match_id(1), "offset": 0, "player": "u_bob00000"},
    [],
    None,
]
"""None of them is what is asked for."""


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[Site]:
    with standings(file_url(tmp_path / "standings.db")):
        pass
    async with site(tmp_path) as found:
        yield found


async def asked(here: Site, token: str, number: int = 1, **more: Any) -> Answer:
    wanted = {"match": match_id(number), "offset": more.pop("offset", 0)}
    return await here.ask("POST", "/ticket", token, json=wanted, **more)


async def test_a_guest_is_given_a_ticket_that_the_table_takes(here: Site) -> None:
    ann = await here.guest()
    answer = await asked(here, ann["token"])
    assert answer.status == 201
    assert answer.headers["Cache-Control"] == "no-store"
    given = answer.json
    assert list(given) == ["match", "ticket", "day", "ends", "left"]
    assert (given["match"], given["left"]) == (match_id(1), DAILY - 1)
    who = {"player": ann["player"], "match": match_id(1), "now": START}
    assert check(TICKETS, given["ticket"], **who) is None


async def test_asked_again_it_is_the_same_ticket_and_each_player_has_his_own(here: Site) -> None:
    ann, bob = await here.guest(), await here.guest()
    first = (await asked(here, ann["token"])).json
    here.clock.ms += HOUR
    assert (await asked(here, ann["token"], offset=60)).json == first
    his = (await asked(here, bob["token"])).json
    assert his["ticket"] != first["ticket"]
    who = {"player": ann["player"], "match": match_id(1), "now": START}
    assert check(TICKETS, his["ticket"], **who) == "forged"


async def test_when_none_is_left_it_is_said_from_when_there_are_new_ones(here: Site) -> None:
    ann = await here.guest()
    for number in range(DAILY):
        assert (await asked(here, ann["token"], number)).status == 201
    none = await asked(here, ann["token"], DAILY)
    assert none.error == (409, "none_left")
    again = none.json["again"]
    assert int(none.headers["Retry-After"]) == (again - START) // 1_000
    assert again % (24 * HOUR) == 0
    left = (await here.ask("GET", "/ticket?offset=0", ann["token"])).json
    assert (left["left"], left["again"]) == (0, again)
    here.clock.ms = again - 1
    assert (await asked(here, ann["token"], DAILY)).error == (409, "none_left")
    here.clock.ms = again
    assert (await asked(here, ann["token"], DAILY)).status == 201


async def test_how_many_are_left_is_told_without_taking_one(here: Site) -> None:
    ann = await here.guest()
    await asked(here, ann["token"])
    first, again = [await here.ask("GET", "/ticket?offset=0", ann["token"]) for _ in range(2)]
    assert first.json == again.json
    assert list(first.json) == ["day", "left", "again"]
    assert first.json["left"] == DAILY - 1
    assert first.headers["Cache-Control"] == "no-store"


async def test_who_changes_his_offset_is_told_of_another_day(here: Site) -> None:
    ann = await here.guest()
    days = set()
    for offset in (WEST, EAST):
        answer = await here.ask("GET", f"/ticket?offset={offset}", ann["token"])
        assert answer.json["left"] == DAILY
        days.add(answer.json["day"])
    assert len(days) == 2


async def test_without_a_session_there_is_no_ticket(here: Site) -> None:
    body = {"match": match_id(1), "offset": 0}
    for token in (None, "", "a.b"):
        assert (await here.ask("POST", "/ticket", token, json=body)).error == (401, "refused")
        assert (await here.ask("GET", "/ticket?offset=0", token)).error == (401, "refused")


async def test_another_body_is_refused_and_takes_none(here: Site) -> None:
    ann = await here.guest()
    for body in BODIES:
        answer = await here.ask("POST", "/ticket", ann["token"], json=body)
        assert answer.error == (400, "bad_request"), body
    left = await here.ask("GET", "/ticket?offset=0", ann["token"])
    assert left.json["left"] == DAILY


async def test_another_query_is_refused(here: Site) -> None:
    ann = await here.guest()
    bounds = ["", "offset=", "offset=841", "offset=-721", "offset=0&offset=0", "offset=0&x=1"]
    forms = ["offset=%2B1", "offset=1.0", "offset=1e1", "offset=01", "offset=٣", "Offset=1"]
    for query in bounds + forms:
        answer = await here.ask("GET", f"/ticket?{query}", ann["token"])
        assert answer.error == (400, "bad_request"), query
    body = {"match": match_id(1), "offset": 0}
    answer = await here.ask("POST", "/ticket?player=u_bob00000", ann["token"], json=body)
    assert answer.error == (400, "bad_request")


async def test_without_a_ticket_key_it_is_said_that_none_is_needed(tmp_path: Path) -> None:
    async with site(tmp_path, house=House(daily=None)) as here:
        ann = await here.guest()
        assert (await asked(here, ann["token"])).error == (404, "no_tickets")
        left = await here.ask("GET", "/ticket?offset=0", ann["token"])
        assert left.error == (404, "no_tickets")
        assert (await asked(here, "a.b")).error == (401, "refused")


async def test_a_deployment_may_count_otherwise(tmp_path: Path) -> None:
    with standings(file_url(tmp_path / "standings.db")):
        pass
    async with site(tmp_path, house=House(daily=0)) as here:
        ann = await here.guest()
        assert (await asked(here, ann["token"])).error == (409, "none_left")


async def test_a_page_of_another_origin_gets_no_ticket(here: Site) -> None:
    ann = await here.guest()
    evil = await asked(here, ann["token"], headers={"Origin": "https://evil.example"})
    assert evil.error == (403, "other_origin")
    left = await here.ask("GET", "/ticket?offset=0", ann["token"])
    assert left.json["left"] == DAILY
    ours = await asked(here, ann["token"], headers={"Origin": ORIGIN})
    assert ours.status == 201
    assert ours.headers["Access-Control-Expose-Headers"] == "Retry-After"


async def test_tickets_are_counted_as_sessions_are(here: Site) -> None:
    ann = await here.guest()
    for _ in range(WRITES.burst - 1):
        assert (await asked(here, ann["token"])).status == 201
    assert (await asked(here, ann["token"])).error == (429, "too_many")


async def test_who_asks_for_many_at_once_gets_no_more(here: Site) -> None:
    ann = await here.guest()
    answers = await asyncio.gather(*(asked(here, ann["token"], n) for n in range(30)))
    statuses = [answer.status for answer in answers]
    assert statuses.count(201) == DAILY
    assert set(statuses) == {201, 409}


async def test_until_scoring_has_begun_there_are_sessions_and_no_tickets(tmp_path: Path) -> None:
    file = tmp_path / "standings.db"
    async with site(tmp_path) as here:
        ann = await here.guest()
        busy = await asked(here, ann["token"])
        assert busy.error == (503, "busy")
        assert busy.headers["Retry-After"] == "1"
        assert not file.exists()
        with standings(file_url(file)):
            assert (await asked(here, ann["token"])).status == 201


async def test_a_ticket_that_waits_holds_up_no_session_and_no_name(tmp_path: Path) -> None:
    """Somebody writes the standings for long; more ask for tickets than may wait."""
    file = tmp_path / "standings.db"
    with standings(file_url(file)):
        pass
    async with site(tmp_path, behind_proxy=True, house=House(patience=60)) as here:
        ann = await here.guest()
        writer = sqlite3.connect(file, isolation_level=None)
        writer.execute("begin immediate")
        waiting = [
            asyncio.create_task(
                asked(here, ann["token"], n, headers={"X-Forwarded-For": f"10.0.0.{n}"})
            )
            for n in range(QUERIES + THREADS)
        ]
        done, _ = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        assert {one.result().error for one in done} == {(503, "busy")}
        bob = await here.guest()
        put = await here.ask("PUT", "/profile", bob["token"], json={"name": "Bob"})
        assert put.status == 200
        assert (await here.ask("GET", "/readyz")).json == {"ready": True}
        writer.execute("rollback")
        writer.close()
        answers = [answer.status for answer in await asyncio.gather(*waiting)]
        assert (await asked(here, bob["token"])).status == 201
    assert set(answers) <= {201, 409, 503}
    assert answers.count(201) <= DAILY


async def test_who_was_told_busy_asks_again_for_the_same_ticket(tmp_path: Path) -> None:
    file = tmp_path / "standings.db"
    with standings(file_url(file)):
        pass
    async with site(tmp_path, house=House(patience=0.05)) as here:
        ann = await here.guest()
        writer = sqlite3.connect(file, isolation_level=None)
        writer.execute("begin immediate")
        assert (await asked(here, ann["token"])).error == (503, "busy")
        writer.execute("rollback")
        writer.close()
    async with site(tmp_path) as here:
        assert (await asked(here, ann["token"])).json["left"] == DAILY - 1
