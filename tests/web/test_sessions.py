"""`POST /session`: a guest, the same player again, or whom the website vouches for."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from schemas.ids import PlayerId, matches
from services.runtime.tokens import (
    Assertion,
    Session,
    assertion_token,
    check_session,
    session_token,
)
from services.web.asking import BODY_BYTES
from services.web.rates import WRITES
from services.web.sessions import GUEST_MS, SIGNED_MS
from tests.web.serving import NATS, OLD, ORIGIN, OURS, SITE, START, Site, site

BOB = Assertion(player="u_bob00000", issued=START, end=START + 60_000)


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[Site]:
    async with site(tmp_path) as found:
        yield found


async def test_who_says_nothing_of_himself_is_a_new_guest(here: Site) -> None:
    one, other = await here.guest(), await here.guest()
    assert set(one) == {"player", "token", "ends", "nats"}
    assert one["player"] != other["player"]
    assert matches(one["player"], PlayerId)
    assert (one["nats"], one["ends"]) == (NATS, START + GUEST_MS)
    session = check_session(one["token"], OURS, START)
    assert session == Session(player=one["player"], kind="guest", issued=START, end=one["ends"])


async def test_an_empty_object_is_a_guest_too(here: Site) -> None:
    answer = await here.ask("POST", "/session", json={})
    assert answer.status == 201


async def test_a_token_is_renewed_for_the_same_player(here: Site) -> None:
    guest = await here.guest()
    here.clock.ms += 1_000_000
    again = await here.ask("POST", "/session", guest["token"])
    assert again.json["player"] == guest["player"]
    assert again.json["ends"] == guest["ends"] + 1_000_000
    assert isinstance(check_session(again.json["token"], OURS, here.clock.ms), Session)


async def test_a_token_of_the_key_before_is_renewed_with_the_new_one(here: Site) -> None:
    old = session_token(Session(player="u_ann00000", kind="signed", issued=0, end=START + 1), OLD)
    again = await here.ask("POST", "/session", old)
    assert again.json["ends"] == START + SIGNED_MS
    assert isinstance(check_session(again.json["token"], OURS, START), Session)


async def test_the_websites_word_makes_a_signed_in_player(here: Site) -> None:
    answer = await here.ask("POST", "/session", json={"assertion": assertion_token(BOB, SITE)})
    assert answer.status == 201
    session = check_session(answer.json["token"], OURS, START)
    assert isinstance(session, Session)
    assert (session.player, session.kind) == ("u_bob00000", "signed")


async def test_no_other_word_makes_a_player(here: Site) -> None:
    guest = await here.guest()
    late = replace(BOB, issued=BOB.issued - 2, end=START)
    for assertion in (
        "",
        "a.b",
        guest["token"],
        assertion_token(BOB, OURS),
        assertion_token(late, SITE),
        assertion_token(replace(BOB, player="u_*"), SITE),
    ):
        answer = await here.ask("POST", "/session", json={"assertion": assertion})
        assert answer.error == (401, "refused"), assertion
        assert "Access-Control-Allow-Origin" not in answer.headers


async def test_without_a_website_there_are_guests_only(tmp_path: Path) -> None:
    async with site(tmp_path, signed=False) as here:
        said = {"assertion": assertion_token(BOB, SITE)}
        assert (await here.ask("POST", "/session", json=said)).error == (401, "refused")
        await here.guest()


@pytest.mark.parametrize("token", ["", "x", "a.b", "x" * 5_000])
async def test_a_bad_token_is_refused_and_makes_no_guest(here: Site, token: str) -> None:
    assert (await here.ask("POST", "/session", token)).error == (401, "refused")


async def test_an_ended_token_is_refused(here: Site) -> None:
    guest = await here.guest()
    here.clock.ms = guest["ends"]
    assert (await here.ask("POST", "/session", guest["token"])).error == (401, "refused")


@pytest.mark.parametrize("header", ["Basic YTpi", "Bearer", "bearer x", "Bearer\tx"])
async def test_another_way_to_say_who_one_is_is_refused(here: Site, header: str) -> None:
    answer = await here.ask("POST", "/session", headers={"Authorization": header})
    assert answer.error == (401, "refused")


@pytest.mark.parametrize(
    "body", [b"x", b"[]", b'{"player":"u_ann00000"}', b"\xff", b"[" * 1_000, b'{"assertion":1}']
)
async def test_another_body_is_refused(here: Site, body: bytes) -> None:
    assert (await here.ask("POST", "/session", data=body)).error == (400, "bad_request")


async def test_who_says_two_things_of_himself_is_refused(here: Site) -> None:
    guest = await here.guest()
    said = {"assertion": assertion_token(BOB, SITE)}
    answer = await here.ask("POST", "/session", guest["token"], json=said)
    assert answer.error == (400, "bad_request")


async def test_a_body_over_the_limit_is_not_read(here: Site) -> None:
    answer = await here.ask("POST", "/session", data=b" " * (BODY_BYTES + 1))
    assert answer.error == (413, "too_large")


async def test_one_address_gets_so_many_sessions_and_then_waits(here: Site) -> None:
    for _ in range(WRITES.burst):
        await here.guest()
    answer = await here.ask("POST", "/session")
    assert answer.error == (429, "too_many")
    here.clock.ms += 1_000 * int(answer.headers["Retry-After"])
    await here.guest()


async def test_behind_a_proxy_it_says_who_asks_and_nobody_else(tmp_path: Path) -> None:
    async with site(tmp_path, behind_proxy=True) as here:
        for number in range(WRITES.burst):
            forged = {"X-Forwarded-For": f"10.0.0.{number}, 192.0.2.1"}
            assert (await here.ask("POST", "/session", headers=forged)).status == 201
        forged = {"X-Forwarded-For": "10.9.9.9, 192.0.2.1"}
        assert (await here.ask("POST", "/session", headers=forged)).status == 429
        other = {"X-Forwarded-For": "192.0.2.2"}
        assert (await here.ask("POST", "/session", headers=other)).status == 201


async def test_a_page_of_another_origin_may_do_nothing(here: Site) -> None:
    evil = {"Origin": "https://evil.example"}
    for method, path in (("POST", "/session"), ("OPTIONS", "/session"), ("PUT", "/profile")):
        answer = await here.ask(method, path, headers=evil)
        assert answer.error == (403, "other_origin")
        assert "Access-Control-Allow-Origin" not in answer.headers
    answer = await here.ask("GET", "/profiles?ids=u_ann00000", headers=evil)
    assert "Access-Control-Allow-Origin" not in answer.headers


async def test_a_page_of_an_allowed_origin_may(here: Site) -> None:
    ours = {"Origin": ORIGIN}
    before = await here.ask("OPTIONS", "/session", headers=ours)
    assert before.status == 204
    assert "authorization" in before.headers["Access-Control-Allow-Headers"]
    answer = await here.ask("POST", "/session", headers=ours)
    assert answer.status == 201
    assert answer.headers["Access-Control-Allow-Origin"] == ORIGIN
    assert answer.headers["Vary"] == "Origin"
    assert answer.headers["Cache-Control"] == "no-store"


async def test_every_error_is_json_with_a_code(here: Site) -> None:
    assert (await here.ask("GET", "/nothing")).error == (404, "not_found")
    assert (await here.ask("GET", "/session")).error == (405, "method")
    assert (await here.ask("GET", "/static/../app.py")).error == (404, "not_found")
    assert (await here.ask("GET", "/static/%2e%2e/app.py")).error == (404, "not_found")


@pytest.mark.parametrize(
    "name",
    ["", "no", "x" * 300, "x/" * 500, "%00", "%ff", "a%00b", "..%2fapp.py", "%2fetc/passwd", "\\x"],
    ids=lambda name: name[:12] or "none",
)
async def test_what_is_no_file_of_the_page_is_not_found(
    here: Site, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    """A name that no file system takes was a fault once, and a line in the log for each."""
    assert (await here.ask("GET", f"/static/{name}")).error == (404, "not_found")
    assert not caplog.records


async def test_the_pages_files_are_served(here: Site) -> None:
    answer = await here.ask("GET", "/static/verify.js")
    assert answer.status == 200
    assert "javascript" in answer.headers["Content-Type"]
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


async def test_it_says_that_it_lives_and_is_ready(here: Site) -> None:
    assert (await here.ask("GET", "/livez")).json == {"live": True}
    assert (await here.ask("GET", "/readyz")).json == {"ready": True}
