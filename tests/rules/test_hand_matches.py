"""Whole matches of Hand at random, in every variant at every number of seats.

10,000 rounds for dead ends and lost cards: `python -m tests.rules.hand_rounds`.
"""

from collections import Counter
from functools import partial
from itertools import pairwise
from random import Random

import msgspec
import pytest

from schemas.cards import HAND_PACK
from schemas.commands import (
    Command,
    GameAction,
    HandOptions,
    HandScore,
    OpenMatch,
    RecordScore,
    SeatPlan,
    StartMatch,
)
from schemas.events import (
    Body,
    CardsShuffled,
    ControlChanged,
    HandDealt,
    MatchEnded,
    MatchStarted,
    NonceAdded,
    RoundEnded,
    RoundRevealed,
    RoundScored,
    SeatLeft,
    SeatTaken,
    TurnTimedOut,
)
from schemas.ids import Seat
from schemas.refusals import Refusal
from services.rules import match
from services.rules.chance import SealedChance, seal_of
from services.rules.decider import Fact
from services.rules.hand import GAME
from services.rules.hand.state import HandState, units
from services.rules.opening import Terms, open_match
from tests.rules.hand_play import VARIANTS, Table, match_steps, random_action, random_table
from tests.rules.hand_rounds import check_round

ROUNDS = 200
OWNER = "u_" + "0" * 8
MATCH = "m_" + "0" * 32
FOREIGN: tuple[Body, ...] = (
    MatchStarted(),
    SeatTaken(seat=1, player="u_00000000"),
    SeatLeft(seat=1),
    NonceAdded(nonce="0" * 64),
    TurnTimedOut(seat=0, move=3),
    ControlChanged(seat=0, control="house"),
    RoundRevealed(round=1, seed="0" * 64, packs=()),
)


def test_N2_N23_no_card_is_lost_and_no_turn_without_an_end() -> None:
    seen = sum((check_round(seed) for seed in range(ROUNDS)), start=Counter())
    assert seen["out"] + seen["hand"] + seen["void"] == ROUNDS
    for rare in ("tight", "swaps", "reshuffled"):
        assert seen[rare] > 10, f"{seen}: nothing was shown about {rare}"


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("options", VARIANTS, ids=lambda each: f"{each.variant}{each.seats}")
def test_every_match_ends_with_the_lowest_total(options: HandOptions, seed: int) -> None:
    steps = list(match_steps(random_table(seed, options)))
    fact, state = steps[-1]
    assert isinstance(fact.body, MatchEnded)
    assert len(state.totals) == units(options)
    assert state.winner == fact.body.winner
    last_round = next(s for f, s in reversed(steps) if isinstance(f.body, RoundEnded))
    tied = last_round.contenders
    assert state.totals[fact.body.winner] == min(state.totals[unit] for unit in tied)
    scores = [fact.body.score for fact, _ in steps if isinstance(fact.body, RoundScored)]
    assert len(scores) >= options.rounds
    penalties = [score.penalties for score in scores if isinstance(score, HandScore)]
    assert state.totals == tuple(map(sum, zip(*penalties, strict=True)))


def house_plays(state: HandState, seat: Seat) -> GameAction:
    return GAME.house_move(GAME.view(state, seat))


@pytest.mark.parametrize("options", VARIANTS, ids=lambda each: f"{each.variant}{each.seats}")
def test_a_match_played_by_the_house_alone_ends(options: HandOptions) -> None:
    """Nobody ever opens: every round is void, and three void tie-breaks end it (N29, N47)."""
    steps = list(match_steps(Table(options, 3, house_plays)))
    assert isinstance(steps[-1][0].body, MatchEnded)
    rounds = [fact.body.round for fact, _ in steps if isinstance(fact.body, HandDealt)]
    assert rounds == [1, 2, 3, 4, 5, 6]
    assert steps[-1][1].totals == (0,) * units(options)


def test_each_round_is_dealt_from_a_fresh_shuffle_of_all_106() -> None:
    for seed in range(5):
        facts = [fact for fact, _ in match_steps(random_table(seed))]
        packs = [
            fact.pack
            for fact in facts
            if isinstance(fact.body, CardsShuffled) and fact.body.label == "deal"
        ]
        assert all(pack is not None and sorted(pack) == sorted(HAND_PACK) for pack in packs)
        assert len(set(packs)) == len(packs)
        dealt = [fact.body.round for fact in facts if isinstance(fact.body, HandDealt)]
        assert dealt == list(range(1, len(packs) + 1))


