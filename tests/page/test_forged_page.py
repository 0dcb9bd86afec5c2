"""A page that was tampered with reads no other seat, speaks for none, and takes no program in."""

from typing import Any

import pytest

from tests.page.guests import Program, said_by
from tests.service.up_process import Up

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def seen(up: Up, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return said_by(up, Program("forger.mjs", tmp_path_factory.mktemp("forger")), {})


def test_he_hears_nothing_but_his_own_feed(seen: dict[str, Any]) -> None:
    subjects = {one["subject"] for one in seen["told"]}
    assert subjects == {f"feed.{seen['forger']}.{seen['held']['match']}"}
    assert any("ermission" in why for why in seen["stopped"])


def test_what_he_is_told_of_the_match_is_what_everybody_may_see(seen: dict[str, Any]) -> None:
    said = {one["said"]["type"]: one["said"] for one in seen["told"]}
    view = said["snapshot"]["view"]
    assert (view["seat"], view["hand"], view["playable"]) == (None, [], [])
    assert len(seen["held"]["cards"]) > 10
    assert all(event["cards"] == [] for event in said["history"]["events"])
    codes = [one["said"]["code"] for one in seen["told"] if one["said"]["type"] == "refused"]
    assert set(codes) == {"not_seated"}


def test_the_seat_is_still_its_owners_to_play(seen: dict[str, Any]) -> None:
    assert seen["still"] == len(seen["held"]["cards"]) - 1


def test_the_policy_lets_no_program_in_and_nothing_out(seen: dict[str, Any]) -> None:
    tried = seen["tried"]
    assert tried.pop("ran") is False
    assert tried.pop("eval") in {"TypeError", "EvalError"}
    assert set(tried.values()) == {"TypeError"}
