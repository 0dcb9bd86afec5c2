"""The past on the page: a match watched again is what the table had; a forged one is shown so."""

import asyncio
import json
from copy import deepcopy
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from schemas.commands import HokmOptions
from services.event_log.port import Row
from services.replay import rebuild
from services.rules import seats
from services.table import feeds
from tests.page.test_modules import node
from tests.replay.evening import EVA, WATCHER, evening
from tests.replay.test_time_travel import TABLES
from tests.table.hall import ANNE, BEHROUZ, MATCH, Hall
from tests.verifier.forgeries import forgeries
from tests.verifier.matches import PLAYERS, begun, feed, played
from tests.verifier.tables import GAMES, HOKM, SHORT

HERE: Final = Path(__file__).parent
CASES: Final = [(game, name) for game in GAMES for name in forgeries(game)]


@pytest.fixture(params=TABLES, scope="module")
def rows(request: pytest.FixtureRequest) -> tuple[Row, ...]:
    """An evening: one leaves and another sits in for him, he comes back, one sleeps."""

    async def play() -> tuple[Row, ...]:
        async with Hall() as hall:
            await evening(hall, TABLES[request.param], seed=len(request.param))
            return hall.rows()

    return asyncio.run(play())


def told(rows: tuple[Row, ...], player: str) -> list[Any]:
    """The whole history as that player is told it."""
    pages = [feeds.history(rows, MATCH, player, since) for since in range(0, len(rows), 200)]
    return [msgspec.to_builtins(one) for page in pages for one in page.events]


def rebuilt(rows: tuple[Row, ...], player: str) -> dict[str, Any]:
    """What the table had at each version, for every viewer that the page offers to that player:
    `mine` while he sat.
    """
    states = [moment.state for moment in rebuild.moments(rows)]
    sat = [seats.chair_of(one.chairs, player) for one in states]
    views = {"public": [_view("public", one) for one in states]}
    for seat in range(len(states[0].chairs)):
        views[str(seat)] = [_view(f"seat:{seat}", one) for one in states]
    if any(seat is not None for seat in sat):
        views["mine"] = [
            None if seat is None else _view(f"seat:{seat}", one)
            for one, seat in zip(states, sat, strict=True)
        ]
    judged: list[Any] = [rebuild.seen_by("judge", one) for one in states]
    return {
        "player": player,
        "messages": told(rows, player),
        "views": views,
        "hands": [one and [sorted(cards) for cards in one["hands"]] for one in judged],
        "sitting": [msgspec.to_builtins(seats.sitting(one.chairs)) for one in states],
    }


def _view(viewer: str, state: Any) -> Any:
    view: Any = rebuild.seen_by(viewer, state)
    return view and view | ({"playable": []} if "playable" in view else {})


@pytest.mark.parametrize(("player", "seat"), [(ANNE, 0), (BEHROUZ, 1), (EVA, 1), (WATCHER, None)])
def test_a_match_watched_again_is_what_the_table_had_for_every_viewer(
    rows: tuple[Row, ...], player: str, seat: int | None
) -> None:
    found = json.loads(node(HERE / "replayed.mjs", text=json.dumps(rebuilt(rows, player))))
    assert found["wrong"] == []
    assert found["seat"] == seat
    assert found["refused"] == {}, "every round of a match that is over is revealed"
    assert {"public", "all", "sitting", "0", "1"} <= set(found["compared"])
    assert ("mine" in found["compared"]) == (seat is not None)
    assert min(found["compared"].values()) > 8


@pytest.mark.parametrize("moves", [3, 20, 90])
def test_in_a_round_that_is_not_revealed_no_other_hand_can_be_looked_into(moves: int) -> None:
    table = begun(7, HokmOptions(target=7), moves=moves)
    messages = feed(table, PLAYERS[0])
    ended = [one["event"]["body"]["type"] for one in messages].count("round_revealed")
    views: dict[str, Any] = {name: [{}] * len(messages) for name in ("mine", "1", "2", "3")}
    nothing = [None] * len(messages)
    asked = {"messages": messages, "views": views, "hands": nothing, "sitting": nothing}
    asked["player"] = PLAYERS[0]
    found = json.loads(node(HERE / "replayed.mjs", text=json.dumps(asked)))
    assert set(found["refused"]) == {"1", "2", "3"}
    assert (ended > 0) == ("1" in found["compared"])


@pytest.fixture(scope="module")
def judgements() -> dict[tuple[str, str], tuple[Any, Any]]:
    """Every forgery and what the page's check says of it."""
    feeds = {game: feed(played(SHORT[game], GAMES[game]), PLAYERS[0]) for game in GAMES}
    forged = [forgeries(game)[name](deepcopy(feeds[game])) for game, name in CASES]
    asked = [
        {"messages": one.messages, "seat": 0, "head": one.options.get("head", [])} for one in forged
    ]
    found = json.loads(node(HERE / "checked.mjs", text=json.dumps(asked)))
    return dict(zip(CASES, zip(forged, found, strict=True), strict=True))


@pytest.mark.parametrize("case", CASES, ids=": ".join)
def test_a_forged_match_is_shown_as_wrong_and_its_event_first(
    case: tuple[str, str], judgements: dict[tuple[str, str], tuple[Any, Any]]
) -> None:
    forged, found = judgements[case]
    assert found["fault"] is None
    assert (found["first"]["step"], found["first"]["version"]) == (forged.step, forged.version)
    assert found["counts"]["wrong"] > 0
    assert found["wrong"], "the group that it is in is shown as wrong"
    assert found["all"]


def test_a_match_that_is_right_holds_in_every_step() -> None:
    messages = feed(played(SHORT["hokm"], HOKM), PLAYERS[0])
    heads = [messages[30]["head"], messages[-1]["head"]]
    asked = [{"messages": messages, "seat": 0, "head": heads}]
    [found] = json.loads(node(HERE / "checked.mjs", text=json.dumps(asked)))
    assert found["counts"]["wrong"] == found["counts"]["open"] == 0
    assert found["counts"]["held"] > 20
    assert found["wrong"] == []


def test_what_is_no_match_at_all_is_said_so() -> None:
    asked = [{"messages": [{}], "seat": 0, "head": []}]
    [found] = json.loads(node(HERE / "checked.mjs", text=json.dumps(asked)))
    assert found["fault"] == "unreadable"
