"""`waraq join` in a real terminal against the real service, while workers and broker are killed."""

import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.service.screen import Screen
from tests.service.up_process import WARAQ, Up, environment, running, waraq

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    with running(tmp_path_factory.mktemp("join") / "data") as service:
        yield service


def ended(up: Up, match: str) -> bool:
    with up.log() as log:
        return log.load(match)[-1].entry.type == "match_ended"


def test_a_match_of_hokm_is_played_through_killed_workers_and_brokers(up: Up) -> None:
    with Screen(up, "--open", "hokm", "--lang", "en") as screen:
        screen.play("Round 1, five cards each")
        os.kill(up.children()["table"], signal.SIGKILL)
        screen.play("trick to")
        os.kill(up.children()["nats-server"], signal.SIGKILL)
        screen.play("Connection lost")
        screen.play("… back.")
        screen.play("Another match at the same table?")
        assert ended(up, screen.match)
        screen.text = ""
        screen.type("y")
        screen.until("Start? [Y/n]")
        assert not ended(up, screen.match)
        screen.type("leave")
        screen.until("Your seat is free again then.")
        screen.type("y")
        assert screen.code() == 0


def test_a_match_of_hand_is_played_to_its_end(up: Up) -> None:
    words = ("--open", "hand", "--variant", "saudi", "--seats", "2", "--bots", "black")
    with Screen(up, *words, "--lang", "en") as screen:
        screen.play("Another match at the same table?")
        screen.type("n")
        assert screen.code() == 0
        assert ended(up, screen.match)


def test_ctrl_c_asks_ctrl_d_keeps_the_seat_and_one_may_come_back_and_leave(up: Up) -> None:
    with Screen(up, "--open", "hokm", "--lang", "en") as screen:
        screen.until("Start? [Y/n]")
        screen.control(b"\x03")
        screen.until("Leave the seat (l)")
        screen.type("")
        screen.control(b"\x04")
        screen.until("keep your seat")
        assert screen.code() == 0
        match = screen.match
    with Screen(up, match, "--lang", "fa") as screen:
        screen.until("شروع کنیم؟")
        screen.type("ترک")
        screen.until("دوباره خالی می‌شود. (بله یا نه)")
        screen.type("بله")
        screen.until("از سر میز بلند شدید.")
        assert screen.code() == 0


def test_lines_of_a_pipe_are_answers_and_its_end_keeps_the_seat(up: Up) -> None:
    said = up.waraq("join", "--open", "hokm", "--lang", "ar", lines="؟\nنعم\n1\n")
    assert (said.code, said.err) == (0, "")
    assert "بدأت المباراة." in said.out
    assert "ويبقى المقعد لك" in said.out


def test_who_reads_no_more_has_gone_away(up: Up) -> None:
    with subprocess.Popen(
        [*WARAQ, "join", "--open", "hokm"],
        env=environment(up.data, up.more),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith(b"Table")
        process.stdout.close()
        process.stdin.write(b"y\n" * 50)
        process.stdin.flush()
        assert process.wait(60) == 0
        assert process.stderr.read() == b""


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ((), 2),
        (("--open", "baloot"), 2),
        (("--open", "hand", "--variant", "partnership", "--seats", "3"), 2),
        (("--open", "hand", "--preset", "home"), 2),
        (("--open", "hokm", "--bots", "green"), 2),
        (("--open", "hokm", "--bots", "black,black"), 2),
        (("--open", "hand", "--seats", "2", "--seat", "2"), 2),
        (("m_" + "0" * 32, "--open", "hokm"), 2),
        (("m_" + "0" * 32, "--bots", "black"), 2),
        (("m_1",), 3),
    ],
)
def test_wrong_words_end_at_once(up: Up, words: tuple[str, ...], code: int) -> None:
    said = up.told("join", *words)
    assert said.exit_code == code, said.output
    assert isinstance(said.exception, SystemExit)
    assert said.stderr


def test_a_match_that_nobody_opened_is_not_found(up: Up) -> None:
    said = up.waraq("join", "m_" + "0" * 32)
    assert said.code == 3, said.err
    assert "Traceback" not in said.err
    assert said.err


def test_without_a_service_it_is_said_how_to_start_one(tmp_path: Path) -> None:
    said = waraq(tmp_path / "data", "join", "--open", "hokm")
    assert said.code == 5
    assert "waraq up" in said.err
