"""Playing at a hall: the house's moves, said by whoever may say them."""

from schemas.ids import house_voice
from services.rules import sight
from services.rules.match import MatchState, game_of
from services.table.live import LiveMatch, rebuild
from tests.table.hall import Hall, assert_happened


def live(hall: Hall) -> LiveMatch:
    found = rebuild(hall.rows())
    assert found is not None
    return found


def speaker(state: MatchState, *, own: bool) -> str:
    """Who says the next move: the seat's owner, or the house where it holds the seat."""
    seat = sight.turn(state)
    assert seat is not None
    chair = state.chairs[seat]
    if chair.control == "house" or not own:
        return house_voice(seat)
    assert chair.player is not None
    return chair.player


async def play_house(hall: Hall, *, own: bool) -> None:
    """The seat on turn does what the house would do."""
    state = live(hall).state
    seat = sight.turn(state)
    view = sight.view(state, seat)
    assert view is not None
    move = game_of(state).house_move(view)
    assert_happened(await hall.say(speaker(state, own=own), move, move=state.move))


async def to_the_end_of_a_round(hall: Hall) -> None:
    """Every seat plays the house's moves until the round waits for its score."""
    while live(hall).state.ended is None:
        await play_house(hall, own=True)
