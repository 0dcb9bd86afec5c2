"""Persons at the page, in a browser: a whole match each, in every language, on a phone and a desk.

The broker and the table worker are killed meanwhile. Pictures stay in `shots/hokm/`.
"""

import json
import shutil
import subprocess
from collections.abc import Mapping
from typing import Any, Final

import pytest

from tests.npm_packages import NODE
from tests.page.browsers import all_come
from tests.page.guests import Guest, Program, seen_by
from tests.service.up_process import CHECKOUT, Up
from tests.verifier.node import VERIFIER

pytestmark = pytest.mark.slow

SHOTS: Final = CHECKOUT / "shots" / "hokm"
MODULES: Final = ("eyes.mjs", "hokm_hand.mjs", "look_back.mjs")
AT_ONCE: Final = 3
"""Tables that are played at at the same time."""
LONGEST: Final = 400
"""Seconds that a person may sit there."""
HEAVIEST: Final = 400_000
"""Bytes that the page may have, with all its rooms, as they come over the wire."""
WORDS: Final = CHECKOUT / "services" / "web" / "static" / "words"
SENTENCES: Final = CHECKOUT / "schemas" / "texts"


class Player(Guest, frozen=True):
    """A guest who plays Hokm to so many points."""

    target: int = 1


ALL: Final = (
    Player("fa", 360, 740, quick=False, breaks=True),
    Player("en", 1280, 800, keyboard=True),
    Player("ar", 360, 640),
    Player("ar", 1280, 800),
    Player("en", 360, 640, keyboard=True),
    Player("fa", 1280, 800, target=2),
    Player("en", 740, 360),
)
AT_GATE: Final = 2
"""Guests that come to every check."""
GUESTS: Final = ALL if all_come() else ALL[:AT_GATE]


@pytest.fixture(scope="module")
def seen(up: Up, tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Any]:
    """What each guest saw, by name."""
    shutil.rmtree(SHOTS, ignore_errors=True)
    SHOTS.mkdir(parents=True)
    folder = tmp_path_factory.mktemp("person")
    program = Program("person.mjs", folder, MODULES, LONGEST, SHOTS)
    return seen_by(up, program, GUESTS, AT_ONCE)


@pytest.mark.parametrize("guest", GUESTS, ids=lambda guest: guest.name)
def test_a_person_plays_a_whole_match(seen: Mapping[str, Any], guest: Player) -> None:
    found = seen[guest.name]
    words = json.loads((WORDS / f"{guest.language}.json").read_text())
    assert found["end"] in {words["match_ours"], words["match_theirs"]}
    assert found["direction"] == ("ltr" if guest.language == "en" else "rtl")
    assert found["reloaded"]
    assert found.get("broken", False) == guest.breaks


@pytest.mark.parametrize("guest", GUESTS, ids=lambda guest: guest.name)
def test_an_illegal_card_is_explained_and_the_master_gives_a_reason(
    seen: Mapping[str, Any], guest: Player
) -> None:
    sentences = json.loads((SENTENCES / f"{guest.language}.json").read_text())
    reasons = json.loads((SENTENCES / "reasons" / f"{guest.language}.json").read_text())
    found = seen[guest.name]
    assert found["refused"] in {None, sentences["must_follow_suit"]}
    assert any(found["advice"].startswith(text.partition(":")[0]) for text in reasons.values())


def test_the_keyboard_is_somewhere_when_a_panel_has_closed(seen: Mapping[str, Any]) -> None:
    by_keys = [guest.name for guest in GUESTS if guest.keyboard]
    assert by_keys
    assert not any(seen[name]["adrift"] for name in by_keys)


def test_some_illegal_card_was_tried(seen: Mapping[str, Any]) -> None:
    assert any(found["refused"] for found in seen.values())


@pytest.mark.parametrize("guest", GUESTS, ids=lambda guest: guest.name)
def test_nothing_runs_over_is_grave_for_axe_or_breaks_the_policy(
    seen: Mapping[str, Any], guest: Player
) -> None:
    """What the policy forbids is an error on the browser's console."""
    found = seen[guest.name]
    assert found["overflowing"] == []
    assert found["violations"] == []
    assert found["errors"] == []


@pytest.mark.parametrize("guest", GUESTS, ids=lambda guest: guest.name)
def test_a_match_is_watched_again_by_slider_keys_and_jumps_with_other_eyes(
    seen: Mapping[str, Any], guest: Player
) -> None:
    past = seen[guest.name]["past"]
    where = {what: at for what, at, _ in past["moments"]}
    assert 0 < where["begins"] < where["third"], "at the first deal"
    assert abs(where["middle"] - past["last"] / 2) <= past["last"] / 20
    assert where["on"] == where["middle"] + 1
    assert where["back"] == where["middle"]
    assert where["ends"] == past["last"] > 30
    assert 0 < where["third"] < where["ends"]
    texts = [text for _, _, text in past["moments"]]
    assert all(texts)
    assert len(set(texts)) >= 4
    assert past["fronts"] == 3
    assert past["fan"] in {10, 11}, "two tricks are played, and one card of the third"


@pytest.mark.parametrize("guest", GUESTS, ids=lambda guest: guest.name)
def test_every_step_of_the_deal_holds_and_its_file_says_the_same_elsewhere(
    up: Up, seen: Mapping[str, Any], guest: Player
) -> None:
    found = seen[guest.name]
    assert found["checked"] == "open", "in the middle of the match the secret is not known"
    assert found["check"]["verdict"] == "whole"
    steps = dict(found["check"]["steps"])
    assert {"chain", "head", "secret", "seal", "pack", "dealer", "play", "cards"} <= set(steps)
    assert set(steps.values()) == {"true"}
    file = found["check"]["file"]
    done = subprocess.run([NODE, VERIFIER, file], capture_output=True, check=False)
    assert done.returncode == 0, done.stdout
    assert up.waraq("audit", file).code == 0


def test_no_request_leaves_the_host_and_the_page_is_light(seen: Mapping[str, Any]) -> None:
    for found in seen.values():
        assert found["hosts"] == ["127.0.0.1"]
        assert 100_000 < found["bytes"] < HEAVIEST
