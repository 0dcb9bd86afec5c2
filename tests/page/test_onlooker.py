"""Somebody who looks at matches that others played, and that were put away, in a browser."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from msgspec import Struct

from tests.page.browsers import browser
from tests.page.guests import Program, said_by
from tests.service.up_process import CHECKOUT, Up, running, waraq

pytestmark = pytest.mark.slow

HERE: Final = Path(__file__).parent
GOLDEN: Final = CHECKOUT / "tests" / "golden"
SHOTS: Final = CHECKOUT / "shots" / "past"
SEATS: Final = {
    "hokm-five-shown": 4,
    "hand-classic-2": 2,
    "hand-saudi-3": 3,
    "hand-saudi_partnership-4": 4,
}
"""Matches that are looked at, each with its number of seats."""


class Onlooker(Struct, frozen=True):
    """Somebody with a screen of so many pixels, and what he looks at."""

    width: int
    height: int
    matches: tuple[str, ...]


LOOK: Final = {
    "fa": Onlooker(360, 640, ("hokm-five-shown", "hand-saudi_partnership-4")),
    "ar": Onlooker(360, 740, ("hokm-five-shown", "hand-saudi-3")),
    "en": Onlooker(1280, 800, ("hand-classic-2", "hand-saudi_partnership-4")),
}
WITHIN: Final = 200
"""Seconds that somebody may look."""


def match_of(name: str) -> str:
    header: dict[str, Any] = json.loads((GOLDEN / f"{name}.jsonl").read_text().partition("\n")[0])
    found: str = header["match"]
    return found


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    browser()
    data = tmp_path_factory.mktemp("onlooker") / "data"
    for name in SEATS:
        assert waraq(data, "import", str(GOLDEN / f"{name}.jsonl")).code == 0
    with running(data) as found:
        yield found


@pytest.fixture(scope="module", params=LOOK)
def seen(
    request: pytest.FixtureRequest, up: Up, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Any]:
    SHOTS.mkdir(parents=True, exist_ok=True)
    one = LOOK[request.param]
    asked = {
        "language": request.param,
        "width": one.width,
        "height": one.height,
        "keyboard": one.width > 1000,
        "matches": {name: match_of(name) for name in one.matches},
    }
    folder = tmp_path_factory.mktemp("onlooker")
    program = Program("onlooker.mjs", folder, ("eyes.mjs",), WITHIN, SHOTS)
    return said_by(up, program, asked)


def test_a_match_of_others_is_watched_as_anybody_and_with_every_hand_open(
    seen: dict[str, Any],
) -> None:
    for name, found in seen["matches"].items():
        assert found["eyes"] == ["public", "all", *map(str, range(SEATS[name]))]
        assert found["fronts"] == SEATS[name] - 1, name
        assert found["told"].strip(), name
        assert ("fire" in found) == name.startswith("hand"), name
        assert found.get("fire") != 0, "the whole fire pile may be looked at"


def test_its_deal_is_checked_without_cards_of_ones_own(seen: dict[str, Any]) -> None:
    assert {found["verdict"] for found in seen["matches"].values()} == {"whole"}


def test_nothing_runs_over_is_grave_for_axe_or_breaks_the_policy(seen: dict[str, Any]) -> None:
    assert seen["overflowing"] == []
    assert seen["violations"] == []
    assert seen["errors"] == []
