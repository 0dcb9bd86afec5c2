"""Every list of the page, what cannot be had, and the classic cards, looked at in a browser.

In every language on a phone, and by keys on a desk. Pictures stay in `shots/lists/`.
"""

import asyncio
import json
import shutil
from collections.abc import Iterator, Mapping
from typing import Any, Final

import pytest
from msgspec import structs

from services.runtime.key_files import create_key
from tests.page.browsers import browser
from tests.page.busy_house import DAILY, NAMES, TABLES, furnished
from tests.page.guests import Guest, Program, seen_by
from tests.service.up_process import CHECKOUT, Up, running

pytestmark = pytest.mark.slow

SHOTS: Final = CHECKOUT / "shots" / "lists"
LONGEST: Final = 150
"""Seconds that somebody may look."""
AT_ONCE: Final = 2
"""Browsers, for so many cores there are."""
WORDS: Final = CHECKOUT / "services" / "web" / "static" / "words"
PAGE: Final = 20
"""Rows of a page."""


class Looker(Guest, frozen=True):
    """A guest who looks: `failing`: also at what cannot be had; `cards`: at the classic cards."""

    failing: bool = False
    cards: bool = False


GUESTS: Final = (
    Looker("fa", 360, 740, failing=True, cards=True),
    Looker("en", 1280, 800, keyboard=True, cards=True),
    Looker("ar", 360, 640),
    Looker("en", 360, 640),
)


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    """A service that counts free matches."""
    browser()
    folder = tmp_path_factory.mktemp("lists")
    create_key(folder / "ticket.key")
    tickets = {
        "WARAQ_TICKET_KEY_FILE": str(folder / "ticket.key"),
        "WARAQ_DAILY_MATCHES": str(DAILY),
    }
    with running(folder / "data", **tickets) as found:
        yield found


@pytest.fixture(scope="module")
def seen(up: Up, tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Any]:
    """What each saw, by name."""
    shutil.rmtree(SHOTS, ignore_errors=True)
    SHOTS.mkdir(parents=True)
    house = asyncio.run(furnished(up))
    folder = tmp_path_factory.mktemp("person")
    program = Program("lists.mjs", folder, ("eyes.mjs",), LONGEST, SHOTS)
    return seen_by(up, program, GUESTS, AT_ONCE, structs.asdict(house))


@pytest.mark.parametrize("guest", GUESTS, ids=lambda guest: guest.name)
def test_nothing_runs_over_is_grave_for_axe_or_an_error(
    seen: Mapping[str, Any], guest: Looker
) -> None:
    found = seen[guest.name]
    assert found["overflowing"] == []
    assert found["violations"] == []
    assert found["errors"] == []
    assert found["hosts"] == ["127.0.0.1"]


def test_tables_are_read_in_pages_and_lead_to_their_lobby(seen: Mapping[str, Any]) -> None:
    for found in seen.values():
        assert found["tables"] == [PAGE, TABLES + 1]  # hers waits too
        assert found["leads"].startswith("#m_")


def test_she_stands_under_those_of_the_first_page_and_her_name_is_only_text(
    seen: Mapping[str, Any],
) -> None:
    for found in seen.values():
        assert (found["mine"], found["name"], found["records"]) == (1, NAMES[0], 1)


def test_her_matches_lead_on_or_to_their_past(seen: Mapping[str, Any]) -> None:
    for found in seen.values():
        states = found["states"]
        assert set(states) - {"won", "lost"} == {"playing", "lobby", "ended"}
        assert {"won", "lost"} & set(states)
        running = [one for one in states if one in {"playing", "lobby"}]
        over = len(states) - len(running)
        assert found["links"] == [*["#m"] * len(running), *["#m/replay", "#m/check"] * over]


def test_how_many_free_matches_are_left_is_said_in_the_language(seen: Mapping[str, Any]) -> None:
    left = {"fa": "۳۵", "ar": "٣٥", "en": "35"}
    for guest in GUESTS:
        assert left[guest.language] in seen[guest.name]["free"]


def test_the_classic_cards_are_pictures_with_four_colours_too(seen: Mapping[str, Any]) -> None:
    for found in (seen[guest.name] for guest in GUESTS if guest.cards):
        assert found["light"] == 0
        assert found["four"]
        for suit, fragment in found["four"]:
            assert fragment == ("#four" if suit in "CD" else "")
    assert seen["en-1280"]["back"] == "false", "Escape gives the keyboard back to what opened"


@pytest.mark.parametrize("guest", [one for one in GUESTS if one.failing], ids=lambda one: one.name)
def test_a_page_that_cannot_be_opened_says_so_and_is_tried_again(
    seen: Mapping[str, Any], guest: Guest
) -> None:
    found = seen[guest.name]
    words = json.loads((WORDS / f"{guest.language}.json").read_text())
    assert found["away"] == ["fa", "ar", "en"]
    assert words["try_again"] in found["shut"]
    assert words["too_many"].partition("{")[0] in found["shut"]
