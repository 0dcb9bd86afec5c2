"""`waraq heads`: the public key, and signed files checked without a log."""

import json
from pathlib import Path

import pytest

from services.replay.signed_heads import key_from
from services.replay.text.match_text import write
from tests.cli.logs import Log, stopped, told, with_key
from tests.replay.files import HEAD_KEY, as_bytes, over, running

OVER = as_bytes(over(0), "judge", HEAD_KEY)
LIVE = as_bytes(running(3), "public", HEAD_KEY)


@pytest.fixture
def place(tmp_path: Path) -> Log:
    """A place with a head key and without a log."""
    return Log("", with_key(tmp_path) | {"WARAQ_DATA": str(tmp_path)})


def test_the_public_key_is_told(place: Log) -> None:
    assert told(place.waraq("heads", "key", "--json")) == [{"key": HEAD_KEY.public}]


def test_a_place_without_a_key_says_where_one_comes_from(tmp_path: Path) -> None:
    code, said = stopped(Log("", {"WARAQ_DATA": str(tmp_path)}).waraq("heads", "key"))
    assert (code, "`waraq up` makes" in said) == (3, True)


def test_signed_files_are_good_also_of_a_running_match(place: Log) -> None:
    found = told(place.waraq("heads", "check", "-", "--json", said=OVER + LIVE))
    assert [line["verdict"] for line in found] == ["good", "good"]
    assert list(found[0]) == ["match", "version", "head", "key", "verdict"]


@pytest.mark.parametrize(
    ("data", "verdict"),
    [
        (as_bytes(over(0), "judge"), "unsigned"),
        (as_bytes(over(0), "judge", key_from(b"o" * 32)), "other_key"),
        (OVER.replace(HEAD_KEY.public.encode(), b"0" * 64), "forged"),
        (OVER.replace(b'"seat":1', b'"seat":2', 1), "broken_chain"),
    ],
)
def test_what_is_not_signed_by_the_key_is_told(place: Log, data: bytes, verdict: str) -> None:
    done = place.waraq("heads", "check", "-", "--key", HEAD_KEY.public, "--json", said=data)
    assert stopped(done)[0] == 4
    assert f'"verdict":"{verdict}"' in done.stdout


def test_a_text_is_unsigned_and_an_untrue_one_has_no_head(place: Log) -> None:
    true = write([row.entry for row in over(0)])
    untrue = true.replace('[Result "', '[Result "9')
    done = place.waraq("heads", "check", "-", "--json", said=(true + untrue).encode())
    assert stopped(done) == (4, "Error: 2 not signed as they should be")
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["verdict"] for line in found] == ["unsigned", "untrue"]
    assert (found[0]["head"], found[1]["head"]) == (over(0)[-1].entry.head, None)


def test_bad_input_is_told(place: Log) -> None:
    assert stopped(place.waraq("heads", "check", "none")) == (3, "Error: there is no file 'none'")
    assert stopped(place.waraq("heads", "check", "-", said=b"x\n"))[0] == 2
    assert stopped(place.waraq("heads", "check", "-", "--key", "abc", said=OVER))[0] == 2
