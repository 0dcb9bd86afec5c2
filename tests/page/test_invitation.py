"""Friends at the page, a browser each: invited by a link, refused, looking on, leaving."""

import json
from pathlib import Path
from typing import Any, Final

import pytest

from tests.page.guests import Program, said_by
from tests.service.up_process import CHECKOUT, Up

pytestmark = pytest.mark.slow

HERE: Final = Path(__file__).parent
SHOTS: Final = CHECKOUT / "shots" / "friends"
STATIC: Final = CHECKOUT / "services" / "web" / "static"
TEXTS: Final = CHECKOUT / "schemas" / "texts"
LONGEST: Final = 280
"""Seconds that the three may take."""
HOST: Final = {"language": "fa", "width": 360, "height": 640, "called": "آنه‌ماری"}
GUEST: Final = {
    "language": "en",
    "width": 1280,
    "height": 800,
    "keyboard": True,
    "called": "Bartholomew the Great II",
}
STRANGER: Final = {"language": "ar", "width": 360, "height": 640}
PERSONS: Final = ("host", "guest", "stranger")


@pytest.fixture(scope="module")
def told(up: Up, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the three saw."""
    SHOTS.mkdir(parents=True, exist_ok=True)
    persons = dict(zip(PERSONS, (HOST, GUEST, STRANGER), strict=True))
    folder = tmp_path_factory.mktemp("friends")
    program = Program("friends.mjs", folder, ("eyes.mjs", "hokm_hand.mjs"), LONGEST, SHOTS)
    return said_by(up, program, persons)


def words(language: str) -> dict[str, str]:
    found: dict[str, str] = json.loads((STATIC / "words" / f"{language}.json").read_text())
    return found


def test_a_friend_sees_the_rules_and_sits_down_by_the_link(told: dict[str, Any]) -> None:
    masked = words("en")["rules_masked"]
    assert told["rules"][1:] == [masked]
    assert "One round" in told["rules"][0]


def test_the_host_starts_only_when_all_are_there(told: dict[str, Any]) -> None:
    assert told["startsAlone"] is False


def test_a_wrong_code_is_refused_in_the_language_of_who_came_by_it(told: dict[str, Any]) -> None:
    assert told["refused"] == json.loads((TEXTS / "ar.json").read_text())["wrong_code"]


def test_each_is_called_by_his_own_name(told: dict[str, Any]) -> None:
    assert (told["host"], told["guest"]) == (HOST["called"], GUEST["called"])
    assert told["seen"]["host"]["named"] == words("fa")["name_kept"]


def test_a_sticker_is_seen_in_the_language_of_who_sees_it(told: dict[str, Any]) -> None:
    texts = json.loads((TEXTS / "stickers" / "en.json").read_text())
    assert told["sticker"] == texts["salam"]


def test_a_page_that_is_loaded_again_still_has_the_link(told: dict[str, Any]) -> None:
    assert told["kept"] is True


def test_friends_play_a_whole_match_and_win_or_lose_it_together(told: dict[str, Any]) -> None:
    keys = ("match_ours", "match_theirs")
    host, guest = ([words(language)[key] for key in keys] for language in ("fa", "en"))
    ends = (told["seen"]["host"]["end"], told["seen"]["guest"]["end"])
    assert ends in zip(host, guest, strict=True)


def test_who_has_no_seat_looks_on_without_cards(told: dict[str, Any]) -> None:
    assert told["seen"]["stranger"]["watched"] == {"plates": 4, "cards": 0}


def test_who_left_for_good_is_played_by_the_house_and_may_come_back_there(
    told: dict[str, Any],
) -> None:
    assert told["cameBack"] is True


def test_a_table_of_hand_waits_for_its_friend_too(told: dict[str, Any]) -> None:
    assert words("en")["variant_classic"] in told["handRules"][0]
    assert told["handTurns"] == [0, 1]


@pytest.mark.parametrize("who", PERSONS)
def test_nothing_runs_over_is_grave_for_axe_or_breaks_the_policy(
    told: dict[str, Any], who: str
) -> None:
    seen = told["seen"][who]
    assert seen["overflowing"] == []
    assert seen["violations"] == []
    assert seen["errors"] == []
    assert seen["hosts"] == ["127.0.0.1"]
