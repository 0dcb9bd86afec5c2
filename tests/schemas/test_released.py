"""Released lines are golden for ever: what a log of any age holds is read, and written the same."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from schemas import released
from schemas.commands import Action, decode_command, encode_command
from schemas.events import Body, Event, decode_event, encode_event, tag_of
from schemas.feed import Ask, Feed, decode_ask, decode_feed, encode_ask, encode_feed

FOLDER = Path(released.__file__).parent
LINES = (FOLDER / "events.ndjson").read_text().splitlines()


@pytest.mark.parametrize("line", LINES, ids=lambda line: json.loads(line)["body"]["type"])
def test_a_released_line_is_read_and_written_again_to_the_byte(line: str) -> None:
    assert encode_event(decode_event(line)).decode() == line


def test_every_event_has_a_released_line() -> None:
    released_tags = {tag_of(decode_event(line).body) for line in LINES}
    tags = {kind.__struct_config__.tag for kind in get_args(Body)}
    assert released_tags == tags


@pytest.mark.parametrize("line", LINES, ids=lambda line: json.loads(line)["body"]["type"])
def test_a_line_obeys_the_law_of_lines(line: str) -> None:
    """ASCII, no spaces, no floats, integers below 2^53, no keys of digits, every field written."""
    assert line.isascii()
    assert json.dumps(json.loads(line), separators=(",", ":")) == line

    def walk(value: object) -> None:
        assert not isinstance(value, float)
        if isinstance(value, int):
            assert abs(value) < 2**53
        if isinstance(value, dict):
            assert not any(key.isdigit() for key in value)
            for one in value.values():
                walk(one)
        if isinstance(value, list):
            for one in value:
                walk(one)

    walk(json.loads(line))
    body = decode_event(line).body
    assert list(json.loads(line)) == list(Event.__struct_fields__)
    assert list(json.loads(line)["body"]) == ["type", *body.__struct_encode_fields__]


def test_no_event_leaves_out_a_field_that_has_its_default() -> None:
    """A default that changes must not change what an old event meant."""
    for kind in get_args(Body):
        assert not kind.__struct_config__.omit_defaults


def test_an_unknown_event_is_not_read_as_another() -> None:
    line = json.loads(LINES[0])
    line["body"]["type"] = "card_played@2"
    with pytest.raises(msgspec.ValidationError):
        decode_event(json.dumps(line))


# What clients say, and what they are told -------------------------------------------------------


def as_before(line: str, decode: Callable[[bytes], object], encode: Callable[..., bytes]) -> bool:
    return encode(decode(line.encode())).decode() == line


def test_released_commands_asks_and_feed_messages_are_read_and_written_again_to_the_byte() -> None:
    """A client that says what was said before is understood; one that reads it, too."""
    for name, decode, encode in (
        ("commands", decode_command, encode_command),
        ("asks", decode_ask, encode_ask),
        ("feed", decode_feed, encode_feed),
    ):
        lines = (FOLDER / f"{name}.ndjson").read_text().splitlines()
        assert lines
        assert [line for line in lines if not as_before(line, decode, encode)] == []


def tags(union: object) -> set[object]:
    return {kind.__struct_config__.tag for kind in get_args(union)}


def test_every_action_question_and_feed_message_has_a_released_line() -> None:
    commands = [json.loads(line) for line in (FOLDER / "commands.ndjson").read_text().splitlines()]
    assert {command["action"]["type"] for command in commands} == tags(Action)
    feed = [json.loads(line) for line in (FOLDER / "feed.ndjson").read_text().splitlines()]
    assert {message["type"] for message in feed} == tags(Feed)
    asks = [json.loads(line) for line in (FOLDER / "asks.ndjson").read_text().splitlines()]
    (what,) = (field.type for field in msgspec.structs.fields(Ask) if field.name == "what")
    assert {ask["what"] for ask in asks} == set(get_args(what))
