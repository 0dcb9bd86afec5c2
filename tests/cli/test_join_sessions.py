"""The session of a terminal: kept, renewed, and shown to its server alone."""

import asyncio
import stat
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

import msgspec
import pytest

from services.cli.exits import FAILED, UNREACHABLE, USAGE, Stop
from services.cli.join.session import player as players
from services.cli.join.session.kept import (
    Kept,
    folder,
    keep,
    kept_names,
    read_session,
    session_file,
)
from services.cli.join.session.player import Player, Server, put_name, server_at, sign_in
from services.cli.join.session.web import Error, Opened, Web, WebAway, WebDeclined
from services.cli.place import Access, Place, write_access
from services.runtime.tasks import end, happens
from tests.table.hall import ANNE
from tests.waiting import until
from tests.web.answering import answering, saying
from tests.web.serving import Site, site

KEY: Final = "https://cards.example"
KEPT: Final = Kept(server=KEY, player=ANNE, token="t.mac")


def server(url: str) -> Server:
    return Server(url=url, key=url, advice="start it", here=True)


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[Site]:
    async with site(tmp_path) as found:
        yield found


# The file -------------------------------------------------------------------------------------


def test_a_session_is_kept_in_the_users_state_for_its_server(tmp_path: Path) -> None:
    environ = {"XDG_STATE_HOME": str(tmp_path)}
    file = session_file(environ, KEY, None)
    assert file.parent.parent == tmp_path / "waraq" / "sessions"
    assert file.parent.name.startswith("https-cards.example-")
    assert file.name == "default.json"
    assert session_file(environ, KEY + ":8443", None).parent != file.parent
    assert session_file(environ, KEY, "other") == file.with_name("other.json")
    assert session_file(environ, KEY, "./other") == Path("other").absolute()


def test_a_relative_state_is_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    for environ in ({"XDG_STATE_HOME": "state"}, {"XDG_STATE_HOME": ""}, {}):
        assert folder(environ, KEY).is_relative_to(tmp_path / ".local" / "state" / "waraq")


@pytest.mark.parametrize("name", ["..", "a b", "x" * 33, "a.json", "é", "-\n"])
def test_a_name_of_a_session_is_plain(name: str, tmp_path: Path) -> None:
    with pytest.raises(Stop) as stopped:
        session_file({"XDG_STATE_HOME": str(tmp_path)}, KEY, name)
    assert stopped.value.exit_code == USAGE


