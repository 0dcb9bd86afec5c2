"""`waraq doctor`: each thing that may be wrong is found, with what to do about it."""

import asyncio
import os
import re
import shutil
from collections import namedtuple
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
import sqlalchemy as sa

from schemas.commands import Command, StartMatch, encode_command
from schemas.standing import Standing
from services.auth.nkeys import account_key, seed_text
from services.cli.doctor import of_broker, of_folder
from services.cli.doctor.command import _prose
from services.cli.doctor.finding import Finding
from services.cli.doctor.of_machine import NAMES
from services.cli.place import Access, Place
from services.event_log.port import Batch, DeadLetter
from services.event_log.sql import file_url, open_log
from services.messaging import streams
from services.messaging.discovery import of_process
from services.messaging.port import Message
from services.messaging.server import Broker, BrokerConfig, Door
from services.scoring.database import open_engine
from services.scoring.standings import Standings
from tests.broker import bus_as, password, running_broker
from tests.cli.logs import Log
from tests.streams import KEY, played

CHECKOUT: Final = Path(__file__).parents[2]


def found(log: Log, **more: str) -> tuple[int, list[Finding]]:
    """The exit code and all findings."""
    done = Log(log.url, {**log.environ, **more}).waraq("doctor", "--json")
    assert "Traceback" not in done.stderr
    lines = done.stdout.splitlines()
    return done.exit_code, [msgspec.json.decode(line, type=Finding) for line in lines]


def of(findings: list[Finding], check: str) -> list[tuple[str, str]]:
    """Level and words of all findings about one thing."""
    return [(one.level, one.what) for one in findings if one.check == check]


def about(log: Log, check: str, **more: str) -> list[tuple[str, str]]:
    return of(found(log, **more)[1], check)


def put_key(log: Log, key: bytes) -> Path:
    file = Path(log.environ["WARAQ_DATA"]) / "shuffle.key"
    file.touch(mode=0o600)
    file.write_bytes(key)
    return file


# The log ----------------------------------------------------------------------------------------


def test_no_log_is_said_with_what_makes_one(sqlite_log: Log) -> None:
    Path(sqlite_log.environ["WARAQ_DATA"], "log.db").unlink()
    code, findings = found(sqlite_log)
    (one,) = [one for one in findings if one.check == "log"]
    assert one.level == "bad"
    data = sqlite_log.environ["WARAQ_DATA"]
    assert one.next == f"is --data {data} right? Only for a new service: waraq db upgrade"
    assert code == 5, "the broker is away too, and so not looked at"


def test_a_database_that_is_away_is_unreachable(sqlite_log: Log) -> None:
    code, findings = found(sqlite_log, WARAQ_LOG_URL="postgresql://me:secret@127.0.0.1:9/x")
    (one,) = [one for one in findings if one.check == "log"]
    assert (code, one.level) == (5, "unreachable")
    assert "secret" not in one.what


def test_partitions_without_an_owner_and_with_one(new_log: Callable[[], Log]) -> None:
    log = new_log()
    log.store(played(1).rows[:40])
    with closing(open_log(log.url)) as owner:
        partitions = owner.info().partitions
        what = f"{partitions} of {partitions} partitions have no owner: 1 open matches stand still"
        assert about(log, "owners") == [("bad", what)]
        for partition in range(partitions):
            assert owner.hold(partition)
        assert about(log, "owners") == [("ok", "each partition has one")]
        assert owner.hold(0), "looking takes nobody's lock"
    assert about(log, "owners")[0][0] == "bad"


def test_a_gap_in_the_positions_is_found(sqlite_log: Log) -> None:
    sqlite_log.store(played(1).rows)
    assert about(sqlite_log, "positions")[0][0] == "ok"
    _edit(sqlite_log, "drop trigger events_no_delete", "delete from events where position = 7")
    assert about(sqlite_log, "positions") == [
        ("bad", "partition 0: its latest 1000 rows have a gap")
    ]
    (form,) = about(sqlite_log, "log form")
    assert "events_no_delete" in form[1]


