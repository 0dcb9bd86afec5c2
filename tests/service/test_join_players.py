"""Two people at two terminals of one machine, each with his own session, on the real service."""

import re
import shlex
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.cli.joining import CARD
from tests.service.screen import AT_A_PROMPT, WITHIN, Screen
from tests.service.up_process import WARAQ, Said, Up, environment, running, waraq
from tests.waiting import until

pytestmark = pytest.mark.slow

FIRST: Final = "1\n" * 1_000
"""Lines that always take the first of what is offered."""
TABLE: Final = ("--open", "hokm", "--bots", "black,friend,black")
INVITED: Final = re.compile(r"^ {2}\S+ join (.*--code.*)$", re.MULTILINE)
"""The command for a friend, as it is shown to the owner."""


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    with running(tmp_path_factory.mktemp("people") / "data") as service:
        yield service


class Scripted:
    """A command whose lines come from a pipe; `out` is what it has printed so far."""

    def __init__(self, up: Up, file: Path, *words: str) -> None:
        self._file = file
        with file.open("wb") as out, file.with_suffix(".in").open("w+b") as lines:
            lines.write(FIRST.encode())
            lines.seek(0)
            self.process = subprocess.Popen(
                [*WARAQ, "join", *words, "--lang", "en"],
                env=environment(up.data, up.more),
                stdin=lines,
                stdout=out,
                stderr=subprocess.STDOUT,
            )

    @property
    def out(self) -> str:
        return self._file.read_text()

    async def invitation(self) -> list[str]:
        """The words of the command that is shown for a friend."""
        await until(lambda: INVITED.search(self.out), "the invitation", within=WITHIN)
        return shlex.split(INVITED.findall(self.out)[0])


def round_one(out: str) -> list[str]:
    """What was shown from the first deal to the end of the first round, when all is told."""
    lines = out.splitlines()
    begin = next(at for at, line in enumerate(lines) if line.startswith("Round 1, five cards"))
    end = next(at for at, line in enumerate(lines) if line.startswith("Round 1 is over"))
    return lines[begin:end]


def held(lines: list[str]) -> set[str]:
    return {
        card for line in lines if line.startswith("Your cards: ") for card in CARD.findall(line)
    }


def first_line_with(card: str, lines: list[str]) -> str | None:
    return next((line for line in lines if card in CARD.findall(line)), None)


async def test_two_people_play_a_whole_match_and_see_no_card_of_each_other(
    up: Up, tmp_path: Path
) -> None:
    owner = Scripted(up, tmp_path / "owner", *TABLE, "--name", "Sara")
    command = await owner.invitation()
    assert command[-2:] == ["--session", "friend"]
    friend = Scripted(up, tmp_path / "friend", *command, "--name", "Bob")
    for one in (owner, friend):
        assert one.process.wait(WITHIN) == 0, one.out
        assert "The match is over" in one.out
    assert "your partner “Bob”" in owner.out
    assert "your partner “Sara”" in friend.out
    with up.log() as log:
        match = command[0]
        assert log.load(match)[-1].entry.type == "match_ended"
    assert_hidden(round_one(owner.out), round_one(friend.out), "Sara")
    assert_hidden(round_one(friend.out), round_one(owner.out), "Bob")


def assert_hidden(mine: list[str], others: list[str], name: str) -> None:
    """A card of mine is first seen by the other one when I play it."""
    cards = held(mine)
    assert len(cards) >= 12
    for card in cards:
        seen = first_line_with(card, others)
        assert seen in {None, f"your partner “{name}”: {card}"}, (card, seen)


def test_a_rematch_is_opened_by_the_owner_and_the_friend_goes_there(up: Up) -> None:
    with Screen(up, *TABLE, "--session", "one", "--lang", "en") as owner:
        owner.until("You sit at seat 0")
        found = INVITED.search(owner.text)
        assert found is not None
        with Screen(up, *shlex.split(found[1]), "--lang", "en") as friend:
            play_both(owner, friend)
            owner.text = friend.text = ""
            owner.type("y")
            owner.until("You sit at seat 0")
            again = INVITED.search(owner.text)
            assert again is not None
            friend.type(f"waraq join {again[1]}")
            friend.until("You sit at seat 2")
            owner.until("Start? [Y/n]")
            for one in (owner, friend):
                one.type("quit")
                one.until("To come back:")
                assert one.code() == 0


def play_both(owner: Screen, friend: Screen) -> None:
    """Each takes the first offer, up to the end of the match."""
    asked = {owner: "Another match at the same table?", friend: "Another match with them?"}
    end = time.monotonic() + WITHIN
    while any(text not in one.text for one, text in asked.items()):
        assert time.monotonic() < end, owner.text[-2000:]
        for one, text in asked.items():
            if not one.read(AT_A_PROMPT) and text not in one.text and not one.text.endswith("\n"):
                one.type("1")


def test_who_comes_back_with_his_session_has_his_seat_and_another_one_has_none(up: Up) -> None:
    first = join(up, *TABLE, "--session", "two")
    assert "You are a new player here: u_" in first.out
    match = shlex.split(INVITED.findall(first.out)[0])[0]
    assert "You sit at seat 0." in join(up, match, "--session", "two").out
    other = join(up, match, "--session", "three")
    assert other.code == 1
    assert "Seat 2 is for an invited friend" in other.out


def join(up: Up, *words: str) -> Said:
    """Come to a table and go at once: its input has no line."""
    return up.waraq("join", *words, "--lang", "en")


def test_a_server_may_be_named_and_has_a_session_of_its_own(up: Up) -> None:
    url = up.ready["web"]
    done = join(up, "--open", "hokm", "--server", url)
    assert done.code == 0, done.err
    assert f"--server {url}" in done.out
    by_environment = waraq(up.data, "join", "--open", "hokm", WARAQ_WEB_URL=url)
    assert f"--server {url}" in by_environment.out


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (("--server", "127.0.0.1:80"), 2, "an address like"),
        (("--server", "http://user:secret@cards.example"), 2, "an address like"),
        (("--server", "ws://127.0.0.1:1"), 2, "an address like"),
        (("--server", "http://127.0.0.1:1"), 5, "no web worker answers"),
        (("--session", "a b"), 2, "a file with a /"),
        (("--session", "/proc/none/one"), 1, "--session"),
        (("--name", "\u202eevil"), 2, "direction"),
        (("--name", ""), 2, "1 to 24"),
        (("--name", "x" * 25), 2, "1 to 24"),
        (("--seat", "1"), 2, "masks have the seats 1 and 3"),
    ],
)
def test_bad_words_are_told(up: Up, words: tuple[str, ...], code: int, says: str) -> None:
    said = up.told("join", "--open", "hokm", *words)
    assert said.exit_code == code, said.output
    assert isinstance(said.exception, SystemExit)
    assert says in said.stderr


def test_a_broker_is_no_web_worker(up: Up) -> None:
    said = up.waraq("join", "--open", "hokm", "--server", up.ready["nats"].replace("nats", "http"))
    assert said.code == 5
    assert "no web worker answers" in said.err
