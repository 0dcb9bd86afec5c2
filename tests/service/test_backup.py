"""A backup made while matches are played, everything lost, everything put back: what was accepted
after the backup is lost, nothing else is, and players go on.
"""

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from schemas.commands import HokmOptions, OpenMatch, SeatPlan, StartMatch, TakeSeat
from schemas.ids import MatchId
from services.cli.__main__ import main
from services.cli.client import new_match_id
from services.cli.exits import Stop
from services.cli.place import Place
from services.cli.supervisor import Supervisor
from services.event_log.port import Batch, LogError
from services.event_log.sql import file_url, open_log, open_reader
from services.event_log.sqlite import RESTORING
from services.event_log.upgrade import upgrade
from services.runtime.tasks import end
from services.web.profiles import Profiles
from tests.chaos.seat import Guest, Seat
from tests.chaos.tables import MASKED
from tests.chaos.verdict import Match, fold, standings_differ
from tests.invariants import NOTHING_IN_LOG, by_stream, count_log, rows_of
from tests.service.guests import entered, session
from tests.service.up_process import COMMAND_WITHIN, Said, Up, environment, running, waraq
from tests.streams import played
from tests.waiting import until

pytestmark = pytest.mark.slow

LONG = HokmOptions(target=100)
HOUSE = tuple(SeatPlan(seat=seat, filled_by="house", level="white") for seat in range(4))
WITHIN = 60.0


class Table:
    """A match with people at it, or one of bots that its owner watches."""

    def __init__(self, seats: list[Seat]) -> None:
        self.seats = seats
        self.playing: list[asyncio.Task[None]] = []

    @property
    def match(self) -> MatchId:
        return self.seats[0].match

    async def begin(self) -> None:
        """Open it, sit down, start, and play on without being waited for."""
        owner, *others = self.seats
        await owner.do(OpenMatch(options=LONG, seats=MASKED if others else HOUSE))
        for other in others:
            await other.do(TakeSeat(seat=2))
        await owner.do(StartMatch(), move=(await owner.look()).move if others else 0)
        if others:
            self.playing = [asyncio.create_task(seat.play()) for seat in self.seats]

    async def stop(self) -> None:
        await end(*self.playing)


@asynccontextmanager
async def people(up: Up, count: int) -> AsyncIterator[list[Guest]]:
    async with AsyncExitStack() as leaving:
        guests = []
        for _ in range(count):
            opened = session(up)
            bus = await leaving.enter_async_context(entered(up, opened))
            guest = Guest(opened["player"])
            await guest.enter(bus)
            guests.append(guest)
        yield guests


def seated(*guests: Guest) -> Table:
    match = new_match_id()
    return Table([guest.sit(match) for guest in guests])


def kill_all(up: Up) -> None:
    """As when the machine loses its power."""
    victims = [up.process.pid, *up.children().values()]
    for pid in victims:
        os.kill(pid, signal.SIGKILL)
    up.process.wait()


def log_of(data: Path) -> dict[MatchId, Match]:
    with closing(open_reader(file_url(data / "log.db"))) as log:
        return {match: fold(rows) for match, rows in by_stream(rows_of(log)).items()}


async def version(table: Table, of: int) -> None:
    """Until whoever sits first was told of this version, or of a later one."""
    record = table.seats[0].record
    await until(lambda: max(record.told, default=0) >= of, f"version {of}", within=WITHIN)


async def command(data: Path, *words: str) -> dict[str, Any]:
    """What one command says, while everybody plays on."""
    said = await asyncio.to_thread(waraq, data, *words, "--json")
    assert said.code == 0, said.err
    found: dict[str, Any] = said.lines[0]
    return found


@pytest.mark.drill
async def test_everything_is_lost_and_put_back_and_the_players_go_on(tmp_path: Path) -> None:
    data, copy = tmp_path / "data", tmp_path / "copy"
    with running(data) as up:
        async with people(up, 5) as (anne, behrouz, cyrus, dina, eli):
            played_on, watched, later = seated(anne, behrouz), seated(eli), seated(cyrus, dina)
            for table in (played_on, watched):
                await table.begin()
                await version(table, 40)
            made = await command(data, "db", "backup", "--to", str(copy))
            kept = log_of(copy)
            assert sum(made["positions"]) == sum(len(one.heads) for one in kept.values())
            # Both are played on, and one that the backup knows nothing of.
            await later.begin()
            await version(later, 30)
            for table in (played_on, watched):
                await version(table, last_of(kept, table) + 20)
            await asyncio.to_thread(kill_all, up)
            await later.stop()
            told = [dict(seat.record.accepted) for seat in played_on.seats]
            shutil.rmtree(data)

            put_back = await command(data, "db", "restore", "--from", str(copy))
            assert put_back["positions"] == made["positions"]
            assert put_back["generation"] == made["generation"] + 1
            assert log_of(data) == kept
            assert later.match not in kept
            assert_lost_is_what_came_after(told, kept[played_on.match])
            with running(data) as again:
                assert again.ready["nats"] == up.ready["nats"], "clients find it where it was"
                await assert_they_go_on(again, played_on, watched, kept)
                assert_all_is_well(again)