def test_only_its_owner_reads_it(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "er" / "one.json"
    keep(file, KEPT)
    keep(file, KEPT)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert list(file.parent.iterdir()) == [file]
    assert read_session(file, KEY) == KEPT


def test_none_is_kept_yet(tmp_path: Path) -> None:
    assert read_session(tmp_path / "none.json", KEY) is None


@pytest.mark.parametrize(
    ("data", "mode", "says"),
    [
        (msgspec.json.encode(KEPT), 0o644, "chmod 600"),
        (b"{", 0o600, "is no session"),
        (b"\xff", 0o600, "is no session"),
        (b'{"server":"x","player":"u_anne0000","token":"a\\nb"}', 0o600, "is no session"),
        (msgspec.json.encode(KEPT).replace(b"cards", b"other"), 0o600, "not of this server"),
    ],
)
def test_a_file_that_may_not_be_used_is_told_and_its_token_is_not(
    tmp_path: Path, data: bytes, mode: int, says: str
) -> None:
    file = tmp_path / "one.json"
    file.write_bytes(data)
    file.chmod(mode)
    with pytest.raises(Stop, match=says) as stopped:
        read_session(file, KEY)
    assert stopped.value.exit_code == USAGE
    assert KEPT.token not in stopped.value.message


def test_a_folder_is_no_session(tmp_path: Path) -> None:
    with pytest.raises(Stop, match="cannot be read"):
        read_session(tmp_path, KEY)


def test_the_sessions_that_are_kept_are_known_by_name(tmp_path: Path) -> None:
    environ = {"XDG_STATE_HOME": str(tmp_path)}
    assert kept_names(environ, KEY) == []
    for name in ("other", "default"):
        keep(session_file(environ, KEY, name), KEPT)
    assert kept_names(environ, KEY) == ["default", "other"]


# The server -----------------------------------------------------------------------------------


def test_the_embedded_service_is_found_by_its_folder(tmp_path: Path) -> None:
    place = Place(tmp_path, {})
    write_access(place, Access(port=1, passwords={}, web_port=8123))
    found = server_at(place, None)
    assert (found.url, found.key, found.here) == ("http://127.0.0.1:8123", str(tmp_path), True)
    named = server_at(place, "https://cards.example/play/")
    assert (named.url, named.key) == ("https://cards.example/play",) * 2
    assert not named.here


@pytest.mark.parametrize("access", [None, Access(port=1, passwords={})])
def test_where_no_web_worker_has_run_it_is_said_what_to_do(
    tmp_path: Path, access: Access | None
) -> None:
    place = Place(tmp_path, {})
    if access is not None:
        write_access(place, access)
    with pytest.raises(Stop, match="waraq up") as stopped:
        server_at(place, None)
    assert stopped.value.exit_code == UNREACHABLE


# Signing in -----------------------------------------------------------------------------------


async def test_a_guest_is_the_same_player_next_time(here: Site, tmp_path: Path) -> None:
    file = tmp_path / "one.json"
    first = await sign_in(server(here.url), file)
    token = first.token
    here.clock.ms += 1_000
    again = await sign_in(server(here.url), file)
    assert again.id == first.id
    assert again.token != token
    assert again.another is None
    assert (first.fresh, again.fresh) == (True, False)
    kept = read_session(file, here.url)
    assert kept is not None
    assert kept.token == again.token


async def test_two_sessions_are_two_players(here: Site, tmp_path: Path) -> None:
    one = await sign_in(server(here.url), tmp_path / "one.json")
    two = await sign_in(server(here.url), tmp_path / "two.json")
    assert one.id != two.id


async def test_a_session_that_is_good_no_more_is_set_aside_for_a_new_player(
    here: Site, tmp_path: Path
) -> None:
    file = tmp_path / "one.json"
    first = await sign_in(server(here.url), file)
    here.clock.ms += 31 * 24 * 3_600_000
    again = await sign_in(server(here.url), file)
    assert again.id != first.id
    assert again.another == tmp_path / "one.json.old"
    old = read_session(again.another, here.url)
    assert old is not None
    assert old.player == first.id


async def test_a_session_is_not_lost_because_the_web_worker_is_away_or_ill(tmp_path: Path) -> None:
    file = tmp_path / "one.json"
    async with answering(saying(503, {"error": "busy", "text": "ask again"})) as url:
        keep(file, Kept(server=url, player=ANNE, token="t"))
        with pytest.raises(Stop, match="busy") as stopped:
            await sign_in(server(url), file)
        assert stopped.value.exit_code == FAILED
        assert read_session(file, url) is not None
    with pytest.raises(Stop, match="start it") as stopped:
        await sign_in(server(url), file)
    assert stopped.value.exit_code == UNREACHABLE
    assert read_session(file, url) is not None


async def test_a_token_of_https_is_sent_to_no_open_websocket(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def session(web: Web, _token: str | None) -> Opened:
        return Opened(player=ANNE, token="t", ends=1, nats=f"ws://{web.url[8:]}")

    monkeypatch.setattr(Web, "session", session)
    with pytest.raises(Stop, match="others could read") as stopped:
        await sign_in(server("https://cards.example"), tmp_path / "one.json")
    assert stopped.value.exit_code == FAILED
    near = await sign_in(server("https://127.0.0.1:1"), tmp_path / "two.json")
    assert near.nats == "ws://127.0.0.1:1"


async def test_where_it_cannot_be_kept_it_is_said(here: Site) -> None:
    with pytest.raises(Stop, match="--session") as stopped:
        await sign_in(server(here.url), Path("/proc/none/one.json"))
    assert stopped.value.exit_code == FAILED


async def test_a_name_is_put_and_read(here: Site, tmp_path: Path) -> None:
    player = await sign_in(server(here.url), tmp_path / "one.json")
    await put_name(player, "Sara")
    assert await player.web.names([player.id, ANNE]) == {player.id: "Sara"}
    with pytest.raises(Stop, match="bad_name") as stopped:
        await put_name(player, "\u202e")
    assert stopped.value.exit_code == USAGE


# Keeping it up --------------------------------------------------------------------------------


class Line:
    """What `keep_up` sees of a connection."""

    def __init__(self) -> None:
        self.refused = asyncio.Event()
        self.connected = True


class Renewing(Web):
    """A web worker in this process: each renewal is the next answer, the last one for ever."""

    def __init__(self, *answers: Opened | Exception) -> None:
        super().__init__("http://nowhere")
        self.asked: list[str | None] = []
        self._answers = list(answers)

    async def session(self, token: str | None) -> Opened:
        self.asked.append(token)
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer


def opened(token: str, *, lasts: float) -> Opened:
    """A session that ends in so many seconds."""
    ends = round((time.time() + lasts) * 1000)
    return Opened(player=ANNE, token=token, ends=ends, nats="ws://127.0.0.1:1")


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(players, "FIRST_PAUSE", 0.0)
    monkeypatch.setattr(players, "LOOK", 0.01)
    monkeypatch.setattr(players, "LEAST", 0.0)


LONG: Final = 3_600.0
NO: Final = WebDeclined(Error(error="refused", text="that token is not good"))


@pytest.mark.usefixtures("hurried")
async def test_a_session_is_renewed_before_its_end_and_kept(tmp_path: Path) -> None:
    web = Renewing(opened("two", lasts=LONG))
    player = Player(web, server(web.url), tmp_path / "one.json", opened("one", lasts=0.0))
    task = asyncio.create_task(player.keep_up(Line()))
    await until(lambda: player.token == "two", "the renewal")
    await until((tmp_path / "one.json").exists, "the file")
    assert web.asked == ["one"]
    await end(task)


@pytest.mark.usefixtures("hurried")
async def test_one_that_is_good_for_long_is_left_alone(tmp_path: Path) -> None:
    web, line = Renewing(NO), Line()
    player = Player(web, server(web.url), tmp_path / "one.json", opened("one", lasts=LONG))
    task = asyncio.create_task(player.keep_up(line))
    assert not await happens(line.refused, 0.05)
    assert web.asked == []
    await end(task)


@pytest.mark.usefixtures("hurried")
async def test_one_that_the_broker_refuses_is_renewed_at_once(tmp_path: Path) -> None:
    web, line = Renewing(WebAway("nobody"), opened("two", lasts=LONG)), Line()
    player = Player(web, server(web.url), tmp_path / "one.json", opened("one", lasts=LONG))
    line.connected = False
    line.refused.set()
    task = asyncio.create_task(player.keep_up(line))
    await until(lambda: len(web.asked) == 1, "an ask")
    assert player.token == "one"
    line.refused.set()
    await until(lambda: player.token == "two", "the renewal")
    assert not task.done()
    await end(task)


@pytest.mark.usefixtures("hurried")
async def test_only_the_web_workers_word_ends_it_and_only_once_it_is_cut(tmp_path: Path) -> None:
    web, line = Renewing(NO), Line()
    player = Player(web, server(web.url), tmp_path / "one.json", opened("one", lasts=0.0))
    task = asyncio.create_task(player.keep_up(line))
    await until(lambda: len(web.asked) > 2, "asks")
    assert not task.done()
    line.connected = False
    await until(task.done, "the end")
