"""`GET /status`: does it work just now, in three languages and nothing of how it is made."""

import re
from pathlib import Path
from typing import Final

import msgspec
import pytest

from schemas.commands import HokmOptions
from services.auth.nkeys import account_key, seed_text
from services.event_log.sql import file_url
from services.messaging.server import Door
from services.scoring.database import disposing, open_existing, reading
from services.scoring.tables import latest_opened
from services.web.door import PlayersDoor
from services.web.files import FOLDER
from services.web.status import KEPT, LANGUAGES, LATELY, POLICY, Words
from tests.broker import running_broker
from tests.streams import OWNER, Played, match_id
from tests.web.counted import count
from tests.web.serving import Answer, House, Site, site

BROWSER: Final = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


@pytest.fixture
def counted(tmp_path: Path) -> str:
    """Standings with one match."""
    url = file_url(tmp_path / "counted.db")
    count(url, Played(match_id(1), HokmOptions()).rows)
    return url


def opened_at(url: str) -> int:
    with disposing(open_existing(url)) as engine, reading(engine) as connection:
        opened = latest_opened(connection)
    assert opened is not None
    return opened


async def told(here: Site) -> dict[str, str]:
    answer = await here.ask("GET", "/status")
    assert answer.status == 200
    found: dict[str, str] = answer.json
    return found


async def page(here: Site) -> Answer:
    return await here.ask("GET", "/status", headers=BROWSER)


async def test_a_table_that_was_opened_lately_shows_that_tables_can_be(
    tmp_path: Path, counted: str
) -> None:
    async with site(tmp_path, house=House(standings=counted)) as here:
        here.clock.ms = opened_at(counted) + 1_000
        assert await told(here) == {"log_in": "ok", "lists": "ok", "playing": "ok"}
        here.clock.ms += round(LATELY * 1_000)
        assert await told(here) == {"log_in": "ok", "lists": "ok", "playing": "unknown"}


async def test_without_scorings_tables_players_come_in_and_lists_are_down(tmp_path: Path) -> None:
    async with site(tmp_path) as here:
        assert await told(here) == {"log_in": "ok", "lists": "down", "playing": "unknown"}


async def test_a_names_database_that_is_gone_is_a_log_in_that_does_not_work(
    tmp_path: Path, counted: str
) -> None:
    async with site(tmp_path, house=House(standings=counted)) as here:
        here.profiles.close()
        (tmp_path / "profiles.db").unlink()
        (tmp_path / "profiles.db").mkdir()
        assert (await told(here))["log_in"] == "down"


async def test_where_no_broker_takes_players_nobody_comes_in_and_nobody_plays(
    tmp_path: Path, counted: str
) -> None:
    """Names and points are there all the same, and a table was opened a second ago."""
    async with site(tmp_path, house=House(standings=counted, door=("down", "unknown"))) as here:
        here.clock.ms = opened_at(counted) + 1_000
        assert await told(here) == {"log_in": "down", "lists": "ok", "playing": "down"}
        here.clock.ms += round(KEPT * 1_000)
        assert await told(here) == {"log_in": "unknown", "lists": "ok", "playing": "ok"}


async def test_a_broker_is_believed_by_its_first_word_and_missed_once_it_is_gone(
    tmp_path: Path,
) -> None:
    issuer = account_key(seed_text(b"i" * 32)).public
    with running_broker(
        tmp_path / "broker", door=Door(issuer=issuer, origins=("http://here",))
    ) as broker:
        door = PlayersDoor(broker.web_url, "http://here")
        assert await door.stands() == "ok"
        assert await PlayersDoor(broker.web_url, "http://there").stands() == "unknown"
        assert await PlayersDoor(broker.url, None).stands() == "unknown"
    assert await door.stands() == "down"
    assert await PlayersDoor(broker.web_url, "http://here").stands() == "unknown"


async def test_a_proxy_whose_brokers_are_gone_takes_nobody(tmp_path: Path) -> None:
    async with site(tmp_path) as here:
        assert await PlayersDoor(here.url.replace("http", "ws") + "/nats", None).stands() != "ok"


async def test_an_answer_is_kept_for_all_who_look(tmp_path: Path, counted: str) -> None:
    async with site(tmp_path, house=House(standings=counted)) as here:
        opened = opened_at(counted)
        here.clock.ms = opened + round((LATELY - KEPT / 2) * 1_000)
        first = await here.ask("GET", "/status")
        assert first.headers["Cache-Control"] == f"public, max-age={KEPT:.0f}"
        here.clock.ms = opened + round((LATELY + KEPT / 4) * 1_000)
        assert await told(here) == first.json
        here.clock.ms = opened + round((LATELY + KEPT) * 1_000)
        assert (await told(here))["playing"] == "unknown"


async def test_a_browser_gets_a_page_in_three_languages_without_a_script(
    tmp_path: Path, counted: str
) -> None:
    async with site(tmp_path, house=House(standings=counted)) as here:
        answer = await page(here)
        text = answer.body.decode()
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    assert answer.headers["Content-Security-Policy"] == POLICY
    assert answer.headers["Vary"] == "Accept, Origin"
    assert re.findall(r'<section lang="(\w+)" dir="(\w+)">', text) == list(LANGUAGES.items())
    for one in ("<script", "<link", "<style", "href", "src=", "http"):
        assert one not in text
    for language in LANGUAGES:
        raw = (FOLDER / "words" / "status" / f"{language}.json").read_bytes()
        words = msgspec.json.decode(raw, type=Words)
        said = [words.title, words.log_in, words.lists, words.playing, words.ok]
        assert all(one in text for one in said)
    assert len(text.encode()) < 3_000


async def test_it_tells_nothing_of_who_plays_or_how_it_is_made(
    tmp_path: Path, counted: str
) -> None:
    async with site(tmp_path, house=House(standings=counted)) as here:
        for answer in (await page(here), await here.ask("GET", "/status")):
            text = answer.body.decode()
            for one in (OWNER, match_id(1), "sqlite", "nats", str(tmp_path), "127.0.0.1"):
                assert one not in text


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "/status?x=1", 400), ("POST", "/status", 405), ("GET", "/status/x", 404)],
)
async def test_no_other_ask_is_answered(
    tmp_path: Path, method: str, path: str, status: int
) -> None:
    async with site(tmp_path) as here:
        assert (await here.ask(method, path)).status == status
