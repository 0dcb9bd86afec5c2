"""Released lines are golden for ever: what a log of any age holds is read, and written the same."""

import json
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from schemas import released
from schemas.events import Body, Event, decode_event, encode_event, tag_of

LINES = (Path(released.__file__).parent / "events.ndjson").read_text().splitlines()


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
