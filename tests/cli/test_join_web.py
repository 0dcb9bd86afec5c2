"""What a web worker may answer to a terminal, and what is made of it."""

import asyncio
from typing import Any, Final

import pytest
from aiohttp import web as served

from services.cli.join.session.web import ANSWER_BYTES, Web, WebAway, WebDeclined
from tests.table.hall import ANNE, MATCH
from tests.web.answering import answering, saying

GOOD: Final = {"player": ANNE, "token": "t.mac", "ends": 1, "nats": "ws://127.0.0.1:1"}


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (200, b"<html>hello</html>"),
        (201, b""),
        (201, b"[" * 5_000),
        (201, b"x" * (ANSWER_BYTES + 1)),
        (201, GOOD | {"player": "u_*"}),
        (201, GOOD | {"token": "a\r\nEvil: b"}),
        (201, GOOD | {"nats": "http://cards.example"}),
        (201, GOOD | {"nats": "ws://a,ws://b"}),
        (201, GOOD | {"ends": -1}),
        (302, b""),
        (404, b"not here"),
    ],
)
async def test_what_is_no_session_is_none(status: int, body: Any) -> None:
    async with answering(saying(status, body)) as url:
        with pytest.raises(WebAway, match="no web worker"):
            await Web(url).session(None)


async def test_fields_that_are_not_known_are_left_alone() -> None:
    async with answering(saying(201, GOOD | {"more": [1]})) as url:
        assert (await Web(url).session(None)).player == ANNE


async def test_a_token_does_not_follow_a_redirect() -> None:
    seen: list[served.Request] = []
    async with answering(saying(201, GOOD, seen)) as elsewhere:

        async def send_away(_request: served.Request) -> served.StreamResponse:
            raise served.HTTPTemporaryRedirect(elsewhere + "/session")

        async with answering(send_away) as url:
            with pytest.raises(WebAway):
                await Web(url).session("t.mac")
    assert seen == []


async def test_an_answer_that_does_not_come_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("services.cli.join.session.web.ANSWER_WITHIN", 0.05)
    never = asyncio.Event()

    async def silent(_request: served.Request) -> served.StreamResponse:
        await never.wait()
        raise served.HTTPNotFound

    async with answering(silent) as url:
        with pytest.raises(WebAway, match="no answer"):
            await Web(url).session(None)
        never.set()


async def test_an_error_is_read_by_its_code_and_shown_without_what_is_not_seen() -> None:
    async with answering(saying(401, {"error": "refused", "text": "no\x1b[2J\n" * 99})) as url:
        with pytest.raises(WebDeclined) as declined:
            await Web(url).session("t")
    assert declined.value.code == "refused"
    assert declined.value.text.startswith("no[2Jno[2J")
    assert len(declined.value.text) <= 200


async def test_a_ticket_is_asked_for_with_the_match_and_the_players_clock() -> None:
    seen: list[served.Request] = []
    given = {"match": MATCH, "ticket": "t1.x", "day": "2026-11-30", "ends": 1, "left": 4}
    async with answering(saying(201, given, seen)) as url:
        ticket = await Web(url).ticket("t.mac", MATCH, 210)
    assert (ticket.ticket, ticket.left) == ("t1.x", 4)
    assert (seen[0].method, seen[0].path) == ("POST", "/ticket")
    assert seen[0].headers["Authorization"] == "Bearer t.mac"
    assert await seen[0].json() == {"match": MATCH, "offset": 210}
