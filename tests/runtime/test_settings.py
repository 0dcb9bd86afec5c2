"""Settings: from the environment, secrets also from files, and clear words when one is missing."""

from pathlib import Path

import pytest

from services.runtime import settings
from services.runtime.settings import SettingMissing
from services.runtime.signing_keys import KeyFiles

BROKER = {"WARAQ_NATS_URL": "nats://127.0.0.1:4222"}
TABLE = BROKER | {"WARAQ_LOG_URL": "sqlite:///x.db", "WARAQ_SHUFFLE_KEY_FILE": "key"}


def test_a_bots_settings_hold_no_database() -> None:
    found = settings.bot_settings(TABLE | {"WARAQ_NATS_PASSWORD": "p"})
    assert found.__struct_fields__ == ("login", "processes", "ready", "ops")
    assert (found.login.user, found.login.password) == ("bot", "p")


@pytest.mark.parametrize("name", TABLE)
def test_a_missing_setting_is_named(name: str) -> None:
    rest = {key: value for key, value in TABLE.items() if key != name}
    with pytest.raises(SettingMissing, match=name):
        settings.table_settings(rest)


def test_a_password_may_come_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "password"
    file.write_text("secret\n")
    found = settings.table_settings(TABLE | {"WARAQ_NATS_PASSWORD_FILE": str(file)})
    assert found.login.password == "secret"
    with pytest.raises(SettingMissing, match="WARAQ_NATS_PASSWORD_FILE"):
        settings.table_settings(TABLE | {"WARAQ_NATS_PASSWORD_FILE": str(tmp_path / "none")})


@pytest.mark.parametrize("name", ["WARAQ_NATS_PASSWORD", "WARAQ_LOG_URL", "WARAQ_WARDEN_PASSWORD"])
def test_a_setting_that_is_said_twice_is_refused(tmp_path: Path, name: str) -> None:
    file = tmp_path / "said"
    file.write_text("sqlite:///y.db")
    twice = TABLE | {name: "sqlite:///x.db", f"{name}_FILE": str(file)}
    with pytest.raises(SettingMissing, match=f"{name} and {name}_FILE are both set"):
        settings.table_settings(twice)
    assert settings.table_settings(twice | {f"{name}_FILE": ""}).log_url == "sqlite:///x.db"


def test_a_url_out_of_a_file_may_be_handed_on(tmp_path: Path) -> None:
    file = tmp_path / "url"
    file.write_text("sqlite:///y.db")
    told = settings.with_urls({"WARAQ_LOG_URL_FILE": str(file), "WARAQ_PACE": "0"})
    assert told == {"WARAQ_LOG_URL": "sqlite:///y.db", "WARAQ_PACE": "0"}
    assert settings.with_urls(told) == told


@pytest.mark.parametrize("replicas", [1, 3, 5])
def test_streams_are_stored_as_often_as_is_set(replicas: int) -> None:
    found = settings.table_settings(TABLE | {"WARAQ_STREAM_REPLICAS": str(replicas)})
    assert found.replicas == replicas
    assert settings.table_settings(TABLE).replicas == 1


@pytest.mark.parametrize("wrong", ["0", "2", "three", "", "-1", "9"])
def test_no_other_number_of_replicas_is_taken(wrong: str) -> None:
    with pytest.raises(SettingMissing, match="WARAQ_STREAM_REPLICAS"):
        settings.table_settings(TABLE | {"WARAQ_STREAM_REPLICAS": wrong})


def test_a_table_asks_for_tickets_where_their_key_is_named() -> None:
    assert settings.table_settings(TABLE).ticket_keys is None
    found = settings.table_settings(TABLE | {"WARAQ_TICKET_KEY_FILE": "new"})
    assert found.ticket_keys == KeyFiles(Path("new"))


DOOR = BROKER | {"WARAQ_SESSION_KEY_FILE": "session.key", "WARAQ_ISSUER_SEED_FILE": "seed"}
WEB = {
    "WARAQ_SESSION_KEY_FILE": "session.key",
    "WARAQ_PROFILES_URL": "sqlite:///profiles.db",
    "WARAQ_STANDINGS_URL": "sqlite:///standings.db",
    "WARAQ_PLAYERS_URL": "wss://play.cards.example",
}


@pytest.mark.parametrize("name", DOOR)
def test_a_setting_that_the_auth_worker_lacks_is_named(name: str) -> None:
    rest = {key: value for key, value in DOOR.items() if key != name}
    with pytest.raises(SettingMissing, match=name):
        settings.auth_settings(rest)


@pytest.mark.parametrize("name", WEB)
def test_a_setting_that_the_web_worker_lacks_is_named(name: str) -> None:
    rest = {key: value for key, value in WEB.items() if key != name}
    with pytest.raises(SettingMissing, match=name):
        settings.web_settings(rest)