def test_rows_beyond_what_the_partition_says_are_found(sqlite_log: Log) -> None:
    rows = played(1).rows
    sqlite_log.store(rows)
    _edit(sqlite_log, f"update partitions set position = {len(rows) + 1}")
    assert about(sqlite_log, "positions")[0][0] == "bad"


def _edit(log: Log, *statements: str) -> None:
    engine = sa.create_engine(log.url)
    with engine.begin() as connection:
        for statement in statements:
            connection.exec_driver_sql(statement)
    engine.dispose()


def test_a_dead_letter_that_waits_is_a_warning_and_shows_nothing_of_it(sqlite_log: Log) -> None:
    rows = played(1).rows[:40]
    sqlite_log.store(rows)
    body = encode_command(Command(id="d" * 16, action=StartMatch())).decode()
    dead = [
        DeadLetter(subject=f"cmd.0.{match}.u_anne0000", body=body, error="planted", time=1)
        for match in (rows[0].entry.stream, "m_" + "9" * 32)
    ]
    with closing(open_log(sqlite_log.url)) as log:
        log.append(log.claim(0, "test"), Batch(dead=tuple(dead)))
    assert about(sqlite_log, "dead letters") == [("warning", "1 wait, of 2")]


def test_much_that_is_not_confirmed_is_said(
    sqlite_log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    sqlite_log.store(played(1).rows)
    monkeypatch.setattr("services.cli.doctor.of_log.UNCONFIRMED_EVENTS", (10, 1_000))
    assert about(sqlite_log, "outbox")[0][0] == "warning"


# Standings --------------------------------------------------------------------------------------


def test_standings_that_are_gone_behind_or_ahead(sqlite_log: Log, tmp_path: Path) -> None:
    rows = played(1).rows
    assert about(sqlite_log, "standings")[0][0] == "bad"
    url = file_url(tmp_path / "standings.db")
    engine = open_engine(url)
    with closing(open_log(sqlite_log.url)) as log:
        Standings(engine).create()
        sqlite_log.store(rows)
        (one,) = about(sqlite_log, "standings", WARAQ_STANDINGS_URL=url)
        assert one == ("bad", f"{len(rows)} events behind the log, and not catching up")
        Standings(engine).catch_up(log)
    engine.dispose()
    (one,) = about(sqlite_log, "standings", WARAQ_STANDINGS_URL=url)
    assert one == ("ok", "nothing is behind the log")
    _edit(sqlite_log, "update partitions set position = 3")
    (one,) = about(sqlite_log, "standings", WARAQ_STANDINGS_URL=url)
    assert one[0] == "bad"
    assert "that the log has not" in one[1]


# Keys and the machine ---------------------------------------------------------------------------


def test_a_shuffle_key_that_is_open_to_others_missing_or_another(sqlite_log: Log) -> None:
    assert about(sqlite_log, "shuffle key")[0][0] == "note"
    sqlite_log.store(played(1).rows[:40])
    file = put_key(sqlite_log, KEY.key)
    assert about(sqlite_log, "shuffle key") == [("ok", f"{KEY.id}, that of all open matches")]
    file.chmod(0o644)
    assert about(sqlite_log, "shuffle key")[0][0] == "bad"
    file.chmod(0o600)
    file.write_bytes(b"o" * 32)
    (one,) = about(sqlite_log, "shuffle key")
    assert one[0] == "bad"
    assert "1 open matches are sealed under another key" in one[1]
    file.unlink()
    named = about(sqlite_log, "shuffle key", WARAQ_SHUFFLE_KEY_FILE=str(file))
    assert named[0][0] == "bad"


def test_other_keys_are_looked_at_where_they_are_named_or_lie(
    sqlite_log: Log, tmp_path: Path
) -> None:
    key = tmp_path / "site.key"
    assert about(sqlite_log, "site key", WARAQ_SITE_KEY_FILE=str(key))[0][0] == "bad"
    key.touch(mode=0o640)
    key.write_bytes(b"s" * 32)
    (one,) = about(sqlite_log, "site key", WARAQ_SITE_KEY_FILE=str(key))
    assert "chmod 600" in one[1]
    key.chmod(0o600)
    assert about(sqlite_log, "site key", WARAQ_SITE_KEY_FILE=str(key))[0][0] == "ok"
    seed = Path(sqlite_log.environ["WARAQ_DATA"]) / "issuer.seed"
    seed.touch(mode=0o600)
    seed.write_bytes(b"SA-no-seed-at-all-but-long-enough-to-be-a-key")
    assert about(sqlite_log, "issuer seed")[0][0] == "bad"


def test_a_setting_that_nobody_reads_is_named_with_the_one_that_is_meant(
    sqlite_log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    for ours in [name for name in os.environ if name.startswith("WARAQ_")]:
        monkeypatch.delenv(ours)  # the gate's own words to its tests
    assert about(sqlite_log, "settings") == [("ok", "no name that nobody reads")]
    assert about(sqlite_log, "settings", WARAQ_STREAM_REPLICA="3") == [
        ("warning", "WARAQ_STREAM_REPLICA is no setting: is WARAQ_STREAM_REPLICAS meant?")
    ]


def test_every_setting_of_the_code_and_of_the_page_is_known() -> None:
    pattern = re.compile(r"WARAQ_[A-Z]+(?:_[A-Z]+)*")
    assert set(pattern.findall(settings_on_the_page())) - NAMES == set()
    code = [path.read_text() for path in (CHECKOUT / "services").rglob("*.py")]
    read = {name for text in code for name in pattern.findall(text)}
    beginnings = {"WARAQ_TICKET", "WARAQ_WARDEN", "WARAQ_ISSUER", "WARAQ_SESSION", "WARAQ_SITE"}
    others = {"WARAQ_NATS", "WARAQ_COMPLETE", "WARAQ_GUESTS"}
    assert read - NAMES - beginnings - others == set()


def settings_on_the_page() -> str:
    return (CHECKOUT / "docs" / "architecture.md").read_text().partition("## Settings")[2]


def named_in(row: str) -> set[str]:
    """The settings of a row: `WARAQ_X_URL` or `…_URL_FILE` are two."""
    cell = row.split("|")[1]
    names = set(re.findall(r"`(WARAQ_[A-Z_]+)`", cell))
    ends = re.findall(r"`…(_[A-Z_]+)_FILE`", cell)
    return names | {f"{name}_FILE" for name in names for end in ends if name.endswith(end)}


def test_the_page_has_a_row_for_every_setting() -> None:
    rows = [line for line in settings_on_the_page().splitlines() if line.startswith("| `WARAQ_")]
    assert {name for row in rows for name in named_in(row)} == NAMES


def test_a_disk_that_fills(sqlite_log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = namedtuple("usage", "total used free")  # noqa: PYI024 as `shutil` has it
    gib = 1 << 30
    for free, level in ((50 * gib, "ok"), (5 * gib, "warning"), (gib // 8, "bad")):
        monkeypatch.setattr(
            shutil, "disk_usage", lambda _, free=free: usage(100 * gib, 100 * gib - free, free)
        )
        assert about(sqlite_log, "disk")[0][0] == level


# The broker -------------------------------------------------------------------------------------


def at(broker: Broker, **more: str) -> dict[str, str]:
    return {"WARAQ_NATS_URL": broker.url, "WARAQ_NATS_PASSWORD": password("cli"), **more}


async def looked(log: Log, environ: Mapping[str, str]) -> tuple[int, list[Finding]]:
    return await asyncio.to_thread(found, log, **environ)


async def test_streams_that_are_missing_other_or_nobodys(sqlite_log: Log, tmp_path: Path) -> None:
    with running_broker(tmp_path / "broker") as broker:
        code, findings = await looked(sqlite_log, at(broker))
        assert code == 4
        for name in ("COMMANDS", "EVENTS", "TURNS"):
            assert of(findings, f"stream {name}")[0][0] == "bad"
        table = await bus_as(broker, "table")
        await table.ensure(streams.all_streams(1))
        _, findings = await looked(sqlite_log, at(broker))
        assert of(findings, "bot workers") == [("bad", "no bot worker listens")]
        assert of(findings, "scoring workers") == [("bad", "no scoring worker listens")]
        assert [one.level for one in findings if one.check.startswith("stream")] == ["ok"] * 3
        bot, scoring = await bus_as(broker, "bot"), await bus_as(broker, "scoring")
        await bot.consume(streams.bots(), lambda _: None)
        await scoring.consume(streams.ended_rounds(), lambda _: None)
        _, findings = await looked(sqlite_log, at(broker))
        assert of(findings, "bot workers")[0][0] == "ok"
        assert of(findings, "scoring workers")[0][0] == "ok"
        await table.ensure(streams.all_streams(16))
        _, findings = await looked(sqlite_log, at(broker, WARAQ_STREAM_REPLICAS="3"))
        said = of(findings, "stream COMMANDS")
        assert ("warning", "is stored on 1 nodes, not 3") in said
        assert any("subject_transform" in what for _, what in said)
        away = "postgresql://me:secret@127.0.0.1:9/x"
        _, findings = await looked(sqlite_log, at(broker, WARAQ_LOG_URL=away))
        said = of(findings, "stream COMMANDS")
        assert not any("subject_transform" in what for _, what in said), "by what is not known"
        for bus in (table, bot, scoring):
            await bus.close()


async def test_workers_say_what_they_miss_and_that_no_event_of_theirs_is_confirmed(
    sqlite_log: Log, tmp_path: Path
) -> None:
    stands = [Standing(ready=True, numbers={"events_stalled_seconds": 0})]

    service = of_process("table", description="", serves="cmdin.>", standing=lambda: stands[-1])
    with running_broker(tmp_path / "broker") as broker:
        table = await bus_as(broker, "table")
        await table.ensure(streams.all_streams(1))
        await table.attend(service)
        _, findings = await looked(sqlite_log, at(broker))
        assert of(findings, f"table worker {service.at}") == [("ok", "ready, 0 done")]
        assert [level for level, _ in of(findings, "events")] == ["ok"]
        stands.append(
            Standing(ready=False, missing=("loop",), numbers={"events_stalled_seconds": 40})
        )
        code, findings = await looked(sqlite_log, at(broker))
        assert of(findings, f"table worker {service.at}") == [("bad", "misses loop")]
        assert [level for level, _ in of(findings, "events")] == ["bad"]
        assert code == 4
        await table.close()


async def test_a_stream_that_fills_and_readers_that_are_late(
    sqlite_log: Log, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """TURNS by its bytes: of messages it would take thousands more."""
    monkeypatch.setattr(streams, "WAITING_COMMANDS", 10)
    monkeypatch.setattr(streams, "TURNS_BYTES", 5_000)
    monkeypatch.setattr(of_broker, "BACKLOG", (2, 3))
    with running_broker(tmp_path / "broker") as broker:
        table, cli = await bus_as(broker, "table"), await bus_as(broker, "cli")
        await table.ensure(streams.all_streams(1))
        commands = [f"cmdin.m_{number}.u_commandline" for number in range(6)]
        await cli.publish([Message(subject=one, data=b"x") for one in commands])
        turns = [Message(subject=f"turn.m_{number}.0", data=b"x" * 1_100) for number in range(4)]
        await table.publish_confirmed(turns, within=5)
        await cli.close()
        _, findings = await looked(sqlite_log, at(broker))
        assert of(findings, "stream COMMANDS") == [
            ("warning", "6 messages, 0 MiB, 60% full, 1 copies")
        ]
        ((level, what),) = of(findings, "stream TURNS")
        assert (level, what.startswith("4 messages, 0 MiB, 9")) == ("bad", True), what
        await table.close()


def test_beside_an_outside_broker_the_folders_own_service_is_not_asked(sqlite_log: Log) -> None:
    """`waraq up` may have run in it once; what is not asked is said."""
    data = Path(sqlite_log.environ["WARAQ_DATA"])
    stale = Access(passwords={}, port=9, web_port=9, players_port=9)
    (data / "access.json").write_bytes(msgspec.json.encode(stale))
    put_key(sqlite_log, b"short")
    assert about(sqlite_log, "web")[0][0] == "bad"
    outside = {"WARAQ_NATS_URL": "nats://127.0.0.1:9"}
    _, findings = found(sqlite_log, **outside)
    assert of(findings, "web") == [("note", "not asked, set WARAQ_WEB_URL")]
    assert of(findings, "log-ins") == [("note", "not asked, set WARAQ_PLAYERS_URL")]
    assert of(findings, "shuffle key")[0][0] == "note"
    named = about(sqlite_log, "web", **outside, WARAQ_WEB_URL="https://127.0.0.1:9/")
    assert named == [("bad", "nobody serves https://127.0.0.1:9")]
    (one,) = about(sqlite_log, "web", **outside, WARAQ_WEB_URL="file:///etc")
    assert one[0] == "bad"
    assert "it is http://" in one[1]


async def test_a_log_in_that_is_refused_and_a_door_that_nobody_answers(
    sqlite_log: Log, tmp_path: Path
) -> None:
    issuer = account_key(seed_text(b"i" * 32)).public
    door = Door(issuer=issuer, origins=("http://here",))
    with running_broker(tmp_path / "broker", door=door) as broker:
        code, findings = await looked(sqlite_log, at(broker, WARAQ_NATS_PASSWORD="wrong"))
        assert (code, of(findings, "broker")[0][0]) == (5, "unreachable")
        assert "wrong" not in str(findings)
        players = {"WARAQ_PLAYERS_URL": broker.web_url}
        _, findings = await looked(sqlite_log, at(broker, **players))
        assert of(findings, "log-ins") == [
            ("bad", "no auth worker answers: nobody comes in, who is in plays on")
        ]


async def test_a_broker_without_jetstream_is_told_apart(
    sqlite_log: Log, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from services.messaging import server  # noqa: PLC0415 its settings are changed here only

    settings = server._settings

    def without(config: BrokerConfig, directory: Path) -> dict[str, Any]:
        said = settings(config, directory)
        del said["jetstream"]
        del said["accounts"]["WARAQ"]["jetstream"]
        return said

    monkeypatch.setattr(server, "_settings", without)
    with running_broker(tmp_path / "broker") as broker:
        code, findings = await looked(sqlite_log, at(broker))
        assert (code, of(findings, "broker")) == (
            5,
            [("unreachable", "no JetStream answers")],
        )


def test_what_others_say_moves_no_terminal() -> None:
    one = Finding(check="broker", level="bad", what="\x1b[2Jaway\nfor a while", next="look")
    assert _prose(one) == "bad         broker: \\x1b[2Jaway\nfor a while\n            next: look"


def of_folder_of(data: Path) -> tuple[str, str, str | None]:
    (one,) = of_folder.look(Place(data, {}))
    return one.level, one.what, one.next


def test_what_others_can_open_in_the_data_folder_is_bad(tmp_path: Path) -> None:
    data = tmp_path / "the data"
    assert list(of_folder.look(Place(data, {}))) == []
    (data / "broker").mkdir(parents=True)
    (data / "profiles.db").touch()
    (data / "broker" / "x.log").touch()
    for path, mode in (("profiles.db", 0o644), ("broker/x.log", 0o644), ("broker", 0o700)):
        (data / path).chmod(mode)
    data.chmod(0o700)
    assert of_folder_of(data)[0] == "ok"
    data.chmod(0o755)
    level, what, to_do = of_folder_of(data)
    assert (level, what.endswith(": profiles.db")) == ("bad", True), "broker is closed, and so its"
    assert to_do == f"chmod -R go= '{data}'"
    assert os.system(str(to_do)) == 0
    assert of_folder_of(data)[0] == "ok"
    data.chmod(0o755)
    assert of_folder_of(data)[0] == "note"
    for number in range(7):
        (data / f"{number}.db").touch(mode=0o640)
    assert ": 0.db, 1.db, 2.db, 3.db, 4.db, …" in of_folder_of(data)[1]


@pytest.mark.parametrize("words", [("prepare",), ("rebuild",)])
def test_standings_that_a_command_makes_are_for_their_owner_only(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    data = tmp_path / "data"
    data.mkdir(mode=0o755)
    log = Log(file_url(data / "log.db"), {"WARAQ_DATA": str(data)})
    assert log.waraq("db", "upgrade").exit_code == 0
    assert log.waraq("standings", *words).exit_code == 0
    assert (data / "standings.db").stat().st_mode & 0o077 == 0
