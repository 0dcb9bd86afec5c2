"""`waraq player`: what is kept of one player is shown and erased; the log and its proofs stay."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from schemas.commands import HokmOptions, OpenMatch, StartMatch, TakeSeat
from schemas.feed import Happened
from services.cli.client import new_match_id
from services.event_log.sql import file_url
from services.web.profiles import Profile, Profiles
from tests.chaos.tables import MASKED
from tests.service.guests import Guest, ask, guests
from tests.service.up_process import Up, running, waraq

pytestmark = pytest.mark.slow
NAME = "Shirin Ebadian"


@pytest.fixture
def key_file(tmp_path: Path) -> Path:
    key = tmp_path / "ticket.key"
    key.touch(mode=0o600)
    key.write_bytes(b"t" * 32)
    return key


def named(up: Up, players: str) -> list[dict[str, str]]:
    found: list[dict[str, str]] = ask(up, "GET", f"/profiles?ids={players}").json["profiles"]
    return found


async def played(up: Up, anne: Guest, behrouz: Guest) -> str:
    """A match of the two, opened with a ticket and abandoned."""
    match = new_match_id()
    ticket = ask(up, "POST", "/ticket", anne.token, {"match": match, "offset": 0}).json["ticket"]
    opening = OpenMatch(options=HokmOptions(), seats=MASKED, ticket=ticket)
    for guest, action in ((anne, opening), (behrouz, TakeSeat(seat=2)), (anne, StartMatch())):
        assert isinstance(await guest.do(match, action), Happened), action
    assert up.waraq("match", "abandon", match).code == 0
    return match


async def test_a_player_is_erased_and_every_proof_holds(tmp_path: Path, key_file: Path) -> None:
    data = tmp_path / "data"
    with running(data, WARAQ_PACE="30", WARAQ_TICKET_KEY_FILE=str(key_file)) as up:
        async with guests(up, 2) as (anne, behrouz):
            for guest, name in ((anne, NAME), (behrouz, "B")):
                assert ask(up, "PUT", "/profile", guest.token, {"name": name}).status == 200
            match = await played(up, anne, behrouz)
            assert up.waraq("standings", "rebuild").code == 0

            (kept,) = up.waraq("player", "show", anne.name, "--json").lines
            assert (kept["name"], kept["matches"]) == (NAME, [match])
            assert [one["match"] for one in kept["tickets"]] == [match]
            with up.log() as log:
                before = log.load(match)

            asked = up.waraq("player", "erase", anne.name, lines="n\n")
            assert asked.code == 1
            assert len(named(up, anne.name)) == 1, "who says no has erased nothing"
            (erased,) = up.waraq("player", "erase", anne.name, "--yes", "--json").lines
            assert erased == {"player": anne.name, "name": True, "tickets": 1}
            (again,) = up.waraq("player", "erase", anne.name, "--yes", "--json").lines
            assert again == {"player": anne.name, "name": False, "tickets": 0}

            assert [one["name"] for one in named(up, f"{anne.name},{behrouz.name}")] == ["B"]
            (kept,) = up.waraq("player", "show", anne.name, "--json").lines
            assert (kept["name"], kept["changed"], kept["tickets"]) == (None, None, [])
            (listed,) = up.waraq("match", "list", "--player", anne.name, "--json").lines
            assert [one["player"] for one in listed["seats"]][:1] == [anne.name]
            with up.log() as log:
                assert log.load(match) == before
            assert up.waraq("audit", "--all").code == 0
            # Counted anew from the log he is still without a name, and nothing comes back.
            assert up.waraq("standings", "rebuild").code == 0
            (kept,) = up.waraq("player", "show", anne.name, "--json").lines
            assert (kept["name"], kept["tickets"], kept["matches"]) == (None, [], [match])
    assert_nowhere(data, NAME)


def assert_nowhere(data: Path, name: str) -> None:
    """Not in a deleted page of a file either, once SQLite's journal is written back."""
    with closing(sqlite3.connect(data / "profiles.db")) as file:
        file.execute("pragma wal_checkpoint(truncate)")
    for path in data.rglob("*"):
        if path.is_file():
            assert name.encode() not in path.read_bytes(), path


