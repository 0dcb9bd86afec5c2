"""Faults seen in other Hokm programs (docs/rules/hokm.md), each with a test it would fail."""

import re
from collections import Counter
from collections.abc import Callable
from functools import cmp_to_key
from itertools import pairwise, permutations
from random import Random

import msgspec
import pytest

from schemas.cards import HOKM_PACK, SUITS
from schemas.commands import ChooseTrump, GameAction, PlayCard
from schemas.events import CardPlayed, CardsShuffled, FiveDealt, HakemDrawn, RoundEnded
from schemas.refusals import Refusal
from services.rules.chance import shuffled
from services.rules.decider import Fact
from services.rules.hokm import GAME, PRESETS
from services.rules.hokm.state import HokmState

Steps = list[tuple[Fact, HokmState]]
Position = Callable[..., HokmState]
PlayOut = Callable[[HokmState, str], Steps]
Follow = Callable[[HokmState, Fact], Steps]
Say = Callable[[HokmState, int, GameAction], Steps]
Scored = Callable[[HokmState], Fact]
RandomMatch = Callable[..., Steps]

HOME = PRESETS["home"]
LAST_CARDS = ("AS", "2S", "3S", "4S")
DEAL = tuple(" ".join(HOKM_PACK[seat::4]) for seat in range(4))
SEEDS = range(12)


@pytest.fixture
def next_round(
    position: Position, play_out: PlayOut, follow: Follow, scored: Scored
) -> Callable[[int, int], FiveDealt]:
    """The deal after a round that seat `by` won for its side while `hakem` was hakem."""

    def deal(hakem: int, by: int) -> FiveDealt:
        tricks = (6, 3) if by % 2 == 0 else (3, 6)
        hands = tuple(LAST_CARDS[(seat - by) % 4] for seat in range(4))
        state = position(hands, "S", hakem=hakem, leader=by, tricks=tricks, options=HOME)
        ended = play_out(state, " ".join(LAST_CARDS))[-1][1]
        body = follow(ended, scored(ended))[-1][0].body
        assert isinstance(body, FiveDealt)
        return body

    return deal


def test_fault_hakem_passed_to_the_partner(
    next_round: Callable[[int, int], FiveDealt],
) -> None:
    assert all(next_round(h, (h + 1) % 4).hakem != (h + 2) % 4 for h in range(4))


def test_fault_hakem_passed_to_the_left(next_round: Callable[[int, int], FiveDealt]) -> None:
    assert all(next_round(h, (h + 1) % 4).hakem != (h + 3) % 4 for h in range(4))


def test_fault_hakem_passed_to_a_fixed_seat_or_to_who_took_the_last_trick(
    next_round: Callable[[int, int], FiveDealt],
) -> None:
    for by in (1, 3):
        assert [next_round(h, (h + by) % 4).hakem for h in range(4)] == [1, 2, 3, 0]


def test_fault_hakem_passed_every_round(next_round: Callable[[int, int], FiveDealt]) -> None:
    for by in (0, 2):
        assert [next_round(h, (h + by) % 4).hakem for h in range(4)] == [0, 1, 2, 3]


def test_fault_hakem_recomputed_per_trick(random_match: RandomMatch) -> None:
    for seed in SEEDS:
        hakems: dict[int, set[int]] = {}
        for _, state in random_match(seed, HOME):
            hakems.setdefault(state.round, set()).add(state.hakem)
        del hakems[0]
        assert all(len(seats) == 1 for seats in hakems.values())


def test_fault_a_round_stops_at_13_tricks_and_not_at_7(random_match: RandomMatch) -> None:
    for seed in SEEDS:
        for fact, state in random_match(seed, HOME):
            ended = isinstance(fact.body, RoundEnded)
            assert max(state.tricks) <= 7
            assert not ended or max(state.tricks) == 7
            assert not ended or sum(state.tricks) == len(state.earlier) < 14


def test_fault_kot_only_at_13_to_0(position: Position, play_out: PlayOut) -> None:
    state = position(("AS 2C", "2S 3C", "3S 4C", "4S 5C"), "S", tricks=(6, 0))
    ended = play_out(state, "AS 2S 3S 4S")[-1][1]
    assert msgspec.to_builtins(GAME.score(ended))["kind"] == "kot"


def test_fault_hakem_kot_paid_as_kot(position: Position, play_out: PlayOut) -> None:
    state = position(LAST_CARDS, "S", hakem=3, leader=0, tricks=(6, 0))
    score = msgspec.to_builtins(GAME.score(play_out(state, "AS 2S 3S 4S")[-1][1]))
    assert (score["kind"], score["points"]) == ("hakem_kot", 3)


def test_fault_the_target_must_be_hit_exactly(
    position: Position, play_out: PlayOut, follow: Follow, scored: Scored
) -> None:
    state = position(LAST_CARDS, "S", tricks=(6, 0), score=(6, 6), options=HOME)
    ended = play_out(state, "AS 2S 3S 4S")[-1][1]
    steps = follow(ended, scored(ended))
    assert steps[-1][1].score == (8, 6)
    assert GAME.winner(steps[-1][1]) == 0


