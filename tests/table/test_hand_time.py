"""N50 and N51 at the table: a clock is for a whole turn, however many moves it has."""

import pytest
from msgspec.structs import replace

from schemas.commands import Discard, Draw, HandOptions, OpenMatch, SeatPlan, StartMatch, TakeSeat
from schemas.events import ControlChanged, decode_event
from schemas.ids import Seat
from schemas.views import HandView
from services.rules.hand.play import DUTY_CLOCK, TURN_CLOCK
from services.rules.hand.state import HandState, Turn
from services.rules.match import MatchState
from services.table.waits import BOT_PATIENCE, Kind, Wait, taken_over, wait_for
from tests.rules.hand_play import position
from tests.table.hall import ANNE, BEHROUZ, Hall, assert_happened
from tests.table.playing import live
from tests.waiting import until

OPTIONS = HandOptions(variant="classic", seats=2, rounds=3)
TWO = (SeatPlan(seat=0, filled_by="owner"), SeatPlan(seat=1, filled_by="anyone"))
VOICES = (ANNE, BEHROUZ)


async def start(hall: Hall) -> None:
    """A match of two, after the starter's first discard."""
    assert_happened(await hall.say(ANNE, OpenMatch(options=OPTIONS, seats=TWO)))
    assert_happened(await hall.say(BEHROUZ, TakeSeat(seat=1)))
    assert_happened(await hall.say(ANNE, StartMatch()))
    await discard(hall)


async def on_turn(hall: Hall) -> tuple[Seat, int, HandView]:
    state = live(hall).state
    seat = state.game.turn
    view = (await hall.snapshot(VOICES[seat])).view
    assert isinstance(view, HandView)
    return seat, state.move, view


async def draw(hall: Hall) -> None:
    seat, move, _ = await on_turn(hall)
    assert_happened(await hall.say(VOICES[seat], Draw(source="stock"), move=move))


async def discard(hall: Hall) -> None:
    seat, move, view = await on_turn(hall)
    card = next(card for card in view.hand if not card.startswith("JK"))
    assert_happened(await hall.say(VOICES[seat], Discard(card=card), move=move))


async def due_in(hall: Hall) -> float:
    """Seconds until the clock of the seat on turn has run out."""
    found = await hall.snapshot(ANNE)
    assert found.due is not None
    return (found.due - found.now) / 1000


def expiries(hall: Hall, seat: Seat) -> int:
    return live(hall).state.chairs[seat].expiries


async def time_out(hall: Hall) -> None:
    """Let the seat on turn draw and then fall silent."""
    before = hall.types().count("turn_timed_out")
    await draw(hall)
    hall.turn_clock(TURN_CLOCK)
    await until(lambda: hall.types().count("turn_timed_out") > before, "the turn to be timed out")


async def test_N50_a_move_within_a_turn_gives_no_more_time() -> None:
    async with Hall() as hall:
        await start(hall)
        assert await due_in(hall) == TURN_CLOCK
        hall.turn_clock(TURN_CLOCK - 1)
        await draw(hall)
        assert await due_in(hall) == 1
        hall.turn_clock(1)
        await until(lambda: "turn_timed_out" in hall.types(), "the house to end the turn")
        assert hall.types()[-2:] == ["turn_timed_out", "card_discarded"]
        assert await due_in(hall) == TURN_CLOCK, "the next seat has a clock of its own"


async def test_N51_who_only_draws_and_falls_silent_twice_is_replaced_by_the_house() -> None:
    async with Hall() as hall:
        await start(hall)
        idle = live(hall).state.game.turn
        await time_out(hall)
        assert expiries(hall, idle) == 1
        await draw(hall)
        await discard(hall)
        await time_out(hall)
        body = decode_event(hall.rows()[-1].entry.line).body
        assert body == ControlChanged(seat=idle, control="house")


async def test_N51_a_turn_that_its_owner_ends_forgets_the_first_expiry() -> None:
    async with Hall() as hall:
        await start(hall)
        idle = live(hall).state.game.turn
        await time_out(hall)
        await draw(hall)
        await discard(hall)
        await draw(hall)
        assert expiries(hall, idle) == 1, "to begin a turn is not to end it"
        await discard(hall)
        assert expiries(hall, idle) == 0


# The clock by itself --------------------------------------------------------------------------


def after_a_draw(state: MatchState, game: HandState) -> MatchState:
    """The same turn one decision later."""
    return replace(state, game=game, waits=state.waits + 1)


async def waiting(hall: Hall) -> MatchState:
    await start(hall)
    return replace(live(hall).state, game=position("KS1 KH1 KD1", options=OPTIONS, step="draw"))


async def test_N50_a_duty_gives_sixty_seconds_from_the_beginning_of_the_turn() -> None:
    async with Hall() as hall:
        state = await waiting(hall)
        first = wait_for(state, 100.0, None)
        assert first is not None
        assert first.due == 100.0 + TURN_CLOCK
        owing = position("KS1 KH1", options=OPTIONS, opened=False, now=Turn(taken="KS1"))
        duty = wait_for(after_a_draw(state, owing), 110.0, first)
        assert duty is not None
        assert duty.due == 100.0 + DUTY_CLOCK
        paid = position("KS1 KH1", options=OPTIONS, opened=True, now=Turn(taken="KS1"))
        after = wait_for(after_a_draw(after_a_draw(state, owing), paid), 150.0, duty)
        assert after is not None
        assert after.due == duty.due, "time that was given is not taken back"


@pytest.mark.parametrize("kind", ["owner", "house"])
async def test_a_grace_after_a_take_over_outlives_the_next_move(kind: Kind) -> None:
    async with Hall() as hall:
        state = await waiting(hall)
        chairs = tuple(replace(chair, control=kind) for chair in state.chairs)
        state = replace(state, chairs=chairs)
        first = wait_for(state, 100.0, None)
        assert first is not None
        given = taken_over(first, 124.0)
        then = wait_for(after_a_draw(state, state.game), 125.0, given)
        assert then is not None
        assert then.due == given.due == 134.0
        assert then.next == (134.0 if kind == "owner" else 125.0 + BOT_PATIENCE)
        assert isinstance(then, Wait)
