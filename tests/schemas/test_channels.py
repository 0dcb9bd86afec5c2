"""The subjects that clients were promised: who moves one breaks them as who moves a field does."""

from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from msgspec.structs import replace

from schemas import released
from tests.schemas.channels import ChannelBreach, ChannelRule, Promises, broken, today

RELEASED = msgspec.json.decode(
    (Path(released.__file__).parent / "channels.json").read_bytes(), type=Promises
)
PAGE = (Path(__file__).parents[2] / "docs" / "schema" / "README.md").read_text()


def test_nothing_breaks_a_client_of_the_released_channels() -> None:
    """If this fails: as of `test_breaking`, mend the change, or decide it."""
    assert broken(RELEASED, today()) == []


CHANGES: list[tuple[ChannelRule, str, dict[str, Any]]] = [
    ("subject changed", "asks", {"subject": "asks.{match}.{player}"}),
    ("subject changed", "feed", {"subject": "feed.{match}.{player}"}),
    ("subject changed", "commands", {"payload": "Ask"}),
    ("right gone", "commands", {"senders": ("bot", "scoring", "cli")}),
    ("right gone", "feed", {"receivers": ("cli",)}),
    ("header gone", "events", {"headers": ("Nats-Msg-Id",)}),
    ("answer gone", "commands", {"answers": ("Happened",)}),
]


@pytest.mark.parametrize(("rule", "name", "change"), CHANGES)
def test_what_breaks_a_client_is_found_and_named(
    rule: ChannelRule, name: str, change: dict[str, Any]
) -> None:
    changed = RELEASED | {name: replace(RELEASED[name], **change)}
    assert broken(RELEASED, changed) == [ChannelBreach(rule, name)]


def test_a_channel_that_is_gone_is_found() -> None:
    less = {name: promise for name, promise in RELEASED.items() if name != "events"}
    assert broken(RELEASED, less) == [ChannelBreach("channel gone", "events")]


def test_more_channels_rights_headers_and_answers_are_let_through() -> None:
    more = {
        name: replace(
            promise,
            senders=(*promise.senders, "web"),
            receivers=(*promise.receivers, "web"),
            headers=(*promise.headers, "Waraq-More"),
            answers=(*promise.answers, "Gesture"),
        )
        for name, promise in RELEASED.items()
    }
    assert broken(RELEASED, more | {"more": RELEASED["feed"]}) == []


def test_every_rule_has_a_line_in_the_page() -> None:
    assert {rule for rule, _, _ in CHANGES} | {"channel gone"} == set(get_args(ChannelRule))
    for rule in get_args(ChannelRule):
        assert f"| {rule} |" in PAGE
