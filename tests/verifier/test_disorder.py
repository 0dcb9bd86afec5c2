"""What may not come where it stands is named, and nothing that a log may say ends the verifier."""

from collections.abc import Iterator
from copy import deepcopy
from random import Random
from typing import Any, Final

import pytest

from schemas.commands import AbandonMatch
from schemas.ids import OPS
from tests.verifier.disorder import GIVEN_UP, LINES, disorders, put_in
from tests.verifier.forgeries import Forged, Forgery, numbered
from tests.verifier.matches import PLAYERS, Message, begun, chained, feed, played
from tests.verifier.node import Refused, verify_all
from tests.verifier.tables import GAMES, SHORT

FREE: Final = {"seat_taken", "nonce_added", "melds_laid", "card_laid_off", "joker_swapped"}
"""What may come earlier or later as far as the order and the packs go."""
GARBAGE: Final[tuple[Any, ...]] = (
    None,
    -1,
    3,
    10**15,
    0.5,
    "",
    "deal",
    "__proto__",
    [],
    [[]],
    ["AS"],
    {},
    True,
)


def whole(game: str) -> list[Message]:
    return feed(played(SHORT[game], GAMES[game]), PLAYERS[0])


def first_round(messages: list[Message]) -> list[Message]:
    """The beginning of a match up to its first score."""
    kinds = [one["event"]["body"]["type"] for one in messages]
    return messages[: kinds.index("round_scored") + 1]


def given_up(game: str) -> list[Message]:
    """A match that an operator ends in its first round."""
    table = begun(SHORT[game], GAMES[game], moves=30)
    table.say(OPS, AbandonMatch(reason="operator"))
    return feed(table, PLAYERS[0])


def cases() -> Iterator[tuple[str, list[Message], Forgery]]:
    for game in GAMES:
        right, left = whole(game), given_up(game)
        yield from ((f"{game}: {name}", right, it) for name, it in disorders(game).items())
        yield from ((f"{game}: {name}", left, it) for name, it in GIVEN_UP[game].items())
    yield from ((f"line: {name}", given_up("hokm"), it) for name, it in LINES.items())


NAMES: Final = [
    *(f"{game}: {name}" for game in GAMES for name in (*disorders(game), *GIVEN_UP[game])),
    *(f"line: {name}" for name in LINES),
]


@pytest.fixture(scope="module")
def found() -> dict[str, tuple[Forged, Any]]:
    """Every forgery and the report on it."""
    forged = {name: forge(deepcopy(messages)) for name, messages, forge in cases()}
    reports = verify_all((one.messages, {"seat": 0}) for one in forged.values())
    return dict(zip(forged, zip(forged.values(), reports, strict=True), strict=True))


@pytest.mark.parametrize("name", NAMES)
def test_what_may_not_come_is_named_at_its_version(
    name: str, found: dict[str, tuple[Forged, Any]]
) -> None:
    forged, report = found[name]
    bad = report["firstBad"]
    assert (bad["step"], bad["version"]) == (forged.step, forged.version), bad


# Whole matches taken apart ----------------------------------------------------------------------


def some_of_each(messages: list[Message], luck: Random) -> list[int]:
    """The place of one event of each type but the opening."""
    places: dict[str, list[int]] = {}
    for at, one in enumerate(messages[1:], 1):
        places.setdefault(one["event"]["body"]["type"], []).append(at)
    return [luck.choice(some) for some in places.values()]


def moved(messages: list[Message], at: int, to: int) -> list[Message]:
    rest = messages[:at] + messages[at + 1 :]
    return numbered([*rest[:to], messages[at], *rest[to:]])


def taken_apart(messages: list[Message], luck: Random) -> Iterator[list[Message]]:
    """Of each type one event dropped (but for the end), one doubled, and one moved elsewhere."""
    kinds = [one["event"]["body"]["type"] for one in messages]
    for at in some_of_each(messages, luck):
        if kinds[at] in FREE:
            continue
        if messages[at] is not messages[-1]:
            yield numbered(messages[:at] + messages[at + 1 :])
        yield numbered(messages[: at + 1] + messages[at:])
        others = [to for to, kind in enumerate(kinds) if abs(to - at) > 1 and kind != kinds[at]]
        yield moved(messages, at, luck.choice(others))


@pytest.mark.parametrize("game", GAMES)
def test_what_deals_draws_plays_or_ends_cannot_be_dropped_doubled_or_moved(game: str) -> None:
    luck = Random(1)
    matches = (first_round(whole(game)), given_up(game))
    apart = [one for match in matches for one in taken_apart(match, luck)]
    for messages, report in zip(
        apart, verify_all((one, {"seat": 0}) for one in apart), strict=True
    ):
        assert report["ok"] is False, messages


def test_any_event_anywhere_ends_in_a_report() -> None:
    """Of every type of both games one is put into the other's matches, and into its own."""
    luck = Random(2)
    matches = [given_up(game) for game in GAMES]
    strange = [one["event"] for game in GAMES for one in whole(game)]
    bodies = list({event["body"]["type"]: event for event in strange}.values())
    put = [
        put_in(match, at, event["body"], event["seat"])
        for match in matches
        for event in bodies
        for at in luck.sample(range(1, len(match)), 3)
    ]
    for report in verify_all((one, {"seat": 0}) for one in put):
        assert isinstance(report["ok"], bool)


@pytest.mark.parametrize("game", GAMES)
def test_what_another_game_would_say_of_a_result_is_not_read(game: str) -> None:
    messages = deepcopy(whole(game))
    for one in messages:
        if one["event"]["body"]["type"] == "round_ended":
            result = one["event"]["body"]["result"]
            result["left" if game == "hokm" else "tricks"] = {"length": 4 if game == "hokm" else 2}
    [report] = verify_all([(chained(messages), {"seat": 0})])
    assert report["ok"], report["firstBad"]


# Garbage ----------------------------------------------------------------------------------------


def spoiled(messages: list[Message], luck: Random) -> Iterator[list[Message]]:
    """Each field of one body of each type deleted, and made something else."""
    for at in (0, *some_of_each(messages, luck)):
        body = messages[at]["event"]["body"]
        for name in body:
            without = {key: value for key, value in body.items() if key != name}
            for other in (without, {**body, name: luck.choice(GARBAGE)}):
                changed = {**messages[at], "event": {**messages[at]["event"], "body": other}}
                yield chained([*messages[:at], changed, *messages[at + 1 :]])


@pytest.mark.parametrize("game", GAMES)
def test_no_garbage_in_a_body_ends_the_verifier(game: str) -> None:
    """All that may come is a report, or that it cannot be read."""
    luck = Random(3)
    matches = (first_round(whole(game)), given_up(game))
    apart = [one for match in matches for one in spoiled(match, luck)]
    for report in verify_all((one, {"seat": 0}) for one in apart):
        assert isinstance(report, Refused) or isinstance(report["ok"], bool)
