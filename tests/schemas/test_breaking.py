"""A released schema is a promise: what would break a client that was written for it is found."""

import json
import re
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import get_args

import pytest

from schemas import released
from services.cli.schema.json_schema import OPEN, Schema, bundle
from tests.schemas.breaking import Breach, Rule, breaches

RELEASED = json.loads((Path(released.__file__).parent / "schema.json").read_bytes())
PAGE = (Path(__file__).parents[2] / "docs" / "schema" / "README.md").read_text()
Change = Callable[[Schema], object]


def test_nothing_breaks_a_client_of_the_released_schema() -> None:
    """If this fails: mend the change. Only for a break that was decided: `make release-schema`,
    a new version of the contract in services/cli/schema/asyncapi.py, and a line in CHANGELOG.md.
    """
    assert breaches(RELEASED, bundle()) == []


def put(name: str, field: str, schema: Schema) -> Change:
    return lambda defs: defs[name]["properties"].update({field: schema})


def drop(name: str, field: str) -> Change:
    """The field is gone."""

    def change(defs: Schema) -> None:
        del defs[name]["properties"][field]
        if field in defs[name]["required"]:
            defs[name]["required"].remove(field)

    return change


def require(name: str, field: str, schema: Schema) -> Change:
    def change(defs: Schema) -> None:
        defs[name]["properties"][field] = schema
        defs[name]["required"].append(field)

    return change


def say(name: str, **words: object) -> Change:
    """Other words in the definition itself."""
    return lambda defs: defs[name].update(words)


TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "integer"}
OR_NULL: Schema = {"anyOf": [NUMBER, {"type": "null"}]}
MORE_QUESTIONS: Schema = {
    "enum": ["snapshot", "history", "advice", "sticker", "gesture"],
    "default": "snapshot",
}
KIND: Schema = {
    "type": "object",
    "properties": {"type": {"const": "gesture"}},
    "required": ["type"],
}


def kind(union: str) -> Change:
    """One kind more in a union."""

    def change(defs: Schema) -> None:
        defs["Gesture"] = KIND
        defs[union]["oneOf"].append({"$ref": "#/$defs/Gesture"})

    return change


def no_kind(union: str, name: str) -> Change:
    return lambda defs: defs[union]["oneOf"].remove({"$ref": f"#/$defs/{name}"})


def rename(defs: Schema, name: str) -> None:
    """Another tag for the same struct."""
    defs[name]["properties"]["type"] = {"const": "gesture"}


def reword(defs: Schema, name: str, value: str) -> None:
    """Another word for the same value."""
    defs[name]["enum"] = [f"{one}_" if one == value else one for one in defs[name]["enum"]]


def or_null(defs: Schema) -> None:
    """Null in a place for one of an open union."""
    was = defs["MatchOpened"]["properties"]["options"]
    defs["MatchOpened"]["properties"]["options"] = {"anyOf": [was, {"type": "null"}]}


