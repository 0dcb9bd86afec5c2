"""Cards with which the next seat would go out, found by trying all that the rules allow."""

from random import Random

from schemas.cards import HandCard
from schemas.commands import Discard, Draw, GameAction, LayMelds, LayOff, SwapJoker
from schemas.ids import Seat
from schemas.views import HandView
from services.rules.hand import GAME
from services.rules.hand.state import HandState, next_seat
from tests.bot.hand_rounds import Asked
from tests.rules.hand_play import after, table_actions


def throwable(view: HandView) -> set[HandCard]:
    return {card for card in view.hand if card != view.taken}


def gifts_in(asked: Asked) -> set[HandCard]:
    """The cards that may be thrown and with which the next seat ends the round for certain: by
    what everybody knows that it holds, and with one card at most that nobody knows.
    """
    state, seat = asked.state, next_seat(asked.state.options, asked.turn.seat)
    known = shown(state, seat)
    if not state.opened[seat] or len(state.hands[seat]) - len(known) > 1:
        return set()
    cards = throwable(asked.view)
    return {card for card in cards if is_gift(after(state, Discard(card=card)), seat, known, card)}


def shown(state: HandState, seat: Seat) -> frozenset[HandCard]:
    last = {toss.card: toss.taken_by for toss in state.tosses}
    return frozenset(card for card in state.hands[seat] if last.get(card) == seat)


def is_gift(state: HandState, seat: Seat, known: frozenset[HandCard], card: HandCard) -> bool:
    if state.turn != seat:
        return False
    hidden = set(state.hands[seat]) - known
    usable = known | {card} | ({"JK1", "JK2"} - hidden)
    return can_end(after(state, Draw(source="fire")), seat, usable)


def can_end(state: HandState, seat: Seat, known: frozenset[HandCard]) -> bool:
    """True if `seat` can end the round by moves of cards that are known, and a last discard."""
    if state.turn is None:
        return True
    hand = state.hands[seat]
    if len(hand) == 1 and GAME.refuse(state, seat, Discard(card=hand[0])) is None:
        return True
    moves = [
        action for action in table_actions(state, seat, Random(0)) if cards_of(action) <= known
    ]
    legal = [action for action in moves if GAME.refuse(state, seat, action) is None]
    return any(can_end(after(state, action), seat, known) for action in legal)


def cards_of(action: GameAction) -> set[HandCard]:
    if isinstance(action, LayMelds):
        return {card for meld in action.melds for card in meld}
    assert isinstance(action, LayOff | SwapJoker)
    return {action.card}
