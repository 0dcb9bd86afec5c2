"""Persons at the page, in a browser: a whole match each, in every language, on a phone and a desk.

The broker and the table worker are killed meanwhile. Pictures stay in `shots/hokm/`.
"""

import json
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

import pytest
from msgspec import Struct

from tests.npm_packages import NODE, beside_packages
from tests.page.browsers import browser
from tests.service.up_process import CHECKOUT, Up, running
from tests.verifier.node import VERIFIER

pytestmark = pytest.mark.slow

SHOTS: Final = CHECKOUT / "shots" / "hokm"
PERSON: Final = Path(__file__).parent / "person.mjs"
EYES: Final = Path(__file__).parent / "eyes.mjs"
HOKM: Final = Path(__file__).parent / "hokm_hand.mjs"
BACK: Final = Path(__file__).parent / "look_back.mjs"
LONGEST: Final = 240
"""Seconds that a person may sit there."""
HEAVIEST: Final = 400_000
"""Bytes that the page may have, with all its rooms, as they come over the wire."""
WORDS: Final = CHECKOUT / "services" / "web" / "static" / "words"
SENTENCES: Final = CHECKOUT / "schemas" / "texts"


class Guest(Struct, frozen=True):
    """How somebody comes: `width` and `height` in pixels; `keyboard`: without a pointer."""

    language: str
    width: int
    height: int
    keyboard: bool = False
    target: int = 1
    breaks: bool = False

    @property
    def name(self) -> str:
        return f"{self.language}-{self.width}"


GUESTS: Final = (
    Guest("fa", 360, 740, breaks=True),
    Guest("ar", 360, 640),
    Guest("en", 360, 640),
    Guest("en", 1280, 800, keyboard=True),
)


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    browser()
    with running(tmp_path_factory.mktemp("page") / "data") as found:
        yield found


@pytest.fixture(scope="module")
def seen(up: Up, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What each guest saw, by name: they sit at their tables at once."""
    shutil.rmtree(SHOTS, ignore_errors=True)
    SHOTS.mkdir(parents=True)
    program = beside_packages(PERSON, tmp_path_factory.mktemp("person"), EYES, HOKM, BACK)
    with ThreadPoolExecutor() as pool:
        found = pool.map(lambda guest: sat(up, program, guest), GUESTS)
        return {guest.name: one for guest, one in zip(GUESTS, found, strict=True)}


def sat(up: Up, program: Path, guest: Guest) -> dict[str, Any]:
    asked = {
        "url": f"{up.ready['web']}/",
        "browser": browser(),
        "shots": str(SHOTS),
        **{name: getattr(guest, name) for name in guest.__struct_fields__},
    }
    with subprocess.Popen(
        [NODE, program, json.dumps(asked)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as process:
        assert process.stdout is not None
        if guest.breaks and process.stdout.readline() == b"break\n":
            break_down(up)
        said, _ = process.communicate(timeout=LONGEST)
    found: dict[str, Any] = json.loads(said)
    return found


def break_down(up: Up) -> None:
    children = up.children()
    for name in ("nats-server", "table"):
        os.kill(children[name], signal.SIGKILL)


@pytest.mark.parametrize("guest", GUESTS, ids=lambda guest: guest.name)
def test_a_person_plays_a_whole_match(seen: dict[str, Any], guest: Guest) -> None:
    found = seen[guest.name]
    assert "stuck" not in found, found
    words = json.loads((WORDS / f"{guest.language}.json").read_text())
    assert found["end"] in {words["match_ours"], words["match_theirs"]}
    assert found["direction"] == ("ltr" if guest.language == "en" else "rtl")
    assert found["reloaded"]
    assert found.get("broken", False) == guest.breaks


@pytest.mark.parametrize("guest", GUESTS, ids=lambda guest: guest.name)
def test_an_illegal_card_is_explained_and_the_master_gives_a_reason(
    seen: dict[str, Any], guest: Guest
) -> None:
    sentences = json.loads((SENTENCES / f"{guest.language}.json").read_text())
    reasons = json.loads((SENTENCES / "reasons" / f"{guest.language}.json").read_text())
    found = seen[guest.name]
    assert found["refused"] in {None, sentences["must_follow_suit"]}
    assert any(found["advice"].startswith(text.partition(":")[0]) for text in reasons.values())


def test_the_keyboard_is_somewhere_when_a_panel_has_closed(seen: dict[str, Any]) -> None:
    assert {guest.name: seen[guest.name]["adrift"] for guest in GUESTS if guest.keyboard} == {
        "en-1280": []
    }


def test_some_illegal_card_was_tried(seen: dict[str, Any]) -> None:
    assert any(found["refused"] for found in seen.values())


@pytest.mark.parametrize("guest", GUESTS, ids=lambda guest: guest.name)
def test_nothing_runs_over_is_grave_for_axe_or_breaks_the_policy(
    seen: dict[str, Any], guest: Guest
) -> None:
    """What the policy forbids is an error on the browser's console."""
    found = seen[guest.name]
    assert found["overflowing"] == []
    assert found["violations"] == []
    assert found["errors"] == []


@pytest.mark.parametrize("guest", GUESTS, ids=lambda guest: guest.name)
def test_a_match_is_watched_again_by_slider_keys_and_jumps_with_other_eyes(
    seen: dict[str, Any], guest: Guest
) -> None:
    past = seen[guest.name]["past"]
    where = {what: at for what, at, _ in past["moments"]}
    assert where["begins"] == 0
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
    up: Up, seen: dict[str, Any], guest: Guest
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


def test_no_request_leaves_the_host_and_the_page_is_light(seen: dict[str, Any]) -> None:
    for found in seen.values():
        assert found["hosts"] == ["127.0.0.1"]
        assert 100_000 < found["bytes"] < HEAVIEST
