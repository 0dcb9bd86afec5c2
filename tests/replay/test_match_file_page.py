"""docs/match-file.md: its example is real, its key is the one it names, its numbers are ours."""

import re
from pathlib import Path

from schemas.events import decode_event
from services.replay import match_file as limits
from services.replay.signed_heads import check, key_from
from tests.replay.files import HEAD_KEY, as_bytes, pairs, read_one
from tests.streams import played

PAGE = (Path(__file__).parents[2] / "docs" / "match-file.md").read_text()
MATCH = played(11).rows


def example() -> list[str]:
    found = re.search(r"```json\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    return found[1].splitlines()


def test_the_example_is_of_a_real_match() -> None:
    files = [as_bytes(MATCH, viewer, HEAD_KEY).decode() for viewer in ("seat:2", "judge")]
    seats, judges = (data.splitlines() for data in files)
    assert example() == [seats[0], seats[3], seats[8], seats[9], judges[3], judges[8]]
    versions = [decode_event(dict(pairs(line.encode()))["event"]).version for line in example()[1:]]
    assert versions == [3, 8, 9, 3, 8]


def test_the_examples_key_is_the_one_that_the_page_names() -> None:
    assert key_from(bytes.fromhex("68" * 32)) == HEAD_KEY
    file = read_one(as_bytes(MATCH, "seat:2", HEAD_KEY))
    assert file.header.signed is not None
    assert check(file.header.signed, file.last_head, key=HEAD_KEY.public) == "good"


def test_every_key_and_limit_of_the_format_is_on_the_page() -> None:
    for key in (*limits.HEADER_KEYS, *limits.JUDGE_KEYS, *limits.SEAT_KEYS):
        assert f"`{key}`" in PAGE
    assert limits.LINE_BYTES == 64 * 2**10
    assert limits.MATCH_BYTES == 64 * 2**20
    assert limits.FILE_BYTES == 2**40
    assert "A line 64 KiB, a match 64 MiB and 50,000 events, a file 1 TiB." in PAGE
    assert limits.EVENTS_LIMIT == 50_000
