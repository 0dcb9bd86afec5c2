"""Persons of Hand at the page, in a browser: a whole match each, on a phone and a desk.

The broker and the table worker are killed meanwhile. Pictures stay in `shots/hand/`.
`make persons` lets every guest come; every check some of them.
"""

import json
import shutil
from collections.abc import Mapping
from typing import Any, Final

import pytest

from schemas.commands import HandVariant
from tests.page.browsers import all_come
from tests.page.guests import Guest, Program, seen_by
from tests.service.up_process import CHECKOUT, Up

pytestmark = pytest.mark.slow

SHOTS: Final = CHECKOUT / "shots" / "hand"
MODULES: Final = ("eyes.mjs", "look_back.mjs")
LONGEST: Final = 900
"""Seconds that a person may sit there: a match has three rounds, of some forty turns."""
WORDS: Final = CHECKOUT / "services" / "web" / "static" / "words"
SENTENCES: Final = CHECKOUT / "schemas" / "texts"


class Player(Guest, frozen=True):
    """A guest who plays Hand, at such a table."""

    variant: HandVariant = "classic"
    seats: int = 2
    rounds: int = 3


ALL: Final = (
    Player("fa", 360, 740, breaks=True),
    Player("en", 1280, 800, keyboard=True, seats=3),
    Player("ar", 360, 640, variant="saudi", seats=3),
    Player("ar", 1280, 800, variant="saudi_partnership", seats=4),
    Player("en", 360, 640, seats=4),
    Player("fa", 1280, 800, variant="partnership", seats=4),
    Player("fa", 740, 360, seats=4),
)
AT_GATE: Final = 1
"""Guests that come to every check."""
GUESTS: Final = ALL if all_come() else ALL[:AT_GATE]
AT_ONCE: Final = 2
"""Tables that are played at at the same time."""


@pytest.fixture(scope="module")
def seen(up: Up, tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Any]:
    """What each guest saw, by name."""
    shutil.rmtree(SHOTS, ignore_errors=True)
    SHOTS.mkdir(parents=True)
    folder = tmp_path_factory.mktemp("person")
    program = Program("rummy.mjs", folder, MODULES, LONGEST, SHOTS)
    return seen_by(up, program, GUESTS, AT_ONCE)


@pytest.fixture(params=GUESTS, ids=lambda guest: guest.name)
def guest(request: pytest.FixtureRequest) -> Player:
    found: Player = request.param
    return found


@pytest.fixture
def found(seen: Mapping[str, Any], guest: Player) -> dict[str, Any]:
    one: dict[str, Any] = seen[guest.name]
    return one


@pytest.fixture
def words(guest: Player) -> dict[str, str]:
    said: dict[str, str] = json.loads((WORDS / f"{guest.language}.json").read_text())
    return said


def test_a_person_plays_a_whole_match(
    found: dict[str, Any], words: dict[str, str], guest: Player
) -> None:
    assert found.get("broken", False) == guest.breaks
    assert len(found["begun"]) >= guest.rounds
    assert found["rounds"] >= 1, "reckonings that were looked at"
    ours, theirs = words["match_ours"], words["match_theirs"]
    others = words["won_by"].partition("{who}")
    assert found["end"] in {words["you_won"], ours, theirs} or all(
        part in found["end"] for part in (others[0], others[2])
    )


def test_cards_that_are_no_meld_are_explained_and_the_master_says_what_he_would_do(
    found: dict[str, Any], guest: Player
) -> None:
    sentences = json.loads((SENTENCES / f"{guest.language}.json").read_text())
    reasons = json.loads((SENTENCES / "reasons" / f"{guest.language}.json").read_text())
    told = {sentences[code] for code in ("not_a_meld", "too_many_jokers", "opening_too_low")}
    assert found["refused"] in told
    assert any(found["advice"].startswith(text.partition(":")[0]) for text in reasons.values())
    assert found["marked"] > 0


def test_cards_are_put_elsewhere_by_pointer_and_by_keys(
    found: dict[str, Any], guest: Player
) -> None:
    before, after = found["arranged"]
    first, second, *rest = before
    if guest.keyboard:
        assert after == [second, first, *rest]
        assert found["focused"] == first
        assert found["chosen"] == rest[0]
    else:
        assert after == [second, *rest, first]


def test_the_whole_fire_pile_can_be_looked_at(found: dict[str, Any]) -> None:
    assert found["fire"] > 0


def test_the_match_is_watched_again_with_every_hand_open_and_its_deal_holds(
    up: Up, found: dict[str, Any], guest: Player
) -> None:
    past, check = found["past"], found["check"]
    where = {what: at for what, at, _ in past["moments"]}
    assert 0 < where["begins"] < where["ends"] == past["last"]
    assert all(text for _, _, text in past["moments"])
    assert past["fronts"] == guest.seats - 1
    assert past["fan"] == past["held"] > 0
    assert check["verdict"] == "whole"
    assert {ok for _, ok in check["steps"]} == {"true"}
    assert {"head", "secret", "cards"} <= {step for step, _ in check["steps"]}
    assert up.waraq("audit", check["file"]).code == 0


def test_nothing_runs_over_is_grave_for_axe_or_breaks_the_policy(found: dict[str, Any]) -> None:
    """What the policy forbids is an error on the browser's console."""
    assert found["overflowing"] == []
    assert found["violations"] == []
    assert found["errors"] == []
    assert found["hosts"] == ["127.0.0.1"]
