"""A row that is no text any more: its error does not quote it, and it stops no other stream."""

import sqlite3
from pathlib import Path

import pytest

from services.event_log.port import LogError, LogUnreachable
from services.event_log.sql import file_url, open_log, open_reader
from services.event_log.upgrade import upgrade
from services.table.recall import load_matches
from tests.streams import KEY, match_id, played, store


def test_an_unreadable_pack_is_not_quoted_and_its_match_alone_is_broken(tmp_path: Path) -> None:
    url = file_url(tmp_path / "log.db")
    upgrade(url)
    log = open_log(url)
    store(log, [played(1, moves=9), played(2, moves=9)])
    log.close()
    with sqlite3.connect(tmp_path / "log.db") as connection:
        connection.execute("drop trigger events_no_update")
        connection.execute(
            "update events set secret = cast(secret || x'ff' as text)"
            " where stream = ? and type = 'cards_shuffled'",
            (match_id(1),),
        )
    connection.close()
    reader = open_reader(url)
    with pytest.raises(LogError) as raised:
        reader.load(match_id(1))
    assert not isinstance(raised.value, LogUnreachable)
    assert "order" not in str(raised.value)
    loaded = load_matches(reader, [match_id(1), match_id(2)], KEY.id)
    assert loaded.broken == (match_id(1),)
    assert [live.match for live in loaded.matches] == [match_id(2)]
    reader.close()