def test_a_key_has_another_beside_it_while_keys_are_changed() -> None:
    assert settings.auth_settings(DOOR).session_keys == KeyFiles(Path("session.key"))
    both = DOOR | {"WARAQ_SESSION_OLD_KEY_FILE": "old.key"}
    found = settings.auth_settings(both).session_keys
    assert found == KeyFiles(Path("session.key"), Path("old.key"))


def test_the_web_workers_settings_hold_no_user_of_the_broker() -> None:
    found = settings.web_settings(WEB | TABLE)
    assert "login" not in found.__struct_fields__
    assert found.site_keys is None


def test_the_web_worker_signs_tickets_with_the_keys_that_the_table_checks() -> None:
    assert settings.web_settings(WEB).ticket_keys is None
    named = {"WARAQ_TICKET_KEY_FILE": "new", "WARAQ_TICKET_OLD_KEY_FILE": "old"}
    assert settings.web_settings(WEB | named).ticket_keys == KeyFiles(Path("new"), Path("old"))
    assert settings.table_settings(TABLE | named).ticket_keys == KeyFiles(Path("new"), Path("old"))


def test_how_many_matches_a_day_are_free_is_scorings_own_number_where_nothing_is_said() -> None:
    assert settings.web_settings(WEB).daily is None
    for said, daily in (("0", 0), ("7", 7), ("999", 999)):
        assert settings.web_settings(WEB | {"WARAQ_DAILY_MATCHES": said}).daily == daily
    for wrong in ("1000", "-1", "five", "5.0", " 5"):
        with pytest.raises(SettingMissing, match="WARAQ_DAILY_MATCHES"):
            settings.web_settings(WEB | {"WARAQ_DAILY_MATCHES": wrong})


@pytest.mark.parametrize(
    ("said", "host", "port"),
    [("0.0.0.0:80", "0.0.0.0", 80), ("[::1]:8080", "::1", 8080), ("localhost:1", "localhost", 1)],
)
def test_where_the_web_worker_listens(said: str, host: str, port: int) -> None:
    found = settings.web_settings(WEB | {"WARAQ_WEB_LISTEN": said}).listen
    assert (found.host, found.port) == (host, port)


@pytest.mark.parametrize("wrong", ["", "8080", ":8080", "x:", "x:0", "x:65536", "x:-1", "x:y"])
def test_no_other_place_to_listen_is_taken(wrong: str) -> None:
    with pytest.raises(SettingMissing, match="WARAQ_WEB_LISTEN"):
        settings.web_settings(WEB | {"WARAQ_WEB_LISTEN": wrong})


def test_origins_are_as_browsers_say_them() -> None:
    named = WEB | {"WARAQ_WEB_ORIGINS": "https://a.example, http://b.example:8080,"}
    found = settings.web_settings(named).origins
    assert found == ("https://a.example", "http://b.example:8080")
    for wrong in ("a.example", "https://a.example/", "*", "https://A.example", "null"):
        with pytest.raises(SettingMissing, match="WARAQ_WEB_ORIGINS"):
            settings.web_settings(WEB | {"WARAQ_WEB_ORIGINS": wrong})


def test_the_pace_is_seconds_and_the_tables_own_where_nothing_is_said() -> None:
    assert settings.table_settings(TABLE).pace is None
    assert settings.table_settings(TABLE | {"WARAQ_PACE": "0.05"}).pace == 0.05
    assert settings.table_settings(TABLE | {"WARAQ_PACE": "0"}).pace == 0
    for bad in ("fast", "-1", "1e3", "100", "0.8s"):
        with pytest.raises(SettingMissing, match="WARAQ_PACE"):
            settings.table_settings(TABLE | {"WARAQ_PACE": bad})


def test_a_bot_searches_in_as_many_processes_as_is_set_within_bounds() -> None:
    assert settings.bot_settings(BROKER).processes is None
    for number in (1, 9, 10, settings.MOST_PROCESSES):
        found = settings.bot_settings(BROKER | {"WARAQ_BOT_PROCESSES": str(number)})
        assert found.processes == number
    for bad in ("0", "-1", "65", "100", "2.5", "two"):
        with pytest.raises(SettingMissing, match="WARAQ_BOT_PROCESSES"):
            settings.bot_settings(BROKER | {"WARAQ_BOT_PROCESSES": bad})


def test_a_databases_url_may_come_from_a_file_for_it_has_a_password_in_it(tmp_path: Path) -> None:
    file = tmp_path / "log.url"
    file.write_text("postgresql://waraq_table:secret@db/waraq\n")
    said = {name: value for name, value in TABLE.items() if name != "WARAQ_LOG_URL"}
    found = settings.table_settings(said | {"WARAQ_LOG_URL_FILE": str(file)})
    assert found.log_url == "postgresql://waraq_table:secret@db/waraq"
    assert settings.with_urls({"WARAQ_LOG_URL_FILE": str(file)})["WARAQ_LOG_URL"] == found.log_url
    with pytest.raises(SettingMissing, match="WARAQ_LOG_URL_FILE cannot be read"):
        settings.with_urls({"WARAQ_LOG_URL_FILE": str(tmp_path / "none")})
