"""What may be seen of a match, and for whom it waits."""

from msgspec import Struct

from schemas.cards import Card
from schemas.ids import Seat
from schemas.views import View
from services.rules.match import MatchState, game_of


def dealt(state: MatchState) -> bool:
    """True once a round has been dealt: from then on there is something to see."""
    return state.game is not None and game_of(state).dealt(state.game)


def view(state: MatchState, seat: Seat | None) -> View | None:
    """What `seat` may see, or with None anybody; None before the first deal."""
    return game_of(state).view(state.game, seat) if dealt(state) else None


def hand(state: MatchState, seat: Seat) -> tuple[Card, ...]:
    """The cards that `seat` may see of its own, in the order it got them."""
    return game_of(state).hand(state.game, seat) if dealt(state) else ()


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