def last_of(kept: Mapping[MatchId, Match], table: Table) -> int:
    return max(kept[table.match].heads)


def assert_lost_is_what_came_after(told: list[dict[str, int]], kept: Match) -> None:
    """A command that was told to be accepted is in the log if and only if the backup is not older
    than it.
    """
    last, lost = max(kept.heads), 0
    for accepted in told:
        for one, at in accepted.items():
            assert (one in kept.commands) == (at <= last), (one, at, last)
            lost += at > last
    assert lost > 0


async def assert_they_go_on(
    up: Up, played_on: Table, watched: Table, kept: Mapping[MatchId, Match]
) -> None:
    """With the connections and the sessions that they had, without anybody's help."""
    client = watched.seats[0].client
    watching = asyncio.create_task(client.until_ended(patience=WITHIN))
    for table in (played_on, watched):
        wanted = last_of(kept, table) + 10
        with up.log() as log:
            await until(
                lambda table=table, wanted=wanted: len(log.load(table.match)) >= wanted,  # type: ignore[misc] # bound now
                f"{wanted} events",
                within=WITHIN,
            )
    for seat in played_on.seats:
        before = set(seat.record.accepted)
        await until(
            lambda seat=seat, before=before: set(seat.record.accepted) - before,  # type: ignore[misc] # as above
            "a card of his to be taken",
            within=WITHIN,
        )
    for table in (played_on, watched):
        assert (await command(up.data, "match", "abandon", table.match))["already"] is False
    await asyncio.wait_for(asyncio.gather(*played_on.playing), WITHIN)
    ended = await asyncio.wait_for(watching, WITHIN)
    with up.log() as log:
        assert ended.events == len(log.load(watched.match)), "who watched knows how it is now"


def assert_all_is_well(up: Up) -> None:
    assert up.waraq("standings", "rebuild").code == 0
    with up.log() as log:
        counted = count_log(log, rows_of(log))
        assert standings_differ(file_url(up.data / "standings.db"), log) == 0
    assert not any(counted[number] for number in NOTHING_IN_LOG), counted
    assert counted["positions_whole"]
    assert up.waraq("audit", "--all").code == 0
    doctor = up.waraq("doctor")
    assert doctor.code == 0, doctor.err


# What is refused --------------------------------------------------------------------------------


def run(data: Path, *words: str, **more: str) -> Said:
    """The command, in this process."""
    done = CliRunner().invoke(main, words, env=environment(data, more))
    args = subprocess.CompletedProcess(words, done.exit_code, done.stdout, done.stderr)
    return Said(args)


def stored(data: Path) -> None:
    """A log with a match in it, in a folder where no service ran."""
    data.mkdir(mode=0o700)
    upgrade(file_url(data / "log.db"))
    with closing(open_log(file_url(data / "log.db"))) as log:
        rows = played(1).rows
        log.append(log.claim(0, "test"), Batch(entries=tuple(row.entry for row in rows)))


def test_a_backup_is_for_its_owner_only_and_is_never_put_over_anything(tmp_path: Path) -> None:
    data, copy = tmp_path / "data", tmp_path / "copy"
    stored(data)
    assert run(data, "db", "backup", "--to", str(copy)).code == 0
    assert copy.stat().st_mode & 0o077 == 0
    assert {path.stat().st_mode & 0o777 for path in copy.iterdir()} == {0o600}
    assert run(data, "db", "backup", "--to", str(copy)).code == 2
    over = run(data, "db", "restore", "--from", str(copy))
    assert (over.code, "not empty" in over.err) == (2, True)
    assert run(tmp_path / "none", "db", "backup", "--to", str(tmp_path / "b")).code == 3
    assert run(tmp_path / "new", "db", "restore", "--from", str(tmp_path / "none")).code == 2
    assert run(tmp_path / "new", "db", "restore", "--from", str(data)).code == 3
    outside = run(data, "db", "backup", "--to", "x", WARAQ_LOG_URL="postgresql://127.0.0.1:9/x")
    assert (outside.code, "own tools" in outside.err) == (2, True)


