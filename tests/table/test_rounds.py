"""Several rounds: what each player was told adds up to what he holds, in every one of them."""

import pytest
from msgspec.structs import replace

from schemas.commands import RecordScore
from schemas.events import FiveDealt
from schemas.feed import Happened
from schemas.ids import SCORING
from schemas.refusals import Refusal
from schemas.views import HokmView
from services.rules import sight
from services.rules.match import game_of
from tests.table.hall import PLAYERS, Hall, assert_happened, assert_refused
from tests.table.playing import live, play_house, to_the_end_of_a_round


async def score(hall: Hall) -> None:
    """Say the score of the round that has ended."""
    found = live(hall)
    assert found.state.ended is not None
    assert found.ended_head is not None
    right = game_of(found.state).score(found.state.game)
    action = RecordScore(round=found.state.ended, of=found.ended_head, score=right)
    assert_happened(await hall.say(SCORING, action))


def dealt_to(hall: Hall, player: str) -> list[list[str]]:
    """The cards that the player's feed brought him, by round."""
    rounds: list[list[str]] = []
    for feed in hall.heard(player):
        if isinstance(feed, Happened):
            if isinstance(feed.event.body, FiveDealt):
                rounds.append([])
            if feed.cards:
                rounds[-1] += feed.cards
    return rounds


@pytest.mark.parametrize("show_five", [False, True])
async def test_H8_in_every_round_a_player_is_told_all_his_cards(show_five: bool) -> None:  # noqa: FBT001
    async with Hall() as hall:
        await hall.start(target=100, show_five_before_trump=show_five)
        for number in range(1, 8):
            await play_house(hall, own=True)
            for player in PLAYERS:
                view = (await hall.snapshot(player)).view
                assert isinstance(view, HokmView)
                told = dealt_to(hall, player)
                assert len(told) == number
                assert sorted(told[-1]) == sorted(view.hand)
                assert len(told[-1]) == 13
            await to_the_end_of_a_round(hall)
            await score(hall)
        assert sight.dealt(live(hall).state)


async def test_a_score_of_another_round_or_another_head_is_stale() -> None:
    async with Hall() as hall:
        await hall.start(target=100)
        await to_the_end_of_a_round(hall)
        found = live(hall)
        assert found.state.ended is not None
        assert found.ended_head is not None
        right = game_of(found.state).score(found.state.game)
        stale = RecordScore(round=found.state.ended, of="0" * 64, score=right)
        assert_refused(await hall.say(SCORING, stale), Refusal.STALE_MOVE)
        later = RecordScore(round=found.state.ended + 1, of=found.ended_head, score=right)
        assert_refused(await hall.say(SCORING, later), Refusal.STALE_MOVE)
        await score(hall)
        again = RecordScore(round=found.state.ended, of=found.ended_head, score=right)
        assert_refused(await hall.say(SCORING, again), Refusal.STALE_MOVE)
        assert hall.types().count("round_scored") == 1


async def test_a_wrong_score_is_not_recorded() -> None:
    async with Hall() as hall:
        await hall.start(target=100)
        await to_the_end_of_a_round(hall)
        found = live(hall)
        assert found.state.ended is not None
        assert found.ended_head is not None
        right = game_of(found.state).score(found.state.game)
        wrong = replace(right, points=99)
        action = RecordScore(round=found.state.ended, of=found.ended_head, score=wrong)
        assert_refused(await hall.say(SCORING, action), Refusal.NOT_ALLOWED)
