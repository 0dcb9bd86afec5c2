"""Rounds and matches of Hand played by the rules in process: every seat is asked with a turn, the
bytes of which are all that a bot is told.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import count, islice
from random import Random
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from schemas.commands import GameAction
from schemas.ids import Level, Seat
from schemas.views import BotTurn, HandView
from services.bot.policy import choose
from services.rules.hand import GAME
from services.rules.hand.state import HandState
from tests.rules.hand_play import VARIANTS, Choose, Table, match_steps, random_action, round_steps

MATCH: Final = "m_" + "0" * 32
LEVELS: Final[tuple[Level, ...]] = ("white", "black", "chrome")
Player = Callable[[BotTurn], GameAction]
TURNS: Final = 1_024
"""More than a round has."""


class Asked(Struct, frozen=True):
    """A turn, and the whole state behind it, which the bot does not see."""

    state: HandState
    turn: BotTurn

    @property
    def view(self) -> HandView:
        assert isinstance(self.turn.view, HandView)
        return self.turn.view


def ask(state: HandState, seat: Seat, level: Level, move: int) -> Asked:
    view = GAME.view(state, seat)
    turn = BotTurn(match=MATCH, seat=seat, move=move, level=level, task="play", view=view)
    return Asked(state, turn)


def bots(levels: Sequence[Level], player: Player = choose) -> Choose:
    """Players by seat, who answer what the rules must accept. Decisions are counted from 0."""
    numbers = count()

    def play(state: HandState, seat: Seat) -> GameAction:
        return accepted(ask(state, seat, levels[seat], next(numbers)), player)

    return play


def accepted(asked: Asked, player: Player = choose) -> GameAction:
    """The bot's answer; the test fails where the rules refuse it."""
    action = player(asked.turn)
    refusal = GAME.refuse(asked.state, asked.turn.seat, action)
    assert refusal is None, f"{action} was refused: {refusal}; {asked.turn}"
    return action


def last_state(table: Table) -> HandState:
    """The state at the end of a whole match."""
    *_, (_, state) = match_steps(table)
    return state


@lru_cache(TURNS)
def decided(turn: BotTurn) -> GameAction:
    """What the policy answers: asked once, for several who look at the same turn."""
    return choose(turn)


def questions(seed: int) -> Iterator[Asked]:
    """Every turn of one round of a table that the seed chooses: levels, variant, and how many of
    the moves are chance's, so that bots get where they would not have gone.
    """
    luck = Random(seed)
    options, share = luck.choice(VARIANTS), luck.choice((0.1, 0.4, 0.7, 1.0))
    levels = luck.choices(LEVELS, k=options.seats)
    asked: list[Asked] = []

    def play(state: HandState, seat: Seat) -> GameAction:
        asked.append(ask(state, seat, levels[seat], len(asked)))
        at_random = luck.random() >= share
        return random_action(state, seat, luck=luck) if at_random else decided(asked[-1].turn)

    round_steps(Table(options, seed, play))
    return iter(asked)


def unseen_mixed(state: HandState, me: Seat, luck: Random) -> HandState:
    """The same with the cards of the others and of the stock dealt anew."""
    others = [card for seat, hand in enumerate(state.hands) if seat != me for card in hand]
    unseen = iter(luck.sample([*others, *state.stock], len(others) + len(state.stock)))
    hands = tuple(
        hand if seat == me else tuple(islice(unseen, len(hand)))
        for seat, hand in enumerate(state.hands)
    )
    return replace(state, hands=hands, stock=tuple(unseen))
