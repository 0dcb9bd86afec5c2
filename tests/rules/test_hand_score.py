"""N25, N26, N40 to N47: the end of a round, Hand, penalties, totals, tie-breaks, the winner."""

from typing import Any

import msgspec
import pytest

from schemas.commands import Discard, GameAction, HandOptions, HandScore, LayOff, SwapJoker
from schemas.events import HandDealt, HandRound, MatchAbandoned, MatchEnded, RoundEnded, RoundScored
from schemas.refusals import Refusal
from services.rules.decider import Fact
from services.rules.hand import GAME
from services.rules.hand.score import round_score
from services.rules.hand.state import HandState, Turn
from tests.rules.hand_play import (
    CLASSIC,
    Steps,
    after,
    cards,
    follow,
    lay,
    position,
    refusal,
    said,
    scored,
    void_round,
)

SIDES = HandOptions(variant="partnership", seats=4, rounds=3)
SAUDI_SIDES = HandOptions(variant="saudi_partnership", seats=4, rounds=3)
THREE = HandOptions(variant="classic", seats=3, rounds=3)
TWO = HandOptions(variant="saudi", seats=2, rounds=3)
EXAMPLE = (cards(""), cards("KS1 7D1 JK1"), cards("AC1 3H1"), cards("2S1"))
"""P1 went out; P2 opened with 32 left, P3 opened with 14 left, P4 has not opened."""


def ended(**given: Any) -> HandRound:
    opened = (True, True, True, False)
    words: dict[str, Any] = {"went_out": 0, "hand": False, "opened": opened, "left": EXAMPLE}
    return HandRound(**words | given)


def result(steps: Steps) -> HandRound:
    body = steps[-1][0].body
    assert isinstance(body, RoundEnded)
    assert isinstance(body.result, HandRound)
    return body.result


# The end of a round ---------------------------------------------------------------------------


def test_N25_an_empty_hand_ends_the_round_at_once_after_a_discard() -> None:
    steps = said(position("2S1"), Discard(card="2S1"))
    assert result(steps) == HandRound(
        went_out=0,
        hand=True,
        opened=(True, False, False, False),
        left=((), *(cards("9C2"),) * 3),
    )
    assert (steps[-1][1].step, steps[-1][1].turn, steps[-1][0].origin) == ("score", None, "rule")


def test_N25_after_melds_an_opening_and_a_lay_off_as_well() -> None:
    assert result(said(position("2S1 2H1 2D1"), lay("2S1 2H1 2D1"))).went_out == 0
    opening = "KS1 KH1 KD1 QS1 QH1 QD1"
    steps = said(position(opening, opened=False), lay("KS1 KH1 KD1, QS1 QH1 QD1"))
    assert result(steps).went_out == 0
    steps = said(position("8H1", table="5H1 6H1 7H1"), LayOff(meld=1, card="8H1"))
    assert result(steps).went_out == 0


def test_N25_a_swap_ends_nothing_for_the_joker_is_in_the_hand() -> None:
    state = after(position("9C1", table="9S1 9H1 JK1"), SwapJoker(meld=1, card="9C1"))
    assert (state.step, state.turn) == ("act", 0)
    assert result(said(state, LayOff(meld=1, card="JK1"))).went_out == 0


# Hand -----------------------------------------------------------------------------------------


def is_hand(state: HandState, *actions: GameAction) -> bool:
    return result(said(after(state, *actions[:-1]), actions[-1])).hand


def test_N26_hand_is_all_down_in_one_turn() -> None:
    state = position("KS1 KH1 KD1 QS1 QH1 QD1 2S1 2H1 2D1 7C1", opened=False, now=Turn(taken="KS1"))
    opening = lay("KS1 KH1 KD1, QS1 QH1 QD1")
    assert is_hand(state, opening, lay("2S1 2H1 2D1"), Discard(card="7C1"))


def test_N26_lay_offs_and_swaps_on_own_melds_of_this_turn_are_fine() -> None:
    state = position("5H1 JK1 7H1 6H1 8H1 7C1")
    actions = (
        lay("5H1 JK1 7H1"),
        SwapJoker(meld=1, card="6H1"),
        LayOff(meld=1, card="8H1"),
        LayOff(meld=1, card="JK1"),
        Discard(card="7C1"),
    )
    assert is_hand(state, *actions)


