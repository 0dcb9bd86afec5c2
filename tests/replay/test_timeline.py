"""Walking through a match: where one stops, and what lies at each stop."""

from random import Random

import pytest

from schemas.cards import HAND_PACK
from schemas.events import CardDiscarded, FiveDealt, HandDealt, RoundEnded, TrickTaken
from services.replay import timeline as timelines
from services.replay.rebuild import at
from services.replay.timeline import next_stop, stop_before, timeline
from tests.streams import played
from tests.table.test_hidden_hand import VARIANTS, mover
from tests.table.twins import Script

ROWS = played(7).rows
LINE = timeline(ROWS)


def test_every_moment_is_the_version_that_was_asked_for() -> None:
    assert LINE.last == len(ROWS)
    for version in (1, 40, len(ROWS)):
        assert LINE.at(version) == at(ROWS, version)


def test_in_hokm_one_stops_at_tricks_and_rounds() -> None:
    kinds = {type(LINE.at(version).event.body) for version in LINE.turns}
    assert kinds == {FiveDealt, TrickTaken, RoundEnded}
    rounds = [LINE.at(version).event.body for version in LINE.rounds]
    assert [body.round for body in rounds if isinstance(body, FiveDealt)] == [1, 2, 3]


def test_in_hand_one_stops_at_throws_and_rounds() -> None:
    script = Script(3, VARIANTS[0], HAND_PACK, mover)
    for _ in range(30):
        script.move()
    line = timeline(script.rows)
    kinds = {type(line.at(version).event.body) for version in line.turns}
    assert kinds == {HandDealt, CardDiscarded}
    assert len(line.rounds) == 1


def test_stops_before_and_after_any_version_are_the_nearest() -> None:
    dice = Random(1)
    for _ in range(200):
        version = dice.randint(1, LINE.last)
        after = [stop for stop in LINE.turns if stop > version]
        before = [stop for stop in LINE.turns if stop < version]
        assert next_stop(LINE, LINE.turns, version) == min(after, default=LINE.last)
        assert stop_before(LINE.turns, version) == max(before, default=1)


def test_more_moments_than_are_kept_in_memory_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timelines, "MOST_MOMENTS", len(ROWS) - 1)
    with pytest.raises(AssertionError, match="kept in memory"):
        timeline(ROWS)
