"""Positions and matches of Hokm for the tests of its rules.

Every fixture is a function without state, so that property tests may share it.
"""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest

from schemas.cards import HOKM_PACK, SUITS, HokmCard, Suit
from schemas.commands import ChooseTrump, GameAction, HokmOptions, PlayCard
from schemas.events import MatchAbandoned, MatchEnded, RoundScored
from services.rules.chance import SealedChance
from services.rules.decider import Fact
from services.rules.hokm import GAME, PRESETS
from services.rules.hokm.state import HokmState

CHANCE = SealedChance(key=bytes(32), match="m_" + "0" * 32)
HAND = 13
"""Cards a seat holds when all are dealt."""
LONGEST_MATCH = 2_000
"""Facts; a match of 13 rounds of 13 tricks has about 950."""

Steps = list[tuple[Fact, HokmState]]


@pytest.fixture(scope="session")
def follow() -> Callable[[HokmState, Fact], Steps]:
    """The fact and all that follows from it by itself, each with the state after it."""
    return follow_fact


@pytest.fixture(scope="session")
def say() -> Callable[[HokmState, int, GameAction], Steps]:
    """What comes of an action that must be accepted."""
    return say_action


@pytest.fixture(scope="session")
def play_out() -> Callable[[HokmState, str], Steps]:
    """What comes of cards such as "KD 9D 2S AD", each played by the seat on turn."""
    return play_cards


@pytest.fixture(scope="session")
def fives_dealt() -> Callable[..., HokmState]:
    """A first round with `hands` (each 13 cards, in deal order), dealt up to the fives."""
    return deal_fives


@pytest.fixture(scope="session")
def position() -> Callable[..., HokmState]:
    """A lead in the middle of a round, with any number of cards left; `tricks`, `score` and
    `options` may be given too.
    """
    return build_position


@pytest.fixture(scope="session")
def random_match() -> Callable[..., Steps]:
    """A whole match of random legal moves from a seed, fact by fact."""
    return play_at_random


@pytest.fixture(scope="session")
def scored() -> Callable[[HokmState], Fact]:
    """The fact that records a round's score, as the rules count it."""
    return score_fact


@pytest.fixture(scope="session")
def abandoned() -> Fact:
    return Fact(body=MatchAbandoned(reason="operator", secret="0" * 64), origin="ops")


@pytest.fixture(scope="session")
def reached() -> Callable[..., HokmState]:
    """The state after `facts`, from the start of a match."""

    def fold(facts: list[Fact], options: HokmOptions = PRESETS["hakem"]) -> HokmState:
        state: HokmState = GAME.initial_state(options)
        for fact in facts:
            state = GAME.evolve(state, fact)
        return state

    return fold


def follow_fact(state: HokmState, fact: Fact | None) -> Steps:
    steps: Steps = []
    while fact is not None:
        state = GAME.evolve(state, fact)
        steps.append((fact, state))
        fact = GAME.consequence(state, CHANCE)
    return steps


def say_action(state: HokmState, seat: int, action: GameAction) -> Steps:
    assert GAME.refuse(state, seat, action) is None
    body = GAME.act(state, seat, action)
    return follow_fact(state, Fact(body=body, origin="player", seat=seat))


def play_cards(state: HokmState, cards: str) -> Steps:
    steps: Steps = []
    for card in cards.split():
        seat = GAME.turn(state)
        assert seat is not None
        steps += say_action(state, seat, PlayCard(card=card))
        state = steps[-1][1]
    return steps


def deal_fives(
    hands: tuple[str, str, str, str], hakem: int = 0, options: HokmOptions = PRESETS["hakem"]
) -> HokmState:
    pack = pack_for(hands, hakem)
    assert sorted(pack) == sorted(HOKM_PACK)
    state = HokmState(options=options, step="deal", hakem=hakem, pack=pack)
    return follow_fact(state, GAME.consequence(state, CHANCE))[-1][1]


def pack_for(hands: tuple[str, str, str, str], hakem: int) -> tuple[HokmCard, ...]:
    """The pack that deals `hands`, packets of five, four and four from the hakem (H8)."""
    order = [hands[(hakem + place) % 4].split() for place in range(4)]
    packets = [cards[start:end] for start, end in ((0, 5), (5, 9), (9, HAND)) for cards in order]
    return tuple(card for packet in packets for card in packet)


def build_position(
    hands: tuple[str, str, str, str],
    trump: Suit,
    *,
    hakem: int = 0,
    leader: int | None = None,
    **given: Any,
) -> HokmState:
    return HokmState(
        **{"options": PRESETS["hakem"]} | given,
        step="play",
        round=1,
        hakem=hakem,
        trump=trump,
        turn=hakem if leader is None else leader,
        hands=tuple(tuple(cards.split()) for cards in hands),
    )


def score_fact(state: HokmState) -> Fact:
    score = GAME.score(state)
    totals = GAME.totals(state, score)
    return Fact(body=RoundScored(round=state.round, score=score, totals=totals), origin="rule")


def play_at_random(seed: int, options: HokmOptions = PRESETS["hakem"]) -> Steps:
    chance = SealedChance(key=seed.to_bytes(8, "big"), match="m_" + "0" * 32)
    luck = Random(seed)
    state: HokmState = GAME.initial_state(options)
    steps: Steps = []
    while (fact := _next_fact(state, chance, luck)) is not None:
        state = GAME.evolve(state, fact)
        steps.append((fact, state))
        assert len(steps) < LONGEST_MATCH, "the match does not end"
    return steps


def _next_fact(state: HokmState, chance: SealedChance, luck: Random) -> Fact | None:
    if state.step == "over":
        return None
    fact = GAME.consequence(state, chance)
    if fact is not None:
        return fact
    seat = GAME.turn(state)
    if seat is not None:
        action = luck.choice(list(legal_actions(state, seat)))
        return Fact(body=GAME.act(state, seat, action), origin="player", seat=seat)
    winner = GAME.winner(state)
    if winner is None:
        return score_fact(state)
    return Fact(
        body=MatchEnded(winner=winner, totals=state.score, secret=chance.secret()), origin="rule"
    )


def legal_actions(state: HokmState, seat: int) -> Iterator[GameAction]:
    if state.step == "name_trump":
        yield from (ChooseTrump(suit=suit) for suit in SUITS)
    for card in state.hands[seat]:
        action = PlayCard(card=card)
        if GAME.refuse(state, seat, action) is None:
            yield action