def test_N26_no_hand_for_who_put_something_down_in_an_earlier_turn() -> None:
    assert not is_hand(position("2S1", placed=(True, False, False, False)), Discard(card="2S1"))
    assert is_hand(position("2S1", placed=(False, True, True, True)), Discard(card="2S1"))


@pytest.mark.parametrize("first", ["lay", "lay off", "swap"])
def test_N26_what_is_put_down_in_one_turn_counts_in_the_next(first: str) -> None:
    actions: dict[str, GameAction] = {
        "lay": lay("2S1 2H1 2D1"),
        "lay off": LayOff(meld=1, card="9D1"),
        "swap": SwapJoker(meld=1, card="9D1"),
    }
    state = after(position("2S1 2H1 2D1 9D1 7C1 8C1", table="9S1 9H1 JK1"), actions[first])
    if first == "swap":
        state = after(state, LayOff(meld=1, card="JK1"))
    assert after(state, Discard(card="7C1")).placed == (True, False, False, False)


def test_N26_a_turn_of_a_discard_alone_puts_nothing_down() -> None:
    assert after(position("2S1 7C1"), Discard(card="7C1")).placed == (False,) * 4


@pytest.mark.parametrize("owner", [1, 2, 3])
def test_N26_no_hand_after_a_lay_off_on_another_meld_a_partners_too(owner: int) -> None:
    state = position("8H1 7C1", table="5H1 6H1 7H1", options=SIDES)
    state = msgspec.structs.replace(
        state, melds=(msgspec.structs.replace(state.melds[0], owner=owner),)
    )
    assert not is_hand(state, LayOff(meld=1, card="8H1"), Discard(card="7C1"))


def test_N26_no_hand_after_a_swap_on_another_meld() -> None:
    state = position("9C1 7C1", table="9S1 9H1 JK1")
    actions = (SwapJoker(meld=1, card="9C1"), LayOff(meld=1, card="JK1"), Discard(card="7C1"))
    assert not is_hand(state, *actions)


def test_N26_what_others_did_abroad_this_round_does_not_matter() -> None:
    state = position("2S1 7C1", now=Turn(abroad=True, placed=True))
    state = after(state, Discard(card="7C1"))
    state = msgspec.structs.replace(state, step="act")
    assert is_hand(state, Discard(card="9C2"))


# Penalties ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "hand", "penalties"),
    [
        (CLASSIC, False, (-30, 32, 14, 100)),
        (CLASSIC, True, (-60, 64, 28, 200)),
        (SIDES, False, (-30, 132)),
        (SIDES, True, (-60, 264)),
    ],
)
def test_N40_N41_N42_N43_N45_the_worked_example(
    options: HandOptions, penalties: tuple[int, ...], *, hand: bool
) -> None:
    assert round_score(options, ended(hand=hand)) == HandScore(penalties=penalties, void=False)


def test_N45_an_unopened_saudi_side_pays_100_for_each_seat() -> None:
    unopened = ended(opened=(True, False, True, False))
    assert round_score(SAUDI_SIDES, unopened).penalties == (-30, 200)
    doubled = ended(opened=(True, False, True, False), hand=True)
    assert round_score(SAUDI_SIDES, doubled).penalties == (-60, 400)


def test_N41_an_opened_hand_may_cost_more_than_one_that_is_not() -> None:
    left = ((), cards("KS1 KH1 KD1 KC1 QS1 QH1 QD1 QC1 JS1 JH1 AS1"), cards("2S1"), cards("2S2"))
    assert round_score(CLASSIC, ended(left=left)).penalties == (-30, 111, 2, 100)


@pytest.mark.parametrize(
    ("options", "zeros"), [(CLASSIC, 4), (THREE, 3), (TWO, 2), (SIDES, 2), (SAUDI_SIDES, 2)]
)
def test_N44_a_void_round_costs_nobody_anything(options: HandOptions, zeros: int) -> None:
    void = HandRound(
        went_out=None,
        hand=False,
        opened=(False,) * options.seats,
        left=(cards("KS1"),) * options.seats,
    )
    assert round_score(options, void) == HandScore(penalties=(0,) * zeros, void=True)


