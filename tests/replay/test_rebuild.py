"""Any match at any version, for any viewer."""

import msgspec
import pytest

from schemas.events import decode_event
from services.replay import rebuild
from services.rules import sight
from services.rules.history import unfold
from tests.streams import played

MATCH = played(7)
ROWS = MATCH.rows


def test_the_last_version_is_the_state_that_the_table_had() -> None:
    assert rebuild.at(ROWS).state == MATCH.live.state
    assert rebuild.at(ROWS).head == MATCH.live.head
    assert rebuild.at(ROWS).version == len(ROWS)


def test_every_version_is_the_fold_of_the_lines_up_to_it() -> None:
    for seen in unfold(row.entry for row in ROWS):
        moment = rebuild.at(ROWS, seen.event.version)
        assert moment.state == seen.after
        assert moment.head == seen.stored.head


def test_all_versions_of_one_fold_are_those_that_are_rebuilt_one_by_one() -> None:
    found = list(rebuild.moments(ROWS))
    assert found == [rebuild.at(ROWS, version) for version in range(1, len(ROWS) + 1)]
    assert found[11].event == decode_event(ROWS[11].entry.line)


def test_viewers_are_the_judge_the_public_and_each_seat() -> None:
    seats = ("seat:0", "seat:1", "seat:2", "seat:3")
    assert rebuild.viewers(ROWS[:1]) == ("judge", "public", *seats)
    for viewer in rebuild.viewers(ROWS):
        assert rebuild.seen_by(viewer, MATCH.live.state) is not None


@pytest.mark.parametrize("version", [0, -1, len(ROWS) + 1])
def test_a_version_that_the_match_has_not_is_an_index_error(version: int) -> None:
    with pytest.raises(IndexError, match="versions 1 to"):
        rebuild.at(ROWS, version)


def test_there_is_no_state_before_the_first_five_cards() -> None:
    types = [row.entry.type for row in ROWS]
    first = types.index("five_dealt") + 1
    assert rebuild.seen_by("judge", rebuild.at(ROWS, first - 1).state) is None
    assert rebuild.seen_by("public", rebuild.at(ROWS, first - 1).state) is None
    judge = rebuild.seen_by("judge", rebuild.at(ROWS, first).state)
    assert isinstance(judge, dict)
    assert judge["phase"] == "choosing_trump"
    assert [len(hand) for hand in judge["hands"]] == [5, 5, 5, 5]


def test_H25_between_a_rounds_end_and_the_next_deal_the_phase_is_scoring() -> None:
    types = [row.entry.type for row in ROWS]
    end = types.index("round_ended") + 1
    next_deal = next(at for at, name in enumerate(types, 1) if name == "five_dealt" and at > end)
    for version in range(end, next_deal):
        judge = rebuild.seen_by("judge", rebuild.at(ROWS, version).state)
        assert isinstance(judge, dict)
        assert (judge["phase"], judge["turn"], judge["round"]) == ("scoring", None, 1)


def test_each_viewer_sees_what_the_view_allows() -> None:
    state = rebuild.at(ROWS, len(ROWS) // 2).state
    for seat in range(4):
        found = rebuild.seen_by(f"seat:{seat}", state)
        assert found == msgspec.to_builtins(sight.view(state, seat))
    assert rebuild.seen_by("public", state) == msgspec.to_builtins(sight.view(state, None))


@pytest.mark.parametrize("viewer", ["seat:4", "seat:-1", "seat:", "seat:x", "everybody", ""])
def test_an_unknown_viewer_is_refused(viewer: str) -> None:
    with pytest.raises(rebuild.ViewerUnknown):
        rebuild.seen_by(viewer, MATCH.live.state)


def test_a_summary_says_how_it_stands() -> None:
    found = rebuild.summary(ROWS)
    assert (found.game, found.status, found.events) == ("hokm", "ended", len(ROWS))
    assert found.winner == MATCH.live.state.game.winner
    assert found.score == MATCH.live.state.totals
    running = rebuild.summary(ROWS[:20])
    assert (running.status, running.winner) == ("playing", None)
    assert rebuild.summary(ROWS[:2]).status == "lobby"
