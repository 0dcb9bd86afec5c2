"""When time is up: the house ends the turn, from the seat's view alone (H24, N50)."""

from schemas.events import TurnTimedOut
from schemas.ids import Seat
from services.rules.decider import Chance, Fact
from services.rules.match import MatchState, Steps, follow, game_of
from services.rules.moves import MID_TURN


def time_out(state: MatchState, chance: Chance) -> Steps:
    """Time is up for the seat on turn: the house ends its turn, from its view alone (H24, N50)."""
    game = game_of(state)
    seat = game.turn(state.game)
    assert seat is not None
    played = house_moved(state, seat)
    steps = follow(state, (expired(state, seat), played), chance)
    while type(played.body) in MID_TURN and game.turn(steps[-1].state.game) == seat:
        now = steps[-1].state
        played = house_moved(now, seat)
        steps += follow(now, (played,), chance)
    return steps


def expired(state: MatchState, seat: Seat) -> Fact:
    """Time is up for `seat`, which is on turn."""
    return Fact(body=TurnTimedOut(seat=seat, move=state.move), origin="ops", seat=seat)


def house_moved(state: MatchState, seat: Seat) -> Fact:
    """What the house does for `seat`, which is on turn and whose time is up."""
    game = game_of(state)
    move = game.house_move(game.view(state.game, seat))
    return Fact(body=game.act(state.game, seat, move), origin="rule", seat=seat)