def test_the_round_is_its_who_went_out() -> None:
    assert GAME.round_winners(HandScore(penalties=(14, -30, 100), void=False)) == (1,)
    assert GAME.round_winners(HandScore(penalties=(264, -60), void=False)) == (1, 3)
    assert GAME.round_winners(HandScore(penalties=(0, 0, 0), void=True)) == ()


def test_the_score_of_a_round_is_that_of_its_last_fact() -> None:
    steps = said(position("2S1", others="9C2 KD1"), Discard(card="2S1"))
    state = steps[-1][1]
    assert GAME.score(state) == round_score(CLASSIC, result(steps))
    assert GAME.totals(state, GAME.score(state)) == (-60, 200, 200, 200)


# Totals, tie-breaks, the winner ---------------------------------------------------------------


def round_over(options: HandOptions = CLASSIC, **given: Any) -> HandState:
    """A round that waits for its score: seat 0 went out, and not with Hand; the others pay 100."""
    placed = (True, *(False for _ in range(options.seats - 1)))
    state = position("2S1", options=options, placed=placed, **given)
    return said(state, Discard(card="2S1"))[-1][1]


def after_score(state: HandState) -> Steps:
    return follow(state, scored(state))


def test_N46_totals_add_up_over_the_rounds() -> None:
    state = after_score(round_over(totals=(7, -30, 100, 0)))[0][1]
    assert state.totals == (-23, 70, 200, 100)


@pytest.mark.parametrize("rounds", [3, 5, 7, 9])
def test_N1_exactly_so_many_rounds_are_played(rounds: Any) -> None:
    options = HandOptions(variant="classic", seats=4, rounds=rounds)
    before = after_score(round_over(options, round=rounds - 1))
    assert (before[0][1].contenders, GAME.winner(before[0][1])) == ((0, 1, 2, 3), None)
    assert isinstance(before[-1][0].body, HandDealt)
    last = after_score(round_over(options, round=rounds))
    assert (last[0][1].contenders, GAME.winner(last[0][1]), len(last)) == ((0,), 0, 1)


def test_N46_the_lowest_total_wins_and_not_who_went_out_last() -> None:
    state = after_score(round_over(round=3, totals=(200, 100, -90, 0)))[-1][1]
    assert (state.totals, GAME.winner(state)) == ((170, 200, 10, 100), 2)


def test_N46_in_a_partnership_it_is_a_side_that_wins() -> None:
    state = after_score(round_over(SIDES, round=3, totals=(400, -60)))[-1][1]
    assert (state.totals, GAME.winner(state)) == ((370, 140), 1)


def test_N46_a_tie_for_the_lowest_is_broken_by_another_round() -> None:
    steps = after_score(round_over(round=3, totals=(100, -30, 0, -30)))
    assert steps[0][1].contenders == (0, 1, 3)
    dealt = steps[-1][0].body
    assert isinstance(dealt, HandDealt)
    assert dealt.round == 4
    assert steps[-1][1].contenders == (0, 1, 3)
    assert all(len(hand) >= 14 for hand in steps[-1][1].hands), "all seats are dealt in"


def test_N46_a_tie_that_is_not_for_the_lowest_is_none() -> None:
    assert GAME.winner(after_score(round_over(round=3, totals=(0, 5, 5, 5)))[-1][1]) == 0


def test_N46_only_the_tied_can_win_a_tie_break() -> None:
    state = round_over(round=4, totals=(500, 70, -300, 70), contenders=(1, 3), opened=True)
    state = after_score(state)[0][1]
    assert state.totals == (470, 170, -200, 170)
    assert state.contenders == (1, 3), "still tied"
    state = round_over(round=5, totals=(0, 100, -300, 0), contenders=(0, 1))
    assert GAME.winner(after_score(state)[0][1]) == 0


def test_N46_of_three_tied_two_may_stay_tied() -> None:
    state = round_over(round=4, totals=(130, 0, 0, 50), contenders=(0, 1, 2))
    assert after_score(state)[0][1].contenders == (0, 1, 2)
    state = round_over(round=4, totals=(131, 0, 0, 50), contenders=(0, 1, 2))
    assert after_score(state)[0][1].contenders == (1, 2)


