"""Dead letters at the command line: listed, and said again byte for byte."""

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from schemas.commands import (
    Action,
    Command,
    HokmOptions,
    OpenMatch,
    PlayCard,
    StartMatch,
    encode_command,
)
from services.cli.client import new_match_id
from services.event_log.port import Batch, DeadLetter
from services.event_log.sql import file_url, open_log, open_reader
from services.event_log.upgrade import upgrade
from tests.service.up_process import Up, running, waraq
from tests.streams import played
from tests.table.hall import ALL_HOUSE, ANNE, MATCH
from tests.waiting import until

pytestmark = pytest.mark.slow
CARD = "AS"


def letter(action: Action, *, match: str = MATCH, number: int = 0) -> DeadLetter:
    body = encode_command(Command(id=f"{number:016d}", move=7, action=action)).decode()
    subject = f"cmd.0.{match}.{ANNE}"
    return DeadLetter(subject=subject, body=body, error="planted", time=1_796_000_000_000)


def planted(data: Path, *dead: DeadLetter, rows: Sequence[Any] = ()) -> str:
    """A log with these letters in it, and with a match that is open."""
    data.mkdir()
    url = file_url(data / "log.db")
    upgrade(url)
    with closing(open_log(url)) as log:
        entries = tuple(row.entry for row in rows)
        opened = (entries[0].stream,) if entries else ()
        log.append(log.claim(0, "planter"), Batch(dead=dead, entries=entries, opened=opened))
    return url


async def test_a_letter_is_said_again_on_its_authors_subject(tmp_path: Path) -> None:
    opening = letter(OpenMatch(options=HokmOptions(), seats=ALL_HOUSE), number=1)
    url = planted(tmp_path / "data", opening)
    with running(tmp_path / "data") as up, closing(open_reader(url)) as reader:
        (listed,) = up.waraq("dead-letters", "list", "--body", "--json").lines
        assert (listed["id"], listed["subject"]) == (1, opening.subject)
        assert (listed["body"], listed["state"]) == (opening.body, "waits")
        said = up.waraq("dead-letters", "retry", "1", "--json")
        assert said.code == 0, said.err
        await until(lambda: reader.load(MATCH), "the match to be opened")
        assert reader.load(MATCH)[0].entry.command == f"{1:016d}"
        assert f'"owner":"{ANNE}"' in reader.load(MATCH)[0].entry.line
        # Said again and again it is accepted once, and needs nobody any more.
        rows = reader.load(MATCH)
        for _ in range(3):
            assert up.waraq("dead-letters", "retry", "1").code == 0
        after = letter_that_shows_the_queue_is_empty(up)
        await until(lambda: reader.load(after), "what was said after it to be decided")
        assert reader.load(MATCH) == rows
        (listed,) = up.waraq("dead-letters", "list", "--json").lines
        assert listed["state"] == "accepted"
        assert up.waraq("dead-letters", "list", "--waiting", "--json").lines == []


def letter_that_shows_the_queue_is_empty(up: Up) -> str:
    """Commands are decided in their order: once this match is there, what was before is done."""
    done = up.waraq("play", "--game", "hokm", "--bots", "white", "--json")
    match: str = done.lines[0]["match"]
    return match


def test_what_it_says_is_not_shown_unless_one_asks(tmp_path: Path) -> None:
    rows = played(1).rows[:40]
    of_open, of_nobody = rows[0].entry.stream, new_match_id()
    dead = (
        letter(PlayCard(card=CARD), match=of_open, number=1),
        letter(StartMatch(), match=of_nobody, number=2),
        DeadLetter(subject="cmd.x", body="{", error="KeyError at a.py:1", time=5),
        DeadLetter(subject="cmd.\x1b[2J", body="\x1b[2J", error="E\x1b[2J", time=6),
    )
    data = tmp_path / "data"
    planted(data, *dead, rows=rows)
    lines = waraq(data, "dead-letters", "list", "--json").lines
    assert [(one["action"], one["state"]) for one in lines] == [
        ("play_card", "waits"),
        ("start_match", "over"),
        ("?", "over"),
        ("?", "over"),
    ]
    for words in (("list",), ("list", "--json"), ("show", "1"), ("show", "1", "--json")):
        said = waraq(data, "dead-letters", *words)
        assert said.code == 0
        assert CARD not in said.out + said.err, words
    shown = waraq(data, "dead-letters", "show", "1", "--body", "--json").lines[0]
    assert shown["body"] == dead[0].body
    assert waraq(data, "dead-letters", "show", "5").code == 3
    evil = waraq(data, "dead-letters", "show", "4", "--body").err
    assert evil.count("\\x1b[2J") == 3
    assert all(one.isprintable() for one in evil.replace("\n", ""))
    assert waraq(data, "dead-letters", "retry", "3").code in {1, 5}
    assert waraq(data, "dead-letters", "show", "x").code == 2
