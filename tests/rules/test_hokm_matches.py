"""Whole matches at random: they end, no card is lost, and the facts regenerate themselves."""

from collections.abc import Callable
from itertools import pairwise

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.cards import HOKM_PACK
from schemas.commands import HokmOptions
from schemas.events import (
    ControlChanged,
    FiveDealt,
    MatchEnded,
    MatchStarted,
    NonceAdded,
    RoundEnded,
    RoundRevealed,
    RoundScored,
    SeatLeft,
    SeatTaken,
    TrickTaken,
    TurnTimedOut,
)
from services.rules.chance import SealedChance
from services.rules.decider import Fact
from services.rules.hokm import GAME, PRESETS
from services.rules.hokm.state import HokmState

Steps = list[tuple[Fact, HokmState]]
RandomMatch = Callable[..., Steps]

HOME = PRESETS["home"]
SEEDS = st.integers(0, 2**32)
FOREIGN = (
    MatchStarted(),
    SeatTaken(seat=1, player="u_00000000"),
    SeatLeft(seat=1),
    NonceAdded(nonce="0" * 64),
    TurnTimedOut(seat=0, move=3),
    ControlChanged(seat=0, control="house"),
    RoundRevealed(round=1, seed="0" * 64, packs=()),
)


@settings(deadline=None, max_examples=20)
@given(seed=SEEDS, target=st.integers(1, 7))
def test_every_match_ends_when_a_side_reaches_the_target(
    random_match: RandomMatch, seed: int, target: int
) -> None:
    steps = random_match(seed, HokmOptions(target=target))
    fact, state = steps[-1]
    assert isinstance(fact.body, MatchEnded)
    scores = [after.score for body, after in steps if isinstance(body.body, RoundScored)]
    assert all(max(score) < target for score in scores[:-1])
    assert scores[-1][fact.body.winner] >= target
    assert scores[-1][1 - fact.body.winner] < target
    assert state.winner == fact.body.winner
    assert len(scores) <= 2 * target - 1


@settings(deadline=None, max_examples=10)
@given(seed=SEEDS)
def test_52_cards_are_conserved_after_every_fact(random_match: RandomMatch, seed: int) -> None:
    for _, state in random_match(seed, HOME):
        table = [play.card for trick in (*state.earlier, state.trick) for play in trick]
        held = [card for cards in state.hands for card in cards]
        undealt = () if state.step == "deal" else state.pack
        if state.round:
            assert sorted((*undealt, *held, *table)) == sorted(HOKM_PACK)


@settings(deadline=None, max_examples=10)
@given(seed=SEEDS)
def test_H7_each_round_is_dealt_from_a_fresh_shuffle_of_all_52(
    random_match: RandomMatch, seed: int
) -> None:
    facts = [fact for fact, _ in random_match(seed, HOME)]
    packs = [fact.pack for fact in facts if fact.pack is not None]
    rounds = [fact.body.round for fact in facts if isinstance(fact.body, FiveDealt)]
    assert rounds == list(range(1, len(rounds) + 1))
    assert len(packs) == len(rounds) + 1
    assert all(sorted(pack) == sorted(HOKM_PACK) for pack in packs)
    assert len(set(packs)) == len(packs)


@settings(deadline=None, max_examples=10)
@given(seed=SEEDS)
def test_what_players_and_chance_did_regenerates_every_other_fact(
    random_match: RandomMatch, seed: int
) -> None:
    """The match's own facts, the score and the end, are fed; the game's own must come again."""
    facts = [fact for fact, _ in random_match(seed)]
    chance = SealedChance(key=seed.to_bytes(8, "big"), match="m_" + "0" * 32)
    state: HokmState = GAME.initial_state(PRESETS["hakem"])
    for fact in facts:
        fed = fact.origin == "player" or isinstance(fact.body, (RoundScored, MatchEnded))
        again = fact if fed else GAME.consequence(state, chance)
        assert again is not None
        assert msgspec.json.encode(again) == msgspec.json.encode(fact)
        state = GAME.evolve(state, again)


@settings(deadline=None, max_examples=10)
@given(seed=SEEDS)
def test_a_state_never_shows_a_trick_of_four(random_match: RandomMatch, seed: int) -> None:
    for fact, state in random_match(seed):
        assert len(state.trick) < 4
        assert all(len(trick) == 4 for trick in state.earlier)
        if isinstance(fact.body, TrickTaken):
            assert fact.body.tricks == state.tricks
            assert fact.body.by == state.turn


@pytest.mark.parametrize("body", FOREIGN, ids=lambda body: type(body).__name__)
def test_a_fact_that_is_not_the_games_changes_nothing(
    body: SeatLeft, random_match: RandomMatch
) -> None:
    for _, state in random_match(4):
        assert GAME.evolve(state, Fact(body=body, origin="ops", seat=1)) is state


def test_a_refused_or_waiting_game_makes_no_fact_of_its_own(random_match: RandomMatch) -> None:
    chance = SealedChance(key=b"", match="m_" + "0" * 32)
    steps = random_match(2)
    for (_, state), (fact, _) in pairwise(steps):
        waits = fact.origin == "player" or isinstance(fact.body, (RoundScored, MatchEnded))
        assert (GAME.consequence(state, chance) is None) == waits
    assert GAME.consequence(steps[-1][1], chance) is None


def test_there_is_something_to_see_from_the_first_deal_on(random_match: RandomMatch) -> None:
    seen = [GAME.dealt(state) for _, state in random_match(5)]
    assert seen == [False] * 4 + [True] * (len(seen) - 4)


def test_the_judges_state_always_has_every_key(random_match: RandomMatch) -> None:
    keys = (
        "phase",
        "round",
        "hakem",
        "trump",
        "turn",
        "trick",
        "tricks",
        "score",
        "hands",
        "winner",
    )
    for fact, state in random_match(6):
        if GAME.dealt(state):
            judged = msgspec.to_builtins(GAME.judge(state))
            assert tuple(judged) == keys
            assert all(list(cards) == sorted(cards) for cards in judged["hands"])
            assert not isinstance(fact.body, RoundEnded) or judged["phase"] == "scoring"
