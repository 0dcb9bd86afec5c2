"""Whatever is changed in a match, the verifier names the version where it shows, and the check."""

import json
from copy import deepcopy
from random import Random
from typing import Any, Final

import pytest

from tests.verifier.forgeries import forgeries
from tests.verifier.matches import PLAYERS, Message, feed, match_file, played, text_of
from tests.verifier.node import Refused, verify_all
from tests.verifier.tables import GAMES, HOKM, SHORT

CASES: Final = [(game, name) for game in GAMES for name in forgeries(game)]
FLIPS: Final = 60
"""Bytes that are flipped, one a time."""
LINES: Final = 80
"""The lines of a match in which they are."""


@pytest.fixture(scope="module", params=GAMES)
def told(request: pytest.FixtureRequest) -> list[Message]:
    return feed(played(SHORT[request.param], GAMES[request.param]), PLAYERS[0])


@pytest.fixture(scope="module")
def found() -> dict[tuple[str, str], tuple[Any, Any]]:
    """Every forgery and the report on it."""
    feeds = {
        game: feed(played(SHORT[game], options), PLAYERS[0]) for game, options in GAMES.items()
    }
    forged = [forgeries(game)[name](deepcopy(feeds[game])) for game, name in CASES]
    reports = verify_all((one.messages, {"seat": 0, **one.options}) for one in forged)
    return dict(zip(CASES, zip(forged, reports, strict=True), strict=True))


@pytest.mark.parametrize("case", CASES, ids=": ".join)
def test_a_forgery_is_named_at_its_version(
    case: tuple[str, str], found: dict[tuple[str, str], tuple[Any, Any]]
) -> None:
    forged, report = found[case]
    assert not report["ok"]
    bad = report["firstBad"]
    assert (bad["step"], bad["version"]) == (forged.step, forged.version), bad


def test_the_match_that_is_forged_is_right(told: list[Message]) -> None:
    [report] = verify_all([(told, {"seat": 0})])
    assert report["whole"]


def test_a_flipped_byte_of_a_line_is_named_or_unreadable(told: list[Message]) -> None:
    luck, some = Random(1), told[:LINES]
    places = [luck.randrange(len(some)) for _ in range(FLIPS)]
    texts = [_with_a_flip(some, at, luck) for at in places]
    for at, report in zip(places, verify_all((text, {"seat": 0}) for text in texts), strict=True):
        if isinstance(report, Refused):
            assert f"line {at + 1}" in report or "line 1 " in report
        else:
            assert report["firstBad"]["version"] == at + 1, report["firstBad"]


def _with_a_flip(messages: list[Message], place: int, luck: Random) -> str:
    """A byte of that event, behind its version, is another; its head stays."""
    message = messages[place]
    line = text_of([message])
    event = json.dumps(message["event"], separators=(",", ":"))
    start = line.index(event) + event.index('"time"')
    at = luck.randrange(start, line.index(event) + len(event))
    other = chr(ord(line[at]) ^ 1 << luck.randrange(5))
    flipped = line[:at] + (other if other.isprintable() else "~") + line[at + 1 :]
    return text_of(messages[:place]) + flipped + text_of(messages[place + 1 :])


# Files ------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def lines() -> list[Message]:
    return match_file(played(21, HOKM), "judge")


def first_bad(lines: list[Message]) -> tuple[str, int]:
    [report] = verify_all([(lines, {})])
    assert not report["ok"]
    return report["firstBad"]["step"], report["firstBad"]["version"]


def test_a_cut_file_is_named_at_its_first_missing_version(lines: list[Message]) -> None:
    assert first_bad(lines[:-5]) == ("versions", len(lines) - 5)


def test_a_doubled_line_of_a_file_is_not_what_its_header_says(lines: list[Message]) -> None:
    assert first_bad([*lines, lines[-1]]) == ("header", len(lines) - 1)


@pytest.mark.parametrize("changed", [{"head": "5a" * 32}, {"over": False}, {"events": 3}])
def test_a_header_that_says_otherwise(lines: list[Message], changed: dict[str, Any]) -> None:
    assert first_bad([{**lines[0], **changed}, *lines[1:]]) == ("header", len(lines) - 1)


def test_a_header_of_another_match(lines: list[Message]) -> None:
    header = {**lines[0], "match": "m_" + "f" * 32}
    assert first_bad([header, *lines[1:]])[0] == "match"


def test_a_judges_pack_that_is_not_the_shuffle(lines: list[Message]) -> None:
    forged = deepcopy(lines)
    at = next(at for at, one in enumerate(forged) if one.get("pack"))
    forged[at]["pack"].reverse()
    assert first_bad(forged) == ("pack", at)


def test_a_seats_file_must_tell_every_card() -> None:
    lines = match_file(played(21, HOKM), "seat:2")
    at = next(at for at, one in enumerate(lines) if one.get("cards"))
    forged = [*lines[:at], {**lines[at], "cards": []}, *lines[at + 1 :]]
    assert first_bad(forged)[0] == "cards"
