"""What a shell completes, asked of click in this process."""

from pathlib import Path
from threading import Event

import pytest
from click.shell_completion import ShellComplete

from services.cli import complete
from services.cli.__main__ import main
from services.cli.join.session.kept import Kept, keep, session_file
from tests.cli.conftest import embedded
from tests.cli.logs import Log
from tests.streams import match_id, played

MATCHES = (played(3, moves=2), played(7, moves=2), played(31, moves=2))
IDS = [one.match for one in MATCHES]
SUBJECTS = (("match", "show"), ("match", "replay"), ("audit",), ("export",))
"""The commands that ask for a match."""


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Log:
    log = embedded(tmp_path_factory.mktemp("complete"), {})
    log.store(*(one.rows for one in MATCHES))
    return log


def offered(log: Log | Path, *words: str) -> list[str]:
    """What is offered for the last of `words` but files, the folder being named on the line."""
    data = log if isinstance(log, Path) else Path(log.environ["WARAQ_DATA"])
    return [value for kind, value in both(*words[:-1], "--data", str(data), words[-1])]


def both(*words: str) -> list[tuple[str, str]]:
    asked = ShellComplete(main, {}, "waraq", "_WARAQ_COMPLETE")
    found = asked.get_completions(list(words[:-1]), words[-1])
    return [(item.type, item.value) for item in found if item.type != "file"]


def is_file(*words: str) -> bool:
    asked = ShellComplete(main, {}, "waraq", "_WARAQ_COMPLETE")
    found = asked.get_completions(list(words[:-1]), words[-1])
    return any((item.type, item.value) == ("file", words[-1]) for item in found)


# Matches --------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", SUBJECTS)
def test_the_matches_of_the_log_complete(log: Log, command: tuple[str, ...]) -> None:
    assert offered(log, *command, "") == IDS
    assert offered(log, *command, "m_") == IDS
    assert offered(log, *command, IDS[2][:-1]) == [IDS[2]]
    assert offered(log, *command, IDS[0]) == [IDS[0]]
    assert offered(log, *command, "m_f") == offered(log, *command, "x") == []


def test_the_folder_may_be_named_by_the_environment(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WARAQ_DATA", log.environ["WARAQ_DATA"])
    assert both("audit", "m_") == [("plain", one) for one in IDS]


def test_of_many_matches_a_few_are_offered(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(complete, "MOST_IDS", 2)
    assert offered(log, "audit", "m_") == IDS[:2]


def test_a_log_that_is_missing_or_broken_offers_nothing_and_says_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    assert offered(tmp_path, "audit", "m_") == []
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "log.db").write_bytes(b"nonsense" * 1_000)
    assert offered(tmp_path, "match", "show", "m_") == []
    for url in ("nonsense", "postgresql://u:p@127.0.0.1:1/x"):
        monkeypatch.setenv("WARAQ_LOG_URL", url)
        assert offered(tmp_path, "export", "m_") == []
    assert capfd.readouterr() == ("", "")


def test_a_log_that_does_not_answer_is_not_waited_for(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = Event()

    def never(_url: str) -> None:
        answer.wait(10)

    monkeypatch.setattr(complete, "WITHIN", 0.01)
    monkeypatch.setattr(complete, "open_reader", never)
    assert offered(log, "audit", "m_") == []
    assert not answer.is_set()
    answer.set()


def test_an_id_that_is_whole_asks_no_log(tmp_path: Path) -> None:
    assert offered(tmp_path, "audit", match_id(5)) == [match_id(5)]


# Viewers and files ----------------------------------------------------------------------------


@pytest.mark.parametrize("command", [("match", "replay"), ("export",)])
def test_viewers_complete(command: tuple[str, ...]) -> None:
    words = (*command, IDS[0], "--as")
    seats = ["seat:0", "seat:1", "seat:2", "seat:3"]
    assert [value for _, value in both(*words, "")] == ["judge", "public", *seats]
    assert [value for _, value in both(*words, "seat:")] == seats
    assert both(*words, "J") == []


def test_the_words_for_the_seats_complete_also_after_a_comma() -> None:
    assert offered_words("play", "--bots", "") == ["white", "black", "chrome"]
    assert offered_words("play", "--bots", "white,b") == ["white,black"]
    assert offered_words("join", "--bots", "f") == ["friend"]
    assert offered_words("join", "--bots", "black,friend,c") == ["black,friend,chrome"]


def offered_words(*words: str) -> list[str]:
    return [value for _, value in both(*words)]


@pytest.mark.parametrize(
    "words",
    [
        ("audit",),
        ("audit", "--head"),
        ("export", "--out"),
        ("import",),
        ("heads", "check"),
        ("referee",),
    ],
)
def test_files_complete_where_a_file_may_stand(words: tuple[str, ...]) -> None:
    assert is_file(*words, "kept")


def test_sessions_of_the_server_complete(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    data = str(tmp_path / "data")
    for server, name in ((data, "friend"), (data, "default"), ("https://cards.example", "far")):
        kept = Kept(server=server, player="u_anne0000", token="t")
        keep(session_file({"XDG_STATE_HOME": str(tmp_path / "state")}, server, name), kept)
    here, far = ("join", "--data", data), ("join", "--server", "https://cards.example")
    assert both(*here, "--session", "") == [("plain", "default"), ("plain", "friend")]
    assert both(*here, "--session", "f") == [("plain", "friend")]
    assert both(*here, *far[1:], "--session", "") == [("plain", "far")]
    assert is_file(*here, "--session", "./f")


def test_no_file_is_offered_where_a_match_must_stand() -> None:
    assert not is_file("match", "show", "kept")
    assert not is_file("export", "kept")


def test_what_may_be_left_out_is_shown_so(log: Log) -> None:
    assert "export [OPTIONS] [ID]" in log.waraq("export", "--help").output
    assert "audit [OPTIONS] [ID|FILE]" in log.waraq("audit", "--help").output