def test_a_label_is_used_once_in_a_round() -> None:
    for seed in range(20):
        labels = [
            (fact.body.round, fact.body.label)
            for fact, _ in match_steps(random_table(seed))
            if isinstance(fact.body, CardsShuffled)
        ]
        assert len(set(labels)) == len(labels)


def test_what_players_and_chance_did_regenerates_every_other_fact() -> None:
    """The match's own facts, the score and the end, are fed; the game's own must come again."""
    for seed in range(5):
        table = random_table(seed)
        state: HandState = GAME.initial_state(table.options)
        for fact, _ in match_steps(table):
            fed = fact.origin == "player" or isinstance(fact.body, (RoundScored, MatchEnded))
            again = fact if fed else GAME.consequence(state, table.chance)
            assert again is not None
            assert msgspec.json.encode(again) == msgspec.json.encode(fact)
            state = GAME.evolve(state, again)


def test_a_waiting_game_makes_no_fact_of_its_own() -> None:
    table = random_table(2)
    for (_, state), (fact, _) in pairwise(match_steps(table)):
        waits = fact.origin == "player" or isinstance(fact.body, (RoundScored, MatchEnded))
        assert (GAME.consequence(state, table.chance) is None) == waits


@pytest.mark.parametrize("body", FOREIGN, ids=lambda body: type(body).__name__)
def test_a_fact_that_is_not_the_games_changes_nothing(body: Body) -> None:
    for _, state in list(match_steps(random_table(4)))[::10]:
        assert GAME.evolve(state, Fact(body=body, origin="ops", seat=1)) is state


def test_there_is_something_to_see_from_the_first_deal_on() -> None:
    seen = [GAME.dealt(state) for _, state in match_steps(random_table(5))]
    assert seen == [False] * 2 + [True] * (len(seen) - 2)


# In a match -----------------------------------------------------------------------------------


def test_a_match_goes_through_its_seats_scores_and_reveals() -> None:
    """`services.rules.match` around it: started, scored by `record_score`, revealed, ended."""
    options = HandOptions(variant="saudi_partnership", seats=4, rounds=3)
    chance = SealedChance(key=bytes(32), match=MATCH)
    state, facts = started(options, chance)
    choose = partial(random_action, luck=Random(8))
    while not state.over:
        seat = state.game.turn
        voice = "scoring" if seat is None else f"house{seat}"
        action = score_of(state) if seat is None else choose(state.game, seat)
        if isinstance(action, RecordScore):
            assert match.decide(state, voice, wrong(action), chance) == Refusal.NOT_ALLOWED
        steps = match.decide(state, voice, command(action), chance)
        assert not isinstance(steps, Refusal), f"{action} was refused: {steps}"
        facts += [step.fact for step in steps]
        state = steps[-1].state
    check_reveals(facts, chance)
    assert isinstance(facts[-1].body, MatchEnded)
    assert facts[-1].body.totals == state.game.totals


def started(options: HandOptions, chance: SealedChance) -> tuple[match.MatchState, list[Fact]]:
    plan = tuple(
        SeatPlan(seat=seat, filled_by="house", level="white") for seat in range(options.seats)
    )
    terms = Terms(seal=seal_of(chance.key), shuffle="", key="", policy="")
    opened = open_match(OWNER, OpenMatch(options=options, seats=plan), terms)
    steps = match.decide(opened[-1].state, OWNER, command(StartMatch()), chance)
    assert not isinstance(steps, Refusal)
    return steps[-1].state, [step.fact for step in (*opened, *steps)]


def command(action: StartMatch | RecordScore | GameAction) -> Command:
    return Command(id="0" * 16, action=action)


def score_of(state: match.MatchState) -> RecordScore:
    assert state.ended is not None
    return RecordScore(round=state.ended, of="0" * 64, score=GAME.score(state.game))


def wrong(action: RecordScore) -> Command:
    score = HandScore(penalties=(0, 1), void=False)
    return command(msgspec.structs.replace(action, score=score))


def check_reveals(facts: list[Fact], chance: SealedChance) -> None:
    """Right after each round: its seed, and its packs in the order of their shuffles."""
    packs: list[tuple[str, ...]] = []
    for fact, then in pairwise(facts):
        if fact.pack is not None:
            packs.append(fact.pack)
        if isinstance(fact.body, RoundEnded):
            number = fact.body.round
            seed = chance.seed(number)
            assert then.body == RoundRevealed(round=number, seed=seed, packs=tuple(packs))
            packs = []
