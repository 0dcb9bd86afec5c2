"""The law of lines, as JavaScript sees it: parse and stringify give every line's bytes back."""

import json
from pathlib import Path
from typing import Final, get_args

from schemas import released
from schemas.events import Body, decode_event, tag_of
from services.event_log.chain import NO_HEAD, next_head
from tests.verifier.node import VERIFIER, call_all

LINES: Final = (Path(released.__file__).parent / "events.ndjson").read_text().splitlines()
LINE: Final = LINES[0]


def test_every_type_of_event_has_a_line_here() -> None:
    kinds = {kind.__struct_config__.tag for kind in get_args(Body)}
    assert {tag_of(decode_event(line).body) for line in LINES} == kinds


def test_every_type_of_event_is_known_to_the_verifier() -> None:
    forms = VERIFIER.read_text().partition("const FORMS")[2].partition("}),\n);")[0]
    unknown = {
        tag
        for kind in get_args(Body)
        if f"    {(tag := kind.__struct_config__.tag)}: {{" not in forms
    }
    assert not unknown


def test_parse_and_stringify_give_every_line_back() -> None:
    assert call_all(("again", [line]) for line in LINES) == LINES


def test_heads_are_ours() -> None:
    ours, head = [], NO_HEAD
    for line in LINES:
        head = next_head(head, line)
        ours.append(head)
    befores = [NO_HEAD, *ours[:-1]]
    pairs = zip(befores, LINES, strict=True)
    assert call_all(("nextHead", pair) for pair in pairs) == ours


OTHERS: Final = {
    "space": LINE.replace(",", ", ", 1),
    "1.0": LINE.replace('"version":1,', '"version":1.0,'),
    "1e0": LINE.replace('"version":1,', '"version":1e0,'),
    "key": LINE.replace('"match":', '"\\u006datch":'),
    "text": LINE.replace('"hokm@1"', '"hokm\\u00401"'),
    "2^53 + 1": LINE.replace("1796000000000", "9007199254740993"),
    "keys of digits": LINE.replace('"target":2', '"10":1,"2":1'),
    "twice": LINE.replace('"version":1,', '"version":1,"version":1,'),
}
"""The first line in other forms, which are against the law."""


def test_text_of_another_form_is_not_given_back() -> None:
    given = call_all(("again", [other]) for other in OTHERS.values())
    for (name, other), again in zip(OTHERS.items(), given, strict=True):
        assert LINE != other != again, name


def test_another_order_of_keys_has_another_head() -> None:
    event = json.loads(LINE)
    other = json.dumps({"version": 1, **event}, separators=(",", ":"))
    heads = call_all([("nextHead", (NO_HEAD, LINE)), ("nextHead", (NO_HEAD, other))])
    assert heads[0] != heads[1]
