"""Hand's bots in positions: what the seat on turn is asked, and what it answers.

A position is a state of the rules (tests/rules/hand_play.py), so that each answer is judged by
them: one that they refuse fails the test.
"""

from typing import Any, Final

from msgspec.structs import replace

from schemas.cards import HandCard
from schemas.commands import Discard, GameAction
from schemas.ids import Level
from schemas.views import BotTurn, Toss
from services.bot.policy import choose
from services.rules.hand import GAME
from services.rules.hand.state import HandState, Turn
from tests.bot.hand_rounds import MATCH
from tests.rules.hand_play import after, position

LONGEST_TURN: Final = 40
"""Commands. A draw, fifteen cards to the table, as many swaps and a discard are fewer."""


def drawing(hand: str, **given: Any) -> HandState:
    """Seat 0 of four has to draw."""
    stated: dict[str, Any] = {"step": "draw", "now": Turn()} | given
    return position(hand, **stated)


def facing(state: HandState, left: str, *, shown: str = "") -> HandState:
    """Seat 1, which plays next, has opened and holds `left` and `shown`; the latter it took from
    the fire before everybody's eyes.
    """
    taken = tuple(Toss(seat=0, card=card, taken_by=1) for card in shown.split())
    hand = (*left.split(), *shown.split())
    return replace(
        state,
        opened=(state.opened[0], True, *state.opened[2:]),
        hands=(state.hands[0], hand, *state.hands[2:]),
        tosses=(*taken, *state.tosses),
    )


def asked(state: HandState, level: Level = "black", move: int = 7) -> BotTurn:
    """What the seat on turn is asked."""
    seat = state.turn
    assert seat is not None
    view = GAME.view(state, seat)
    return BotTurn(match=MATCH, seat=seat, move=move, level=level, task="play", view=view)


def answer(state: HandState, level: Level = "black", move: int = 7) -> GameAction:
    """What the bot on turn does, which the rules must accept."""
    turn = asked(state, level, move)
    action = choose(turn)
    refusal = GAME.refuse(state, turn.seat, action)
    assert refusal is None, f"{action} was refused: {refusal}; {turn}"
    return action


def thrown(state: HandState, level: Level = "black", move: int = 7) -> HandCard:
    action = answer(state, level, move)
    assert isinstance(action, Discard), action
    return action.card


def whole_turn(state: HandState, level: Level = "black", move: int = 7) -> list[GameAction]:
    """All that the bot on turn does until its turn, or the round, is over."""
    seat, made = state.turn, list[GameAction]()
    while state.turn == seat:
        assert len(made) < LONGEST_TURN, f"the turn has no end: {made}"
        made.append(answer(state, level, move + len(made)))
        state = after(state, made[-1])
    return made
