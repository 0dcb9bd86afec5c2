"""What is no match is refused with a reason for people, whatever it is; nothing else is thrown."""

import json
from typing import Any, Final

import pytest

from tests.verifier.matches import PLAYERS, Message, begun, feed, match_file, played, text_of
from tests.verifier.node import Refused, call_all, verify_all
from tests.verifier.tables import HOKM

ENGINE: Final = ("undefined", "null", "Unexpected", "TypeError", "property", "function", "iterable")
"""Words of a JavaScript engine, which nobody should have to read."""
MESSAGE: Final[dict[str, Any]] = {
    "event": {
        "match": "m_" + "0" * 32,
        "version": 1,
        "time": 0,
        "origin": "player",
        "seat": None,
        "body": {"type": "seat_left", "seat": 0},
    },
    "head": "0" * 64,
}
HEADER: Final[dict[str, Any]] = {
    "format": "waraq-match@1",
    "match": "m_" + "0" * 32,
    "viewer": "public",
    "events": 1,
    "head": "0" * 64,
    "over": False,
    "signed": None,
}


def event(**changed: Any) -> Message:
    return {**MESSAGE, "event": {**MESSAGE["event"], **changed}}


UNREADABLE: Final[dict[str, tuple[Any, str]]] = {
    "nothing": ("", "no event"),
    "no messages": ([], "no event"),
    "not JSON": ("{", "line 1 is not JSON"),
    "the third line": (text_of([MESSAGE]) + "\n]", "line 3 is not JSON"),
    "a number": ("7", "line 1 is not a JSON object"),
    "a list": ("[]", "line 1 is not a JSON object"),
    "an object": ({}, "a list"),
    "no input": (None, "a list"),
    "no event": ([{"head": "0"}], "message 1 is no message"),
    "an event that is text": ([{"event": "x", "head": "0"}], "message 1 is no message"),
    "no head": ([{"event": MESSAGE["event"]}], '"head"'),
    "a head of another kind": ([{**MESSAGE, "head": 7}], '"head"'),
    "cards of another kind": ([{**MESSAGE, "cards": [7]}], '"cards"'),
    "a pack of another kind": ([{**MESSAGE, "pack": "AS"}], '"pack"'),
    "no version": ([event(version=None)], '"version"'),
    "version 0": ([event(version=0)], '"version"'),
    "version 1.5": ([event(version=1.5)], '"version"'),
    "no match": ([event(match="7")], '"match"'),
    "a seat of another kind": ([event(seat="0")], '"seat"'),
    "no body": ([event(body=None)], '"body"'),
    "a body without type": ([event(body={})], '"body"'),
    "history of nothing": ([{"type": "history", "events": [7]}], "its history"),
    "another format": ([{**HEADER, "format": "pgn"}], "waraq-match@1"),
    "another viewer": ([{**HEADER, "viewer": "all"}], '"viewer"'),
    "no number of events": ([{**HEADER, "events": "1"}], '"events"'),
    "two headers": ([HEADER, MESSAGE, HEADER], "second match"),
    "a header alone": ([HEADER], "no event"),
    "deep": ('{"event":' + "[" * 200_000 + "]" * 200_000 + "}", "message"),
    "deep in a body": (
        text_of([event(body={"type": "x", "y": 7})]).replace("7", "[" * 99_999 + "]" * 99_999),
        "nested too deeply",
    ),
}


@pytest.fixture(scope="module")
def refusals() -> dict[str, Any]:
    reports = verify_all((given, {}) for given, _ in UNREADABLE.values())
    return dict(zip(UNREADABLE, reports, strict=True))


@pytest.mark.parametrize("name", UNREADABLE)
def test_unreadable_input_is_refused_with_a_reason(name: str, refusals: dict[str, Any]) -> None:
    said = refusals[name]
    assert isinstance(said, Refused), said
    assert UNREADABLE[name][1] in said
    assert not any(word in said for word in ENGINE)


def test_far_too_many_messages_are_no_match() -> None:
    [said] = call_all([("verifyRepeated", (MESSAGE, 100_001))])
    assert isinstance(said, Refused)
    assert "not one match" in said


def test_options_that_mean_nothing_are_refused() -> None:
    asked: list[dict[str, Any]] = [{"seat": 4}, {"seat": "0"}, {"head": "x"}, {"head": [7]}]
    for options, said in zip(asked, verify_all(([MESSAGE], one) for one in asked), strict=True):
        assert isinstance(said, Refused)
        assert all(name in said for name in options)


def test_a_file_of_one_seat_is_not_checked_for_another() -> None:
    lines = match_file(begun(2, HOKM, moves=3), "seat:1")
    [said] = verify_all([(lines, {"seat": 2})])
    assert isinstance(said, Refused)
    assert "seat:1" in said


def test_notes_of_others_are_left_alone() -> None:
    lines = match_file(played(2, HOKM), "public")
    noted = [{"_note": {"1": 1.5, "ü": None}, **one} for one in lines]
    plain, other = verify_all([(lines, {}), (noted, {})])
    assert plain == other
    assert plain["whole"]


def test_a_newer_game_or_shuffle_is_not_called_wrong() -> None:
    messages = feed(played(2, HOKM), PLAYERS[0])
    texts = [
        text_of(messages).replace("hokm@1", "hokm@2", 1),
        text_of(messages).replace("waraq-shuffle@1", "waraq-shuffle@2", 1),
    ]
    for report in verify_all((text, {"seat": 0}) for text in texts):
        said = [step for step in report["steps"] if step["step"] == "opened"]
        assert [step["ok"] for step in said] == [None]
        assert not report["whole"]


def test_the_law_leaves_json_as_it_is() -> None:
    assert json.loads(text_of([MESSAGE])) == MESSAGE
