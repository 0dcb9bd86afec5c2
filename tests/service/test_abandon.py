"""`waraq match abandon`: what it says, and what becomes of the match and of its players."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from schemas.commands import (
    AbandonMatch,
    Command,
    HokmOptions,
    OpenMatch,
    StartMatch,
    TakeSeat,
    encode_command,
)
from schemas.events import MatchAbandoned, decode_event
from schemas.feed import Happened
from schemas.ids import MatchId
from services.cli.client import new_match_id
from services.event_log.port import Batch, Row
from services.event_log.sql import file_url, open_log, open_reader
from services.event_log.upgrade import upgrade
from tests.chaos.tables import MASKED
from tests.service.guests import Guest, guests
from tests.service.up_process import Up, running, waraq
from tests.streams import played
from tests.waiting import until

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    with running(tmp_path_factory.mktemp("abandon") / "data", WARAQ_PACE="30") as up:
        yield up


async def opened(anne: Guest, behrouz: Guest) -> MatchId:
    """A masked match of two people that is being played, and stands still: its bots take long."""
    match = new_match_id()
    opening = OpenMatch(options=HokmOptions(), seats=MASKED)
    for guest, action in ((anne, opening), (behrouz, TakeSeat(seat=2)), (anne, StartMatch())):
        assert isinstance(await guest.do(match, action), Happened), action
    return match


def rows_of(up: Up, match: str) -> tuple[Row, ...]:
    with up.log() as log:
        return log.load(match)


async def test_a_running_match_is_ended_for_all_and_its_secret_revealed(up: Up) -> None:
    async with guests(up, 2) as (anne, behrouz):
        match = await opened(anne, behrouz)
        said = up.waraq("match", "abandon", match, "--reason", "fault", "--json")
        assert said.code == 0, said.err
        rows = rows_of(up, match)
        last = decode_event(rows[-1].entry.line)
        assert isinstance(last.body, MatchAbandoned)
        assert (last.origin, last.seat, last.body.reason) == ("ops", None, "fault")
        assert len(last.body.secret) == 64
        assert said.lines == [
            {"match": match, "status": "abandoned", "version": len(rows), "already": False}
        ]
        for guest in (anne, behrouz):
            await until(
                lambda guest=guest: any(  # type: ignore[misc] # bound now
                    isinstance(one, Happened) and isinstance(one.event.body, MatchAbandoned)
                    for one in guest.told(match)
                ),
                "the end to be told",
            )
            assert (await guest.snapshot(match)).over == "fault"
        assert up.waraq("standings", "rebuild").code == 0
        # Nobody has it in his record, nobody waits for it, nothing of it is wrong.
        shown = up.waraq("standings", "show", anne.name, "--json").lines[0]
        assert shown["records"] == []
        (listed,) = up.waraq("match", "list", "--player", anne.name, "--json").lines
        assert (listed["status"], listed["winner"]) == ("abandoned", None)
        with up.log() as log:
            assert match not in log.open_streams(0)
        assert up.waraq("audit", match).code == 0
        assert up.waraq("audit", "--all").code == 0


async def test_said_twice_it_is_over_already_and_nothing_is_written(up: Up) -> None:
    async with guests(up, 2) as (anne, behrouz):
        match = await opened(anne, behrouz)
        assert up.waraq("match", "abandon", match).code == 0
        rows = rows_of(up, match)
        again = up.waraq("match", "abandon", match, "--json")
        assert again.code == 0, again.err
        assert (again.lines[0]["already"], again.lines[0]["version"]) == (True, len(rows))
        assert rows_of(up, match) == rows


async def test_a_lobby_is_abandoned_too_and_a_seat_is_free_again_nowhere(up: Up) -> None:
    async with guests(up, 1) as (anne,):
        match = new_match_id()
        await anne.do(match, OpenMatch(options=HokmOptions(), seats=MASKED))
        assert up.waraq("match", "abandon", match).code == 0
        assert up.waraq("standings", "rebuild").code == 0
        listed = up.waraq("match", "list", "--open", "--json").lines
        assert match not in [one["match"] for one in listed]
        assert rows_of(up, match)[-1].entry.type == "match_abandoned"


async def test_a_players_own_word_abandons_nothing(up: Up) -> None:
    """The voice is the subject: what an operator says is refused from a player's."""
    async with guests(up, 2) as (anne, behrouz):
        match = await opened(anne, behrouz)
        answer = await anne.do(match, AbandonMatch(reason="operator"))
        assert not isinstance(answer, Happened)
        assert answer.code == "not_allowed"
        forged = encode_command(Command(id="f" * 16, action=AbandonMatch(reason="operator")))
        await anne.say(f"cmdin.{match}.ops", forged)
        await anne.snapshot(match)
        assert rows_of(up, match)[-1].entry.type != "match_abandoned"


def test_what_is_no_match_and_what_is_no_reason(up: Up) -> None:
    assert up.waraq("match", "abandon", new_match_id()).code == 3
    assert up.waraq("match", "abandon", "m_1; drop").code == 3
    for reason in ("expired", "because", ""):
        said = up.waraq("match", "abandon", new_match_id(), "--reason", reason)
        assert said.code == 2, (reason, said.err)


def planted(data: Path, rows: list[Row]) -> None:
    data.mkdir(mode=0o700)
    url = file_url(data / "log.db")
    upgrade(url)
    log = open_log(url)
    entries = tuple(row.entry for row in rows)
    log.append(log.claim(0, "test"), Batch(entries=entries, opened=(rows[0].entry.stream,)))
    log.close()


def test_with_no_broker_it_says_so(tmp_path: Path) -> None:
    rows = played(1).rows[:40]
    planted(tmp_path / "data", rows)
    said = waraq(tmp_path / "data", "match", "abandon", rows[0].entry.stream)
    assert said.code == 5
    assert "waraq up" in said.err
    gone = waraq(
        tmp_path / "data",
        "match",
        "abandon",
        rows[0].entry.stream,
        WARAQ_NATS_URL="nats://127.0.0.1:9",
    )
    assert gone.code == 5, gone.err
    with closing(open_reader(file_url(tmp_path / "data" / "log.db"))) as log:
        assert len(log.load(rows[0].entry.stream)) == len(rows)