def test_where_no_service_has_run_and_what_is_no_id(tmp_path: Path) -> None:
    for verb in ("show", "erase"):
        yes = ("--yes",) if verb == "erase" else ()
        assert waraq(tmp_path / "none", "player", verb, "u_nobody000", *yes).code == 3
        for bad in ("anne", "u_1'; drop table profiles", "U_ANNE0000", "u_" + "a" * 99):
            assert waraq(tmp_path / "none", "player", verb, bad, *yes).code == 2, bad
    assert not (tmp_path / "none").exists(), "asking makes no file"


ELSEWHERE = {"WARAQ_LOG_URL": "postgresql://nobody@127.0.0.1:9/x"}
BROKER_ELSEWHERE = {"WARAQ_NATS_URL": "nats://127.0.0.1:9"}


@pytest.mark.parametrize("where", [ELSEWHERE, BROKER_ELSEWHERE, ELSEWHERE | BROKER_ELSEWHERE])
def test_of_a_service_elsewhere_both_databases_must_be_named(
    tmp_path: Path, where: dict[str, str]
) -> None:
    """A folder in which another service ran once would answer for it."""
    data, url = tmp_path / "data", file_url(tmp_path / "names.db")
    data.mkdir()
    stale, names = Profiles(file_url(data / "profiles.db")), Profiles(url)
    for one in (stale, names):
        with closing(one):
            one.create()
            one.put(Profile("u_anne0000", NAME), 1)
    for verb in (("show",), ("erase", "--yes")):
        said = waraq(data, "player", verb[0], "u_anne0000", *verb[1:], **where)
        assert (said.code, said.out) == (2, "")
        assert "WARAQ_PROFILES_URL and WARAQ_STANDINGS_URL name no database" in said.err
    known = where | {"WARAQ_PROFILES_URL": url}
    said = waraq(data, "player", "erase", "u_anne0000", "--yes", **known)
    assert said.code == 2
    assert "WARAQ_STANDINGS_URL names no database" in said.err
    (kept,) = waraq(data, "player", "show", "u_anne0000", "--json", **known).lines
    assert (kept["name"], kept["unseen"]) == (NAME, ["WARAQ_STANDINGS_URL"])
    said = waraq(data, "player", "show", "u_anne0000", **known)
    assert "tickets, points and matches: not looked at" in said.err


def test_a_named_database_without_names_is_no_answer(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    slip = file_url(tmp_path / "typo.db")
    said = waraq(tmp_path / "data", "player", "show", "u_nobody000", WARAQ_PROFILES_URL=slip)
    assert said.code == 3
    assert "no names are kept" in said.err
    assert not (tmp_path / "typo.db").exists()


def test_a_setting_that_is_said_twice_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "url"
    file.write_text("sqlite:///x.db")
    twice = {"WARAQ_STANDINGS_URL": "sqlite:///y.db", "WARAQ_STANDINGS_URL_FILE": str(file)}
    said = waraq(tmp_path / "data", "player", "show", "u_nobody000", **twice)
    assert said.code == 2
    assert "WARAQ_STANDINGS_URL and WARAQ_STANDINGS_URL_FILE are both set" in said.err


def test_a_database_that_is_away_is_said(tmp_path: Path) -> None:
    away = "postgresql://nobody@127.0.0.1:9/x"
    (tmp_path / "data").mkdir()
    said = waraq(tmp_path / "data", "player", "show", "u_nobody000", WARAQ_PROFILES_URL=away)
    assert said.code == 5
    assert "names' database" in said.err
    said = waraq(tmp_path / "data", "player", "show", "u_nobody000", WARAQ_STANDINGS_URL=away)
    assert said.code == 5