@pytest.mark.parametrize("harm", ["changed", "gone", "cut", "named"])
def test_a_backup_that_is_not_as_it_was_made_is_not_put_back(tmp_path: Path, harm: str) -> None:
    data, copy = tmp_path / "data", tmp_path / "copy"
    stored(data)
    assert run(data, "db", "backup", "--to", str(copy)).code == 0
    log, manifest = copy / "log.db", copy / "backup.json"
    said = json.loads(manifest.read_bytes())
    match harm:
        case "changed":
            log.write_bytes(log.read_bytes().replace(b"card_played", b"card_plyaed", 1))
        case "gone":
            log.unlink()
        case "cut":
            manifest.write_bytes(manifest.read_bytes()[:20])
        case "named":
            said["files"]["../../evil"] = "0" * 64
            manifest.write_text(json.dumps(said))
    new = tmp_path / "new"
    done = run(new, "db", "restore", "--from", str(copy))
    assert done.code in {2, 4}, done.err
    assert "Traceback" not in done.err
    assert not (new / "log.db").exists()


# A restore that is stopped on the way ----------------------------------------------------------


PUT_BACK = ("log.db", "profiles.db", "shuffle.key")


def contents(data: Path) -> dict[str, bytes]:
    return {one.name: one.read_bytes() for one in data.iterdir() if one.name in PUT_BACK}


def generation(data: Path) -> int:
    with closing(open_reader(file_url(data / "log.db"))) as log:
        return log.info().generation


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A backup, of more than the log."""
    data, copy = (tmp_path_factory.mktemp("copied") / name for name in ("data", "copy"))
    stored(data)
    Profiles(file_url(data / "profiles.db")).create()
    (data / "shuffle.key").write_bytes(b"k" * 32)
    assert run(data, "db", "backup", "--to", str(copy)).code == 0
    return copy


@pytest.mark.drill
def test_whoever_is_stopped_before_any_step_leaves_nothing_that_begins_and_restores_again(
    tmp_path: Path, copied: Path
) -> None:
    words = (sys.executable, "-m", "tests.service.restore_stopped", str(copied), str(tmp_path))
    subprocess.run(words, check=True, timeout=COMMAND_WITHIN, env=environment(tmp_path, {}))
    *stopped, whole = sorted(tmp_path.iterdir(), key=lambda one: int(one.name))
    right, raised = contents(whole), generation(whole)
    assert set(right) == set(PUT_BACK)
    half = 0
    for data in stopped:
        if (data / "log.db").exists() or set(contents(data)) or (data / RESTORING).exists():
            half += 1
            assert_nothing_begins(data)
        again = run(data, "db", "restore", "--from", str(copied))
        assert again.code == 0, (data.name, again.err)
        assert not (data / RESTORING).exists()
        assert (contents(data), generation(data)) == (right, raised), data.name
    assert half > 2 * len(PUT_BACK), "before each file is written, and before each has its name"


def assert_nothing_begins(data: Path) -> None:
    for words in (("db", "check"), ("db", "upgrade"), ("db", "backup", "--to", f"{data}-copy")):
        refused = run(data, *words)
        assert (refused.code, "waraq db restore" in refused.err) == (1, True), (data.name, words)
    with pytest.raises(LogError, match="waraq db restore"):
        open_log(file_url(data / "log.db"))
    with pytest.raises(Stop, match="waraq db restore"):
        Supervisor(Place(data, {})).start()


def test_what_is_not_of_a_restore_is_never_taken_away(tmp_path: Path, copied: Path) -> None:
    data = tmp_path / "data"
    (data / RESTORING).mkdir(parents=True)
    (data / "letters").write_text("mine")
    refused = run(data, "db", "restore", "--from", str(copied))
    assert (refused.code, "not empty" in refused.err) == (2, True)
    assert (data / "letters").read_text() == "mine"


def test_a_backup_that_is_refused_leaves_the_folder_as_empty_as_it_was(
    tmp_path: Path, copied: Path
) -> None:
    said = json.loads((copied / "backup.json").read_bytes())
    other = shutil.copytree(copied, tmp_path / "other")
    (other / "backup.json").write_text(json.dumps(said | {"positions": [99]}))
    refused = run(tmp_path / "new", "db", "restore", "--from", str(other))
    assert refused.code == 4, refused.err
    assert [one.name for one in (tmp_path / "new").iterdir()] == ["up.lock"]
    assert run(tmp_path / "new", "db", "restore", "--from", str(copied)).code == 0
