"""What may be seen of a match, and for whom it waits."""

from typing import Final

from msgspec import Struct

from schemas.cards import Card
from schemas.events import Body, FiveDealt, HandDealt
from schemas.ids import Level, MatchId, Seat
from schemas.refusals import Refusal
from schemas.views import BotTurn, View
from services.rules import seats
from services.rules.match import MatchState, game_of, seat_of

DEALS: Final = (FiveDealt, HandDealt)
"""Where a round begins with fresh hands."""
ADVISER: Final[Level] = "chrome"
"""The strength of the master's look (H21)."""


def dealt(state: MatchState) -> bool:
    """True once a round has been dealt: from then on there is something to see."""
    return state.game is not None and game_of(state).dealt(state.game)


def view(state: MatchState, seat: Seat | None) -> View | None:
    """What `seat` may see, or with None anybody; None before the first deal."""
    return game_of(state).view(state.game, seat) if dealt(state) else None


def hand(state: MatchState, seat: Seat) -> tuple[Card, ...]:
    """The cards that `seat` may see of its own, in the order it got them."""
    return game_of(state).hand(state.game, seat) if dealt(state) else ()


def cards_given(
    before: MatchState | None, body: Body, after: MatchState, voice: str
) -> tuple[Card, ...]:
    """The cards that came into the sight of `voice` as its own, in the order it got them.

    A new deal takes nothing over: what was left of the round before may be dealt again.
    """
    seat = seat_of(after, voice)
    if seat is None:
        return ()
    if before is None or seat_of(before, voice) != seat:
        return hand(after, seat)
    return cards_dealt(before, body, after, seat)


def cards_dealt(before: MatchState, body: Body, after: MatchState, seat: Seat) -> tuple[Card, ...]:
    """The cards that `body` put into the hand of `seat`, in the order it got them."""
    now = hand(after, seat)
    if isinstance(body, DEALS):
        return now
    had = hand(before, seat)
    return tuple(card for card in now if card not in had) if now != had else ()


def bot_turn(match: MatchId, state: MatchState) -> BotTurn | None:
    """What a bot is asked, if the match waits for a seat that the house holds."""
    seat = turn(state)
    if seat is None:
        return None
    level, seen = seats.level(state.chairs[seat]), view(state, seat)
    if level is None or seen is None:
        return None
    return BotTurn(match=match, seat=seat, move=state.move, level=level, task="play", view=seen)


def refuse_advice(state: MatchState, voice: str) -> Refusal | None:
    """The first reason why `voice` gets no advice now (H21), in the order of a card's refusals."""
    seat = seat_of(state, voice)
    if seat is None:
        return Refusal.NOT_SEATED
    if state.over:
        return Refusal.MATCH_OVER
    if turn(state) is None:
        return Refusal.WRONG_PHASE
    return None if turn(state) == seat else Refusal.NOT_YOUR_TURN


def advice_turn(match: MatchId, state: MatchState) -> BotTurn | None:
    """What a bot is asked for the owner of the seat on turn, if he plays it himself."""
    seat = turn(state)
    if seat is None or state.chairs[seat].control != "owner":
        return None
    seen = view(state, seat)
    assert seen is not None, "a seat on turn has been dealt cards"
    return BotTurn(match=match, seat=seat, move=state.move, level=ADVISER, task="advise", view=seen)


def judge(state: MatchState) -> Struct | None:
    """What an omniscient judge sees; None before the first deal."""
    return game_of(state).judge(state.game) if dealt(state) else None


def turn(state: MatchState) -> Seat | None:
    """The seat that the match waits for, None if for none."""
    if state.over or not dealt(state):
        return None
    return game_of(state).turn(state.game)


def clock(state: MatchState) -> float:
    """Seconds that the seat on turn has."""
    return game_of(state).clock(state.game)
