"""Rounds of Hokm played by the rules in process, every seat asked with a turn and nothing else."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Final

from schemas.cards import SUITS
from schemas.commands import ChooseTrump, GameAction, PlayCard
from schemas.ids import Level, Seat
from schemas.views import BotTurn, HokmView
from services.bot.hokm import suggest_by
from services.bot.hokm.habits import RULE, Habits
from services.rules.chance import SealedChance
from services.rules.decider import Fact
from services.rules.hokm import GAME, PRESETS
from services.rules.hokm.state import TRICKS_TO_WIN, HokmState, side_of

MATCH: Final = "m_" + "0" * 32
Player = Callable[[BotTurn], GameAction]


def new_round(seed: int) -> HokmState:
    """A first round, dealt up to the fives; the same for the same seed."""
    chance = SealedChance(key=seed.to_bytes(8, "big"), match=MATCH)
    state = GAME.initial_state(PRESETS["hakem"])
    return _on(state, GAME.consequence(state, chance), chance)


def turn_of(state: HokmState, seat: Seat, level: Level = "white") -> BotTurn:
    view = GAME.view(state, seat)
    return BotTurn(match=MATCH, seat=seat, move=0, level=level, task="play", view=view)


def player_by(habits: Habits) -> Player:
    """One who plays Hokm by `habits`, whatever level he is asked for."""
    return lambda turn: suggest_by(turn, habits).actions[0]


rule = player_by(RULE)
"""The rules of thumb, without search or whim."""


def said(state: HokmState, seat: Seat, action: GameAction) -> HokmState:
    """The state after an action that the rules must accept."""
    refusal = GAME.refuse(state, seat, action)
    assert refusal is None, f"{action} was refused: {refusal}"
    fact = Fact(body=GAME.act(state, seat, action), origin="player", seat=seat)
    return _on(state, fact, SealedChance(key=b"", match=MATCH))


def play_round(seed: int, players: tuple[Player, Player]) -> int:
    """The side that wins the round of `seed`; a player a side."""
    state = new_round(seed)
    while (seat := state.turn) is not None:
        state = said(state, seat, players[side_of(seat)](turn_of(state, seat)))
    return state.tricks.index(TRICKS_TO_WIN)


def turns(seed: int) -> Iterator[BotTurn]:
    """Every turn of one round in which half of the moves are the bots' and half are chance's, so
    that bots get into positions that they would not have chosen.
    """
    luck, state = Random(seed), new_round(seed)
    at_random = random_player(luck)
    while (seat := state.turn) is not None:
        turn = turn_of(state, seat)
        yield turn
        action = rule(turn) if luck.random() < 0.5 else at_random(turn)
        state = said(state, seat, action)


def view_of(turn: BotTurn) -> HokmView:
    assert isinstance(turn.view, HokmView)
    return turn.view


def card_turns(seed: int) -> Iterator[HokmView]:
    """The views of those turns that ask for a card."""
    return (view for view in map(view_of, turns(seed)) if view.trump is not None)


def random_player(luck: Random) -> Player:
    def play(turn: BotTurn) -> GameAction:
        view = view_of(turn)
        if view.trump is None:
            return ChooseTrump(suit=luck.choice(SUITS))
        return PlayCard(card=luck.choice(view.playable))

    return play


def _on(state: HokmState, fact: Fact | None, chance: SealedChance) -> HokmState:
    while fact is not None:
        state = GAME.evolve(state, fact)
        fact = GAME.consequence(state, chance)
    return state