def test_fault_the_target_is_tested_per_trick(position: Position, play_out: PlayOut) -> None:
    """Six tricks and six points are no seven, and the last trick is no score yet."""
    hands = ("AS KS", "2S 5S", "3S 6S", "4S 7S")
    state = position(hands, "S", tricks=(5, 5), score=(6, 6), options=HOME)
    for _, after in play_out(state, "AS 2S 3S 4S KS 5S 6S 7S"):
        assert after.score == (6, 6)
        assert GAME.winner(after) is None


def test_fault_trump_set_twice(
    fives_dealt: Callable[..., HokmState], say: Say, play_out: PlayOut
) -> None:
    named = say(fives_dealt(DEAL), 0, ChooseTrump(suit="H"))
    first_card = named[-1][1].hands[0][0]
    later = play_out(named[-1][1], first_card)
    for _, state in (*named, *later):
        for suit in SUITS:
            assert GAME.refuse(state, 0, ChooseTrump(suit=suit)) == Refusal.WRONG_PHASE


def test_fault_the_rest_is_reshuffled_after_trump(
    fives_dealt: Callable[..., HokmState], say: Say
) -> None:
    for suit in SUITS:
        steps = say(fives_dealt(DEAL), 0, ChooseTrump(suit=suit))
        assert not any(isinstance(fact.body, CardsShuffled) for fact, _ in steps)
        assert steps[-1][1].hands == tuple(tuple(cards.split()) for cards in DEAL)


def test_fault_a_clockwise_table(
    fives_dealt: Callable[..., HokmState], say: Say, play_out: PlayOut
) -> None:
    """Deal, turns and succession all go to the right, by +1."""
    full = say(fives_dealt(DEAL, 2), 2, ChooseTrump(suit="S"))[-1][1]
    assert GAME.turn(play_out(full, full.hands[2][0])[-1][1]) == 3
    dealt = HokmState(options=HOME, step="deal", hakem=2, pack=HOKM_PACK)
    five = GAME.evolve(dealt, Fact(body=FiveDealt(round=1, hakem=2), origin="rule"))
    assert five.hands[3] == HOKM_PACK[5:10]
    assert five.hands[1] == HOKM_PACK[15:20]


def test_fault_a_shuffle_by_random_comparator() -> None:
    """Every order is about equally likely; sorting by a coin is far from it, so this would tell."""
    items, luck = ("AS", "KS", "QS", "JS"), Random(0)
    coin = cmp_to_key(lambda _one, _other: luck.choice((-1, 1)))
    keys = [key.to_bytes(4, "big") for key in range(6_000)]
    fair = Counter(shuffled(key, "deal", items) for key in keys)
    biased = Counter(tuple(sorted(items, key=coin)) for _ in keys)
    assert all(190 < fair[order] < 310 for order in permutations(items)), fair
    assert not all(190 < biased[order] < 310 for order in permutations(items))


def test_fault_other_hands_in_a_broadcast(random_match: RandomMatch) -> None:
    """A public fact names no card but those of the ace draw and the one that it plays."""
    for seed in SEEDS:
        for fact, _ in random_match(seed):
            named = re.findall(rb'"([2-9TJQKA][SHDC])"', msgspec.json.encode(fact.body))
            allowed = []
            if isinstance(fact.body, HakemDrawn):
                allowed = [card.encode() for card in fact.body.shown]
            elif isinstance(fact.body, CardPlayed):
                allowed = [fact.body.card.encode()]
            assert named == allowed


def test_fault_an_absent_seat_stops_the_clock(random_match: RandomMatch) -> None:
    """Wherever a match waits for a seat its clock runs, and the house has a legal move for it."""
    for seed in SEEDS:
        for state in waiting(random_match(seed)):
            seat = GAME.turn(state)
            assert seat is not None
            assert GAME.clock(state) > 0
            move = GAME.house_move(GAME.view(state, seat))
            assert GAME.refuse(state, seat, move) is None


def test_fault_legality_is_checked_only_in_the_client(random_match: RandomMatch) -> None:
    """The table's own answer to every card from every seat, against a count of its own."""
    for seed in range(3):
        for state in waiting(random_match(seed)):
            for seat in range(4):
                accepted = [
                    card
                    for card in HOKM_PACK
                    if GAME.refuse(state, seat, PlayCard(card=card)) is None
                ]
                assert sorted(accepted) == sorted(may_play(state, seat))


def waiting(steps: Steps) -> list[HokmState]:
    """The states at which the next fact is a seat's own."""
    return [before for (_, before), (fact, _) in pairwise(steps) if fact.origin == "player"]


def may_play(state: HokmState, seat: int) -> list[str]:
    if seat != state.turn or state.step != "play":
        return []
    led = state.trick[0].card[1] if state.trick else ""
    held = state.hands[seat]
    return [card for card in held if card[1] == led] or list(held)
