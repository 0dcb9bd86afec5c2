"""Stock and fire: drawing, taking, throwing, and what becomes of an empty stock (N6, N7, N27)."""

from typing import Final, Literal

from msgspec.structs import replace

from schemas.cards import HandCard
from schemas.events import CardDrawn, FireTaken
from schemas.ids import Seat
from schemas.refusals import Refusal
from schemas.views import Toss
from services.rules.hand.ending import Holding, after_melds, can_end
from services.rules.hand.search import spell, ways
from services.rules.hand.state import (
    NOTHING_DONE,
    HandState,
    Turn,
    low_ace,
    must_open,
    next_seat,
    with_hand,
)

RESHUFFLES: Final = 3
"""How often the fire becomes a new stock in one round (N27)."""
LONGEST: Final = 400
"""Finished turns after which a round is void (N29)."""

Source = Literal["stock", "fire"]


# Drawing --------------------------------------------------------------------------------------


def refuse_draw(state: HandState, seat: Seat, source: Source) -> Refusal | None:
    if source == "stock" or state.opened[seat] or can_open(state, seat):
        return None
    return Refusal.CANNOT_OPEN


def can_open(state: HandState, seat: Seat) -> bool:
    """True if `seat` with the top of the fire has an opening after which its turn can end (N18).

    The card taken goes down before its twin: what is left can be thrown if anything can.
    """
    card = state.fire[-1]
    held = Holding(seat=seat, hand=(*state.hands[seat], card), taken=card, melds=state.melds)
    openings = ways(held.hand, low_ace=low_ace(state.options), bar=state.bar)
    spelled = (spell(way, held.hand, first=card) for way in openings)
    return any(can_end(after_melds(held, submitted)) for submitted in spelled)


def draw(state: HandState, source: Source) -> CardDrawn | FireTaken:
    if source == "stock":
        return CardDrawn(stock=len(state.stock) - 1)
    return FireTaken(card=state.fire[-1])


def drawn(state: HandState, seat: Seat) -> HandState:
    """The state after `seat` drew from the stock."""
    card = state.stock[0]
    return replace(
        state,
        step="act",
        stock=state.stock[1:],
        hands=with_hand(state, seat, (*state.hands[seat], card)),
        now=Turn(drawn=card),
    )


def fire_taken(state: HandState, seat: Seat) -> HandState:
    """The state after `seat` took the top of the fire, which is what was thrown last."""
    card, last = state.fire[-1], state.tosses[-1]
    assert last.card == card
    taken = Toss(seat=last.seat, card=card, taken_by=seat)
    return replace(
        state,
        step="act",
        fire=state.fire[:-1],
        tosses=(*state.tosses[:-1], taken),
        hands=with_hand(state, seat, (*state.hands[seat], card)),
        now=Turn(taken=card),
    )


# Throwing -------------------------------------------------------------------------------------


def refuse_discard(state: HandState, seat: Seat, card: HandCard) -> Refusal | None:
    if card not in state.hands[seat]:
        return Refusal.CARD_NOT_HELD
    if must_open(state):
        return Refusal.MUST_OPEN_FIRST
    if state.now.must_place:
        return Refusal.MUST_PLACE_JOKER
    return Refusal.CANNOT_DISCARD_TAKEN_CARD if card == state.now.taken else None


def discarded(state: HandState, seat: Seat, card: HandCard) -> HandState:
    """The state after `seat` threw `card`: its turn, or with an empty hand the round, is over."""
    held = state.hands[seat]
    assert card in held, "a card that its seat does not hold"
    at = held.index(card)
    left = held[:at] + held[at + 1 :]
    return replace(
        state,
        step=_next_step(state) if left else "end_round",
        turn=next_seat(state.options, seat) if left else seat,
        hands=with_hand(state, seat, left),
        fire=(*state.fire, card),
        tosses=(*state.tosses, Toss(seat=seat, card=card, taken_by=None)),
        finished=state.finished + 1,
        placed=_placed(state, seat) if left else state.placed,
        now=NOTHING_DONE if left else state.now,
    )


def _placed(state: HandState, seat: Seat) -> tuple[bool, ...]:
    if not state.now.placed or state.placed[seat]:
        return state.placed
    return (*state.placed[:seat], True, *state.placed[seat + 1 :])


def _next_step(state: HandState) -> Literal["draw", "reshuffle", "end_round"]:
    """What follows a throw in `state` that empties no hand; the end is a void round (N27, N29)."""
    if state.finished + 1 >= LONGEST:
        return "end_round"
    if state.stock:
        return "draw"
    can_shuffle = state.reshuffles < RESHUFFLES and len(state.fire) > 0
    return "reshuffle" if can_shuffle else "end_round"


def reshuffled(state: HandState, stock: tuple[HandCard, ...]) -> HandState:
    """The state with all of the fire but its top made the new `stock`."""
    return replace(
        state,
        step="draw",
        stock=stock,
        fire=state.fire[-1:],
        reshuffles=state.reshuffles + 1,
    )
