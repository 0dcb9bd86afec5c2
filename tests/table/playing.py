"""Playing at a hall: the house's moves, said by whoever may say them."""

from functools import partial

from schemas.commands import RecordScore
from schemas.ids import SCORING, house_voice
from services.rules import sight
from services.rules.match import MatchState, game_of
from services.table.live import LiveMatch, rebuild
from services.table.shelf import Shelf
from tests.table.hall import MATCH, Hall, assert_happened
from tests.waiting import until


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


async def play_house(hall: Hall, *, own: bool, state: MatchState | None = None) -> None:
    """The seat on turn does what the house would do; `state`: the match's, if it is at hand."""
    state = state or live(hall).state
    seat = sight.turn(state)
    view = sight.view(state, seat)
    assert view is not None
    move = game_of(state).house_move(view)
    assert_happened(await hall.say(speaker(state, own=own), move, move=state.move))


async def to_the_end_of_a_round(hall: Hall) -> None:
    """Every seat plays the house's moves until the round waits for its score."""
    while (state := live(hall).state).ended is None:
        await play_house(hall, own=True, state=state)


def shelf(hall: Hall) -> Shelf:
    assert hall.owner._tenure is not None
    return hall.owner._tenure._shelf


def _settled(hall: Hall, seen: int) -> bool:
    """The owner has taken in all that the log has, which is more than `seen` events."""
    live = shelf(hall).live.get(MATCH)
    return live is not None and live.version == len(hall.rows()) > seen


async def time_runs_out(hall: Hall) -> float:
    """Nobody moves until the match's clock rings; the seconds that it took."""
    wait, seen = shelf(hall).wait(MATCH), len(hall.rows())
    assert wait is not None
    seconds = wait.due - hall.clock.ticks()
    hall.turn_clock(seconds)
    await until(partial(_settled, hall, seen), "the clock to run out")
    return seconds


async def score(hall: Hall) -> None:
    """The round that has ended is scored, as scoring does."""
    found = shelf(hall).live[MATCH]
    state, of, seen = found.state, found.ended_head, len(hall.rows())
    assert state.ended is not None
    assert of is not None
    points = game_of(state).score(state.game)
    assert_happened(await hall.say(SCORING, RecordScore(round=state.ended, of=of, score=points)))
    await until(partial(_settled, hall, seen), "the score")
