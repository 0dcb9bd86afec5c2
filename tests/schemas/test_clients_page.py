"""docs/clients.md: its messages are real, its codes are all there, its numbers are ours."""

import asyncio
import re
from typing import get_args

import pytest

from schemas.commands import COMMAND_BYTES
from schemas.events import Body
from schemas.refusals import Refusal
from services.auth.turnstile import ALL, EACH
from services.messaging import streams
from services.messaging.jetstream_callout import WAITING
from services.messaging.permissions import player
from services.messaging.server import (
    LOGIN_WAIT,
    MAX_CONNECTIONS,
    MAX_CONTROL_LINE,
    MAX_PAYLOAD,
    MAX_PENDING,
    MAX_SUBSCRIPTIONS,
    WRITE_DEADLINE,
)
from services.messaging.warden import MOST_CONNECTIONS
from services.rules.hand.play import DUTY_CLOCK, TURN_CLOCK
from services.rules.hokm.play import CARD_CLOCK, TRUMP_CLOCK
from services.rules.moves import MOVES
from services.table.feeds import HISTORY_EVENTS
from services.table.floods import MOST, WINDOW
from services.table.waits import LOBBY
from services.web.rates import WRITES
from tests.schemas.clients_page import PAGE, all_lines, names_in, with_messages
from tests.schemas.conversation import Line

TEXT = PAGE.read_text()


@pytest.fixture(scope="module")
def lines() -> dict[str, Line]:
    return asyncio.run(all_lines())


def test_every_message_in_the_page_is_of_a_real_conversation(lines: dict[str, Line]) -> None:
    """If this fails: `python -m tests.schemas.clients_page`, and read the page again."""
    assert with_messages(TEXT, lines) == TEXT


def test_the_page_shows_the_whole_conversation(lines: dict[str, Line]) -> None:
    assert sorted(names_in(TEXT)) == sorted(lines)


def test_every_refusal_has_its_line_in_the_order_of_the_codes() -> None:
    assert re.findall(r"^\| `(\w+)` \|", TEXT, re.MULTILINE) == [code.value for code in Refusal]


def test_the_subjects_are_those_that_the_broker_allows_a_player() -> None:
    may = player("<you>")
    for subject in may.publish:
        assert f"`{subject.replace('*', '<match>')}`" in TEXT
    assert f"`{may.subscribe[0]}`" in TEXT
    assert f"`{may.subscribe[1].removesuffix('.>')}`" in TEXT


def test_the_numbers_are_those_of_the_service() -> None:
    assert f"a command | {COMMAND_BYTES // 1024} KiB" in TEXT
    (commands,) = (one for one in streams.all_streams(1) if one.name == streams.COMMANDS)
    assert f"wait | {commands.max_per_subject}; " in TEXT
    assert WINDOW == 60
    assert f"asks of one player | {MOST} a minute" in TEXT
    assert f"history | {HISTORY_EVENTS} events" in TEXT
    assert f"{HISTORY_EVENTS} at\nmost" in TEXT
    assert f"name trump within {TRUMP_CLOCK:.0f} s and play within {CARD_CLOCK:.0f} s" in TEXT
    assert f"a turn has {TURN_CLOCK:.0f} s, {DUTY_CLOCK:.0f} s while you owe" in TEXT
    assert LOBBY == 30 * 60
    assert f"connections of one player | {MOST_CONNECTIONS};" in TEXT
    every = 1 / EACH.per_second
    assert f"log-ins of one player | {EACH.burst} at once, then one in {every:.0f} s" in TEXT


def test_the_limits_of_sessions_are_those_of_the_service() -> None:
    text = (PAGE.parent / "sessions.md").read_text()
    for line in (
        f"one address | {WRITES.burst} at once, then {WRITES.per_second:.0f} a second",
        f"one player | {EACH.burst} at once, then one in {1 / EACH.per_second:.0f} s",
        f"all players | {ALL.burst:,} at once, then {ALL.per_second:.0f} a second",
        f"one auth worker | {WAITING:,} ",
        f"connections of one player | {MOST_CONNECTIONS} ",
        f"one node of the broker | {MAX_CONNECTIONS:,} ",
        f"one connection | {MAX_SUBSCRIPTIONS} ",
        f"protocol | {MAX_PAYLOAD >> 20} MiB; {MAX_CONTROL_LINE >> 10} KiB",
        f"does not read | {MAX_PENDING >> 20} MiB, or {WRITE_DEADLINE} s",
        f"time to log in | {LOGIN_WAIT} s",
    ):
        assert line in text, line


def test_what_the_page_says_of_move_is_what_the_rules_count() -> None:
    tags = {kind.__struct_config__.tag for kind in MOVES}
    around = {"match_started", "round_ended", "round_scored", "seat_taken", "seat_left"}
    assert around <= tags
    assert tags <= {kind.__struct_config__.tag for kind in get_args(Body)}
    (sentence,) = re.findall(r"`move` rises .*?`seat_left`\.", TEXT, re.DOTALL)
    assert set(re.findall(r"`(\w+)`", sentence)) == around | {"move"}
