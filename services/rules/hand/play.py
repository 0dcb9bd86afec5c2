"""A match of Hand from its first shuffle to its end: may I, what comes of it, the fold."""

from collections.abc import Mapping
from typing import Final, assert_never

from msgspec.structs import replace

from schemas.commands import (
    Discard,
    Draw,
    GameAction,
    HandOptions,
    LayMelds,
    LayOff,
    Options,
    SwapJoker,
)
from schemas.events import (
    Body,
    CardDiscarded,
    CardDrawn,
    CardLaidOff,
    CardsShuffled,
    FireTaken,
    HandDealt,
    JokerSwapped,
    MatchAbandoned,
    MatchEnded,
    MeldsLaid,
    RoundEnded,
    RoundScored,
    SeatDrawn,
)
from schemas.ids import Seat
from schemas.refusals import Refusal
from services.rules.decider import Chance, Fact
from services.rules.hand import laying, piles, rounds
from services.rules.hand.score import after_round
from services.rules.hand.state import HandState, Step, must_open, units

TURN_CLOCK: Final = 25.0
"""Seconds to act (N50)."""
DUTY_CLOCK: Final = 60.0
"""Seconds to act while an opening is owed (N50)."""

HandAction = Draw | LayMelds | LayOff | SwapJoker | Discard
_STEPS: Final[Mapping[type[HandAction], tuple[Step, ...]]] = {
    Draw: ("draw",),
    LayMelds: ("act",),
    LayOff: ("act",),
    SwapJoker: ("act",),
    Discard: ("discard_first", "act"),
}
"""When each may be said at all (N5, N6)."""


def seats(options: Options) -> int:
    assert isinstance(options, HandOptions)
    return options.seats


def initial_state(options: Options) -> HandState:
    assert isinstance(options, HandOptions)
    number = units(options)
    return HandState(
        options=options,
        hands=((),) * options.seats,
        opened=(False,) * options.seats,
        placed=(False,) * options.seats,
        totals=(0,) * number,
        contenders=tuple(range(number)),
    )


def dealt(state: HandState) -> bool:
    return state.round > 0


def turn(state: HandState) -> Seat | None:
    return state.turn


def clock(state: HandState) -> float:
    return DUTY_CLOCK if must_open(state) else TURN_CLOCK


# May I? ---------------------------------------------------------------------------------------


def refuse(state: HandState, seat: Seat, action: GameAction) -> Refusal | None:
    """The first refusal that applies, in the order of docs/rules: the turn before the phase."""
    if not isinstance(action, HandAction):
        return Refusal.MALFORMED
    if state.step == "over":
        return Refusal.MATCH_OVER
    if state.turn not in {None, seat}:
        return Refusal.NOT_YOUR_TURN
    if state.step not in _STEPS[type(action)]:
        return Refusal.WRONG_PHASE
    return _refuse_action(state, seat, action)


def _refuse_action(state: HandState, seat: Seat, action: HandAction) -> Refusal | None:
    match action:
        case Draw():
            return piles.refuse_draw(state, seat, action.source)
        case LayMelds():
            return laying.refuse_melds(state, seat, action)
        case LayOff() | SwapJoker():
            return laying.refuse_growth(state, seat, action)
        case Discard():
            return piles.refuse_discard(state, seat, action.card)
        case _:
            assert_never(action)


def act(state: HandState, seat: Seat, action: GameAction) -> Body:
    """What an action that is not refused makes."""
    assert refuse(state, seat, action) is None, "act on what refuse lets pass"
    match action:
        case Draw():
            return piles.draw(state, action.source)
        case LayMelds():
            return laying.lay_melds(state, seat, action)
        case LayOff():
            return laying.lay_off(state, action)
        case SwapJoker():
            return laying.swap_joker(state, action)
        case _:
            assert isinstance(action, Discard)
            return CardDiscarded(card=action.card)


# What follows by chance or by rule ------------------------------------------------------------


def consequence(state: HandState, chance: Chance) -> Fact | None:
    """The next fact that follows, None when the game waits."""
    match state.step:
        case "shuffle":
            return rounds.shuffle_pack(state, chance)
        case "draw_dealer":
            return rounds.draw_dealer(state, chance)
        case "deal":
            return Fact(body=rounds.deal_hands(state), origin="rule")
        case "reshuffle":
            return rounds.shuffle_fire(state, chance)
        case "end_round":
            body = RoundEnded(round=state.round, result=rounds.result(state))
            return Fact(body=body, origin="rule")
        case _:
            return None


# Folding --------------------------------------------------------------------------------------


def evolve(state: HandState, fact: Fact) -> HandState:
    """The state after `fact`; a fact that is not this game's leaves it as it is."""
    match fact.body:
        case CardDiscarded(card=card):
            return piles.discarded(state, _on_turn(state, fact), card)
        case CardDrawn():
            return piles.drawn(state, _on_turn(state, fact))
        case FireTaken():
            return piles.fire_taken(state, _on_turn(state, fact))
        case MeldsLaid() as laid:
            return laying.melds_laid(state, _on_turn(state, fact), laid)
        case CardLaidOff() as laid_off:
            return laying.card_laid_off(state, _on_turn(state, fact), laid_off)
        case JokerSwapped() as swapped:
            return laying.joker_swapped(state, _on_turn(state, fact), swapped)
        case _:
            return _evolve_round(state, fact)


def _on_turn(state: HandState, fact: Fact) -> Seat:
    assert fact.seat is not None
    assert fact.seat == state.turn, "a move of a seat that is not on turn"
    return fact.seat


def _evolve_round(state: HandState, fact: Fact) -> HandState:
    match fact.body:
        case CardsShuffled() as shuffled:
            assert fact.pack is not None, "a shuffle without its pack"
            return rounds.shuffled(state, shuffled, fact.pack)
        case SeatDrawn(seat=seat):
            return replace(state, step="deal", dealer=seat)
        case HandDealt() as hand_dealt:
            return rounds.dealt(state, hand_dealt)
        case RoundEnded(result=result):
            return rounds.ended(state, result)
        case RoundScored() as scored:
            return after_round(state, scored)
        case MatchEnded(winner=winner):
            return replace(state, step="over", turn=None, winner=winner)
        case MatchAbandoned():
            return replace(state, step="over", turn=None)
        case _:
            return state
