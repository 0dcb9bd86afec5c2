"""Dead letters at the command line: listed, and said again byte for byte."""

from pathlib import Path

import pytest

from schemas.commands import Command, HokmOptions, OpenMatch, encode_command
from services.event_log.port import Batch, DeadLetter
from services.event_log.sql import file_url, open_log, open_reader
from services.event_log.upgrade import upgrade
from tests.service.up_process import running
from tests.table.hall import ALL_HOUSE, ANNE, MATCH
from tests.waiting import until

pytestmark = pytest.mark.slow


async def test_a_letter_is_said_again_on_its_authors_subject(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    url = file_url(data / "log.db")
    upgrade(url)
    opening = Command(id="d" * 16, action=OpenMatch(options=HokmOptions(), seats=ALL_HOUSE))
    body = encode_command(opening).decode()
    subject = f"cmd.0.{MATCH}.{ANNE}"
    letter = DeadLetter(subject=subject, body=body, error="planted", time=1_796_000_000_000)
    log = open_log(url)
    log.append(log.claim(0, "planter"), Batch(dead=(letter,)))
    log.close()
    with running(data) as up:
        (listed,) = up.waraq("dead-letters", "list", "--json").lines
        assert (listed["id"], listed["subject"], listed["body"]) == (1, subject, body)
        said = up.waraq("dead-letters", "retry", "1", "--json")
        assert said.code == 0, said.err
        reader = open_reader(url)
        await until(lambda: reader.load(MATCH), "the match to be opened")
        assert reader.load(MATCH)[0].entry.command == "d" * 16
        assert f'"owner":"{ANNE}"' in reader.load(MATCH)[0].entry.line
        reader.close()