BROKEN: list[tuple[Rule, str, Change]] = [
    # What clients say.
    ("field required", "Command.why", require("Command", "why", TEXT)),
    ("field required", "Command.move", lambda d: d["Command"]["required"].append("move")),
    ("field gone", "Command.action[lay_off].end", drop("LayOff", "end")),
    ("kind gone", "Command.action[swap_joker]", no_kind("Action", "SwapJoker")),
    ("kind gone", "Command.action[choose_trump].suit['C']", say("Suit", enum=["D", "H", "S"])),
    ("kind gone", "Ask.what['history']", put("Ask", "what", {"enum": ["snapshot", "advice"]})),
    ("default changed", "Ask.since", put("Ask", "since", {"$ref": "#/$defs/Move", "default": 1})),
    ("pattern changed", "Command.id", say("CommandId", pattern="^[0-9a-f]{16,36}$")),
    ("bounds narrower", "Command.id", say("CommandId", maxLength=20)),
    ("bounds narrower", "Command.action[lay_off].meld", say("MeldId", maximum=9)),
    (
        "bounds narrower",
        "Command.action[lay_melds].melds",
        lambda d: d["LayMelds"]["properties"]["melds"].update(maxItems=4),
    ),
    ("form changed", "Command.action[discard].card", put("Discard", "card", NUMBER)),
    ("form changed", "Command.action[lay_off].meld", say("MeldId", exclusiveMinimum=5)),
    ("form changed", "Command.action[lay_off].meld", say("MeldId", multipleOf=2)),
    # What clients hear.
    ("kind gone", "Feed[snapshot]", no_kind("Feed", "Snapshot")),
    ("kind gone", "Feed[event].event.body[trick_taken]", lambda d: rename(d, "TrickTaken")),
    ("kind gone", "Feed[refused].code['stale_move']", lambda d: reword(d, "Refusal", "stale_move")),
    ("kind new", "Feed[event].event.body[match_opened].options[null]", or_null),
    ("kind new", "Feed[snapshot].view[integer]", lambda d: d["View"]["oneOf"].append(NUMBER)),
    (
        "form changed",
        "Feed[snapshot].view[hokm].playable[]",
        lambda d: d["HokmView"]["properties"]["playable"].pop("items"),
    ),
    ("field gone", "Feed[refused].move", drop("Refused", "move")),
    ("field gone", "Feed[event].event.body[trick_taken].by", drop("TrickTaken", "by")),
    (
        "field no longer always there",
        "Feed[snapshot].head",
        lambda d: d["Snapshot"]["required"].remove("head"),
    ),
    ("form changed", "Feed[snapshot].version", put("Snapshot", "version", TEXT)),
    (
        "form changed",
        "Feed[snapshot].view[hokm].score",
        put("HokmView", "score", {"prefixItems": [NUMBER] * 3, "type": "array"}),
    ),
    ("kind new", "Feed[event].event.origin['bot']", say("Origin", enum=["bot", "chance"])),
    ("kind new", "Feed[snapshot].now[null]", put("Snapshot", "now", OR_NULL)),
    ("pattern changed", "Feed[snapshot].head", say("Hex32", pattern="^[0-9A-F]{64}$")),
    ("bounds wider", "Feed[snapshot].sitting[].seat", say("Seat", maximum=5)),
]


@pytest.mark.parametrize(
    ("rule", "path", "change"), BROKEN, ids=[f"{one[0]}-{one[1]}" for one in BROKEN]
)
def test_what_breaks_a_client_is_found_and_named(rule: Rule, path: str, change: Change) -> None:
    today = deepcopy(RELEASED)
    change(today["$defs"])
    assert Breach(rule, path) in breaches(RELEASED, today)


KEPT: list[tuple[str, Change]] = [
    ("an optional field may be said", put("Command", "note", TEXT)),
    ("an action more", kind("Action")),
    ("a question more", put("Ask", "what", MORE_QUESTIONS)),
    ("wider bounds of what is said alone", say("Move", maximum=2**60)),
    ("a kind of feed message more", kind("Feed")),
    ("an event more", kind("Body")),
    ("a refusal more", lambda d: d["Refusal"]["enum"].append("too_late")),
    ("a sticker more", lambda d: d["StickerId"]["enum"].append("tea")),
    ("a field more is heard", require("Snapshot", "pace", NUMBER)),
    ("other words", say("Command", description="x")),
]


@pytest.mark.parametrize("change", [one[1] for one in KEPT], ids=[one[0] for one in KEPT])
def test_what_clients_can_live_with_is_let_through(change: Change) -> None:
    today = deepcopy(RELEASED)
    change(today["$defs"])
    assert today != RELEASED
    assert breaches(RELEASED, today) == []


def test_every_rule_has_a_change_that_breaks_it_and_a_line_in_the_page() -> None:
    assert {rule for rule, _, _ in BROKEN} == set(get_args(Rule))
    for rule in get_args(Rule):
        assert f"| {rule} |" in PAGE


def test_the_page_names_what_is_open() -> None:
    (sentence,) = re.findall(r"What is \*\*open\*\* .*?\. Everything else", PAGE, re.DOTALL)
    assert set(re.findall(r"`([A-Z]\w+)`", sentence)) == OPEN
    opened = {name for name, schema in bundle()["$defs"].items() if "x-open" in schema}
    assert opened == OPEN


def test_the_names_of_definitions_are_not_on_the_wire() -> None:
    text = json.dumps(RELEASED).replace("TrickTaken", "TakenTrick")
    assert breaches(RELEASED, json.loads(text)) == []
