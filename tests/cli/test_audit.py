"""`waraq audit`: a log's match, a file without a log, a text; against a head or a file kept."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from services.replay.text.match_text import write as write_text
from tests.cli.logs import Log, stopped, told
from tests.golden_logs import POLICY
from tests.replay.files import HEAD_KEY, SEEDS, as_bytes, broken_off, over, running

MATCHES = [over(seed) for seed in SEEDS]
ROWS = MATCHES[0]
ID, EVENTS = ROWS[0].entry.stream, len(ROWS)
LAST = ROWS[-1].entry.head
CLEAN = {"match": ID, "events": EVENTS, "ok": True, "first_bad": None}
JUDGE = as_bytes(ROWS, "judge", HEAD_KEY)


@pytest.fixture
def kept(tmp_path: Path) -> Callable[[bytes], str]:
    """Keeps bytes in a file; its name."""

    def keep(data: bytes) -> str:
        path = tmp_path / "kept"
        path.write_bytes(data)
        return str(path)

    return keep


@pytest.fixture
def nowhere(tmp_path: Path) -> Log:
    """A place without any log."""
    return Log("", {"WARAQ_DATA": str(tmp_path / "nothing")})


def found(log: Log, *words: str, said: bytes | None = None) -> list[dict[str, object]]:
    """What the audit says of matches of which one at least is bad."""
    done = log.waraq("audit", *words, "--json", said=said)
    assert stopped(done)[0] == 4, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


# Without a log --------------------------------------------------------------------------------


@pytest.mark.parametrize("viewer", ["judge", "public", "seat:0"])
def test_a_file_is_audited_in_an_empty_folder(
    nowhere: Log, kept: Callable[[bytes], str], viewer: str
) -> None:
    for rows in (*MATCHES, broken_off(3)):
        (line,) = told(nowhere.waraq("audit", kept(as_bytes(rows, viewer, HEAD_KEY)), "--json"))
        assert line["match"] == rows[0].entry.stream
        assert line["ok"]
    assert not (Path(nowhere.environ["WARAQ_DATA"])).exists()


def test_a_text_is_audited_as_a_file_is(nowhere: Log, kept: Callable[[bytes], str]) -> None:
    matches = [over(seed, POLICY) for seed in SEEDS]
    text = "".join(write_text([row.entry for row in rows]) for rows in matches)
    lines = told(nowhere.waraq("audit", kept(text.encode()), "--json", "--bots"))
    assert [line["match"] for line in lines] == [rows[0].entry.stream for rows in matches]
    assert all(line["bots"]["verdict"] == "checked" for line in lines)
    again = sum(line["bots"]["decisions"] for line in lines)
    assert again > 0
    done = nowhere.waraq("audit", kept(text.encode()), "--bots")
    assert f"{again} decisions of bots made again, 0 bad" in done.stderr
    assert "of bots" not in nowhere.waraq("audit", kept(text.encode())).stderr


def test_stdin_may_hold_several_matches(nowhere: Log) -> None:
    data = b"".join(as_bytes(rows, "judge") for rows in MATCHES)
    lines = told(nowhere.waraq("audit", "-", "--json", said=data))
    assert [line["events"] for line in lines] == [len(rows) for rows in MATCHES]


def test_a_running_match_is_checked_as_far_as_its_viewer_sees(
    nowhere: Log, kept: Callable[[bytes], str]
) -> None:
    (line,) = told(nowhere.waraq("audit", kept(as_bytes(running(3), "public")), "--json"))
    assert line["ok"]
    assert line["unproven"] > 1
    done = nowhere.waraq("audit", kept(as_bytes(running(3), "public")))
    assert f"from version {line['unproven']} on its cards are not known" in done.stderr


def test_a_changed_card_in_a_file_is_named_at_its_version(nowhere: Log) -> None:
    at = next(i for i, row in enumerate(ROWS) if row.entry.type == "card_played")
    lines = JUDGE.splitlines(keepends=True)
    card = ROWS[at].entry.line[-5:-3].encode()
    other = b"2S" if card != b"2S" else b"3S"
    lines[at + 1] = lines[at + 1].replace(b'"card":"' + card, b'"card":"' + other)
    (line,) = found(nowhere, "-", said=b"".join(lines))
    reason = "the line does not chain to its head"
    assert line["first_bad"] == {"version": at + 1, "reason": reason}


# Against what was kept ------------------------------------------------------------------------


def test_a_head_that_a_client_saw_is_in_the_log(log: Log, kept: Callable[[bytes], str]) -> None:
    log.store(ROWS)
    for head in (LAST, ROWS[9].entry.head, kept(as_bytes(ROWS[:40], "public"))):
        assert told(log.waraq("audit", ID, "--head", head, "--json")) == [CLEAN]
    assert told(log.waraq("audit", "--all", "--head", kept(JUDGE), "--json")) == [CLEAN]


def test_a_log_that_was_cut_is_told_by_a_head_and_by_a_signed_file(
    sqlite_log: Log, kept: Callable[[bytes], str]
) -> None:
    """Cut after a player's move: nothing in the log itself speaks against it."""
    said = [at for at, row in enumerate(ROWS) if row.entry.command is not None]
    cut = said[len(said) // 2]
    sqlite_log.store(ROWS[:cut])
    assert told(sqlite_log.waraq("audit", ID, "--json"))[0]["ok"]
    for head in (LAST, kept(JUDGE)):
        (line,) = found(sqlite_log, ID, "--head", head)
        bad = line["first_bad"]
        assert isinstance(bad, dict)
        assert bad["version"] == cut + 1


def test_a_match_that_is_gone_from_the_log_is_told_by_a_kept_file(
    log: Log, kept: Callable[[bytes], str]
) -> None:
    log.store(MATCHES[1])
    first, second = found(log, "--all", "--head", kept(JUDGE))
    assert first["ok"]
    assert (second["match"], second["first_bad"]) == (
        ID,
        {"version": 1, "reason": "the log has nothing of this match, but it was seen"},
    )


def test_another_match_under_the_same_id_is_told_where_it_begins_to_differ(
    nowhere: Log, kept: Callable[[bytes], str]
) -> None:
    other = JUDGE.replace(HEAD_KEY.public.encode(), b"0" * 64)
    assert stopped(nowhere.waraq("audit", "-", "--head", kept(other), said=JUDGE))[0] == 2
    mine = as_bytes(ROWS, "public")
    assert told(nowhere.waraq("audit", "-", "--head", kept(mine), "--json", said=JUDGE)) == [CLEAN]
    assert stopped(nowhere.waraq("audit", "-", "--head", "0" * 64, said=JUDGE))[0] == 4


# Words ----------------------------------------------------------------------------------------


def test_bad_words_are_told(sqlite_log: Log, kept: Callable[[bytes], str]) -> None:
    sqlite_log.store(ROWS)
    two = kept(JUDGE + as_bytes(MATCHES[1], "judge"))
    for words, code, reason in (
        ((), 2, "name one match or a file of them, or say --all"),
        ((ID, "--all"), 2, "name one match or a file of them, or say --all"),
        (("--all", "--head", LAST), 2, "a head is one match's"),
        ((ID, "--head", "no-head"), 3, "there is no file 'no-head', and a head has 64 digits"),
        (("x" * 400,), 3, "neither a match's id nor a file"),
        ((MATCHES[2][0].entry.stream, "--head", two), 3, "has nothing of"),
        ((two, "--head", LAST), 2, "has several matches"),
        (("m_" + "0" * 31 + "f",), 3, "see `waraq match list`"),
        (("no-such-file",), 3, "neither a match's id nor a file"),
        ((".",), 2, "cannot be read"),
    ):
        assert stopped(sqlite_log.waraq("audit", *words))[0] == code, words
        assert reason in sqlite_log.waraq("audit", *words).stderr


def test_nothing_is_said_of_several_matches_that_are_held_against_one_head(nowhere: Log) -> None:
    for second in (as_bytes(MATCHES[1], "judge"), b"garbage\n"):
        done = nowhere.waraq("audit", "-", "--head", LAST, "--json", said=JUDGE + second)
        assert stopped(done)[0] == 2
        assert done.stdout == ""


def test_an_object_that_begins_on_one_line_and_goes_on_is_no_text(nowhere: Log) -> None:
    for data in (b"{\n", b"{", b'{\n  "format": 1\n}\n', b"{ }\n"):
        words = stopped(nowhere.waraq("audit", "-", said=data))[1]
        assert "no end" not in words
        assert "line 1: " in words


@pytest.mark.parametrize("data", [b"", b"\xff\xfe\x00", b"no match", b'{"format":', b"[Waraq "])
def test_what_is_no_file_of_matches_is_unreadable(nowhere: Log, data: bytes) -> None:
    code, words = stopped(nowhere.waraq("audit", "-", said=data))
    assert code == 2
    assert "line 1: " in words