def test_N46_a_void_tie_break_is_played_again() -> None:
    state = void_round(round=4, contenders=(1, 3), totals=(9, 0, 9, 0))
    steps = after_score(state)
    assert (steps[0][1].contenders, steps[0][1].voids) == ((1, 3), 1)
    assert isinstance(steps[-1][0].body, HandDealt)


@pytest.mark.parametrize(
    ("dealer", "contenders", "wins"),
    [(3, (1, 3), 1), (0, (1, 3), 1), (1, (1, 3), 3), (2, (1, 3), 3), (3, (0, 3), 0)],
)
def test_N47_three_void_tie_breaks_in_a_row_the_first_from_the_starter_wins(
    dealer: int, contenders: tuple[int, ...], wins: int
) -> None:
    state = void_round(round=6, voids=2, contenders=contenders, dealer=dealer)
    state = after_score(state)[-1][1]
    assert (state.contenders, GAME.winner(state)) == ((wins,), wins)


def test_N47_in_a_partnership_it_is_the_starters_side() -> None:
    for dealer, side in ((0, 1), (1, 0), (2, 1), (3, 0)):
        state = void_round(round=6, voids=2, options=SIDES, dealer=dealer)
        assert GAME.winner(after_score(state)[-1][1]) == side


def test_N47_only_tie_breaks_count_and_only_in_a_row() -> None:
    state = after_score(void_round(round=3, totals=(0, 0, 0, 0)))[0][1]
    assert (state.voids, state.contenders) == (0, (0, 1, 2, 3)), "the last round, void: a tie"
    state = after_score(round_over(round=5, voids=2, contenders=(1, 2)))[0][1]
    assert state.voids == 0
    state = after_score(void_round(round=5, voids=1, contenders=(1, 2)))[0][1]
    assert GAME.winner(state) is None


# What stays -----------------------------------------------------------------------------------


def test_after_a_round_all_but_the_score_stays_until_the_next_deal() -> None:
    state = round_over(table="5H1 6H1 7H1")
    before = msgspec.to_builtins(GAME.judge(state))
    assert before["phase"] == "scoring"
    assert before["last_round"] == {
        "went_out": 0,
        "hand": False,
        "penalties": (-30, 100, 100, 2 + 7),
    }
    steps = after_score(state)
    for _, then in steps[:-1]:
        seen = msgspec.to_builtins(GAME.judge(then))
        assert seen == before | {"totals": (-30, 100, 100, 9)}
    fresh = msgspec.to_builtins(GAME.judge(steps[-1][1]))
    assert (fresh["phase"], fresh["round"], fresh["melds"]) == ("discard_first", 2, ())
    assert (fresh["fire"], fresh["stock"], fresh["reshuffles"]) == ((), 49, 0)
    assert fresh["last_round"] == before["last_round"]


def test_N16_the_bar_is_back_at_51_in_the_next_round() -> None:
    options = HandOptions(variant="saudi", seats=4, rounds=3)
    state = after_score(round_over(options, bar=88))[-1][1]
    assert (state.bar, state.opened) == (51, (False,) * 4)


def test_after_the_match_all_stays_and_everything_is_refused() -> None:
    state = after_score(round_over(round=3))[-1][1]
    body = MatchEnded(winner=0, totals=state.totals, secret="0" * 64)
    over = GAME.evolve(state, Fact(body=body, origin="rule"))
    seen, before = (msgspec.to_builtins(GAME.judge(each)) for each in (over, state))
    assert seen == before | {"phase": "match_over", "winner": 0}
    assert seen["contenders"] == (0,)
    assert refusal(over, Discard(card="9C2"), 1) == Refusal.MATCH_OVER


def test_an_abandoned_match_is_over_and_has_no_winner() -> None:
    fact = Fact(body=MatchAbandoned(reason="operator", secret="0" * 64), origin="ops")
    seen = msgspec.to_builtins(GAME.judge(GAME.evolve(position("2S1 3S1"), fact)))
    assert (seen["phase"], seen["turn"], seen["winner"]) == ("match_over", None, None)


def test_the_totals_are_those_of_the_fact() -> None:
    state = round_over()
    fact = scored(state)
    assert isinstance(fact.body, RoundScored)
    assert GAME.evolve(state, fact).totals == fact.body.totals
