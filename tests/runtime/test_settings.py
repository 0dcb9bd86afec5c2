"""Settings: from the environment, secrets also from files, and clear words when one is missing."""

from pathlib import Path

import pytest

from services.runtime import settings
from services.runtime.settings import SettingMissing

BROKER = {"WARAQ_NATS_URL": "nats://127.0.0.1:4222"}
TABLE = BROKER | {"WARAQ_LOG_URL": "sqlite:///x.db", "WARAQ_SHUFFLE_KEY_FILE": "key"}


def test_a_bots_settings_hold_no_database() -> None:
    found = settings.bot_settings(TABLE | {"WARAQ_NATS_PASSWORD": "p"})
    assert found.__struct_fields__ == ("login", "ready")
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
    assert settings.table_settings(TABLE).ticket_keys == ()
    found = settings.table_settings(TABLE | {"WARAQ_TICKET_KEY_FILE": "new, old"})
    assert found.ticket_keys == (Path("new"), Path("old"))
    with pytest.raises(SettingMissing, match="at most 2"):
        settings.table_settings(TABLE | {"WARAQ_TICKET_KEY_FILE": "a,b,c"})
