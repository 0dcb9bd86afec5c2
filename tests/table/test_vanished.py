"""Who goes away, comes back, or comes where he was not asked to (H23, H24, N50, N51)."""

from hashlib import sha256

import pytest
from msgspec.structs import replace

from schemas.commands import (
    AddNonce,
    Command,
    HandOptions,
    HokmOptions,
    LeaveSeat,
    OpenMatch,
    Options,
    SeatPlan,
    StartMatch,
    TakeSeat,
)
from schemas.events import MatchEnded, decode_event
from schemas.feed import Happened
from schemas.ids import house_voice
from schemas.refusals import Refusal
from services.rules import sight
from services.rules.match import game_of
from tests.table.hall import (
    ANNE,
    BEHROUZ,
    CYRUS,
    DINA,
    FOUR_PEOPLE,
    MASKED,
    MATCH,
    PLAYERS,
    Hall,
    assert_happened,
    assert_refused,
)
from tests.table.playing import live, play_house, score, shelf, speaker, time_runs_out
from tests.waiting import until

WATCHER = "u_watcher00"
HOKM = HokmOptions(target=1)
CODE = "friend"


async def seat_people(hall: Hall, options: Options, seats: int) -> None:
    """A match that has begun, with a person on each seat."""
    assert_happened(await hall.say(ANNE, OpenMatch(options=options, seats=FOUR_PEOPLE[:seats])))
    for seat in range(1, seats):
        assert_happened(await hall.say(PLAYERS[seat], TakeSeat(seat=seat)))
    assert_happened(await hall.say(ANNE, StartMatch()))


# Everybody vanishes ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "seats"),
    [
        (HOKM, 4),
        (HandOptions(variant="classic", seats=2, rounds=3), 2),
        (HandOptions(variant="saudi_partnership", seats=4, rounds=3), 4),
    ],
    ids=["hokm", "classic", "saudi_partnership"],
)
async def test_a_match_in_which_every_human_vanishes_ends_by_itself_within_its_clocks(
    options: Options, seats: int
) -> None:
    """Without any bot worker too: each turn takes its clock at most, and no clock is set anew."""
    async with Hall() as hall:
        await seat_people(hall, options, seats)
        while not (state := shelf(hall).live[MATCH].state).over:
            if state.ended is not None:
                await score(hall)
            else:
                assert await time_runs_out(hall) <= sight.clock(state)
        ended = decode_event(hall.rows()[-1].entry.line).body
        assert isinstance(ended, MatchEnded)
        assert hall.log.open_streams(0) == ()
        held = [row for row in hall.rows() if row.entry.type == "control_changed"]
        assert len(held) == seats  # once a seat is held it stays so: nobody came back


async def test_H24_a_returning_owner_has_his_seat_at_the_next_move() -> None:
    async with Hall() as hall:
        await seat_people(hall, HokmOptions(target=100), 4)
        while any(chair.control == "owner" for chair in live(hall).state.chairs):
            await (time_runs_out(hall) if live(hall).state.ended is None else score(hall))
        assert (await hall.snapshot(BEHROUZ)).sitting[1].control == "owner"
        while sight.turn(live(hall).state) != 1:
            await (play_house(hall, own=True) if live(hall).state.ended is None else score(hall))
        state = live(hall).state
        view = sight.view(state, 1)
        assert view is not None
        move = game_of(state).house_move(view)
        late = await hall.say(house_voice(1), move, move=state.move)
        assert_refused(late, Refusal.NOT_SEATED)
        assert_happened(await hall.say(BEHROUZ, move, move=state.move))


async def test_a_bot_that_answers_as_the_owner_is_back_is_too_late_and_takes_nothing() -> None:
    async with Hall() as hall:
        await seat_people(hall, HokmOptions(target=100), 4)
        while not any(chair.control == "house" for chair in live(hall).state.chairs):
            await time_runs_out(hall)
        state = live(hall).state
        seat = next(n for n, chair in enumerate(state.chairs) if chair.control == "house")
        while sight.turn(live(hall).state) != seat:
            await play_house(hall, own=True)
        state = live(hall).state
        view = sight.view(state, seat)
        assert view is not None
        await hall.snapshot(PLAYERS[seat])
        hand = sight.view(live(hall).state, seat)
        late = await hall.say(house_voice(seat), game_of(state).house_move(view), move=state.move)
        assert_refused(late, Refusal.NOT_SEATED)
        assert sight.view(live(hall).state, seat) == hand == view


# After leaving --------------------------------------------------------------------------------


async def test_a_command_after_leaving_is_not_seated_and_what_was_accepted_is_told_again() -> None:
    async with Hall() as hall:
        await seat_people(hall, HOKM, 4)
        seat = sight.turn(live(hall).state)
        assert seat is not None
        state, player = live(hall).state, PLAYERS[seat]
        view = sight.view(state, seat)
        assert view is not None
        named = Command(id="t" * 16, move=state.move, action=game_of(state).house_move(view))
        before = await hall.repeat(player, named)
        assert_happened(before)
        state = live(hall).state
        view = sight.view(state, seat)
        assert view is not None
        card = game_of(state).house_move(view)
        left = Command(id="l" * 16, action=LeaveSeat())
        assert_happened(await hall.repeat(player, left))
        played = Command(id="c" * 16, move=live(hall).state.move, action=card)
        assert_refused(await hall.repeat(player, played), Refusal.NOT_SEATED)
        assert_refused(await hall.say(player, LeaveSeat()), Refusal.NOT_SEATED)
        assert_refused(await hall.say(player, AddNonce(nonce="0" * 64)), Refusal.NOT_SEATED)
        assert await hall.repeat(player, named) == before
        assert_happened(await hall.repeat(player, left))
        assert "hand" not in str((await hall.snapshot(player)).sitting)
        assert (await hall.snapshot(player)).view == (await hall.snapshot(WATCHER)).view


async def test_who_left_is_told_nothing_more_and_a_commands_id_its_author_alone() -> None:
    async with Hall() as hall:
        await seat_people(hall, HOKM, 4)
        assert_happened(await hall.say(BEHROUZ, LeaveSeat()))
        heard, author = len(hall.feeds), speaker(live(hall).state, own=True)
        await play_house(hall, own=True)
        await hall.snapshot(DINA)  # so all that was to be said of the card is said
        told = {message.subject.split(".")[1] for message in hall.feeds[heard:]}
        assert told == {ANNE, CYRUS, DINA, author}
        for voice in told:
            ids = [one.command for one in hall.heard(voice, heard) if isinstance(one, Happened)]
            assert any(ids) == (voice == author), voice


async def test_who_is_back_on_his_seat_cannot_have_an_old_refused_card_played() -> None:
    async with Hall() as hall:
        await seat_people(hall, HOKM, 4)
        seat = sight.turn(live(hall).state)
        assert seat is not None
        player, state = PLAYERS[seat], live(hall).state
        view = sight.view(state, seat)
        assert view is not None
        assert_happened(await hall.say(player, LeaveSeat()))
        move = live(hall).state.move
        card = Command(id="c" * 16, move=move, action=game_of(state).house_move(view))
        assert_refused(await hall.repeat(player, card), Refusal.NOT_SEATED)
        assert_happened(await hall.say(player, TakeSeat(seat=seat)))
        assert_refused(await hall.repeat(player, card), Refusal.STALE_MOVE)
        fresh = replace(card, id="d" * 16, move=live(hall).state.move)
        assert_happened(await hall.repeat(player, fresh))


async def test_a_match_that_all_have_left_is_ended_by_the_house() -> None:
    async with Hall() as hall:
        await seat_people(hall, HOKM, 4)
        for player in PLAYERS:
            assert_happened(await hall.say(player, LeaveSeat()))
        while not live(hall).state.over:
            await (play_house(hall, own=False) if live(hall).state.ended is None else score(hall))
        assert hall.types()[-1] == "match_ended"


# Another's seat -------------------------------------------------------------------------------


async def test_H23_a_seat_after_having_seen_anothers_cards_is_refused_after_a_restart_too() -> None:
    async with Hall() as before:
        await seat_people(before, HOKM, 4)
        for player in (BEHROUZ, CYRUS):
            assert_happened(await before.say(player, LeaveSeat()))
        assert_refused(await before.say(BEHROUZ, TakeSeat(seat=2)), Refusal.SEEN_CARDS)
    async with Hall(store=before.store) as after:
        others = Command(id="a" * 16, action=TakeSeat(seat=2))
        assert_refused(await after.repeat(BEHROUZ, others), Refusal.SEEN_CARDS)
        assert_happened(await after.repeat(WATCHER, replace(others, id="b" * 16)))
        own = Command(id="c" * 16, action=TakeSeat(seat=1))
        assert_happened(await after.repeat(BEHROUZ, own))


async def test_H23_who_took_over_a_seat_and_left_it_has_seen_its_cards_too() -> None:
    async with Hall() as hall:
        await seat_people(hall, HOKM, 4)
        for player in (BEHROUZ, CYRUS):
            assert_happened(await hall.say(player, LeaveSeat()))
        assert_happened(await hall.say(WATCHER, TakeSeat(seat=1)))
        assert_happened(await hall.say(WATCHER, LeaveSeat()))
        assert_refused(await hall.say(WATCHER, TakeSeat(seat=2)), Refusal.SEEN_CARDS)
        assert_happened(await hall.say(WATCHER, TakeSeat(seat=1)))


async def test_H23_of_all_who_left_each_may_have_his_own_seat_alone_the_owner_too() -> None:
    async with Hall() as hall:
        await seat_people(hall, HOKM, 4)
        for player in PLAYERS:
            assert_happened(await hall.say(player, LeaveSeat()))
        for seat, player in enumerate(PLAYERS):
            for other in {1, 2, 3} - {seat}:  # seat 0 is the owner's, whoever has seen what
                assert_refused(await hall.say(player, TakeSeat(seat=other)), Refusal.SEEN_CARDS)
        for seat, player in enumerate(PLAYERS):
            assert_happened(await hall.say(player, TakeSeat(seat=seat)))


async def test_H23_who_sits_takes_no_second_seat_that_somebody_has_left() -> None:
    async with Hall() as hall:
        await seat_people(hall, HOKM, 4)
        assert_happened(await hall.say(BEHROUZ, LeaveSeat()))
        for player in (ANNE, CYRUS, DINA):
            assert_refused(await hall.say(player, TakeSeat(seat=1)), Refusal.NOT_ALLOWED)


async def test_who_left_before_the_deal_has_seen_nothing() -> None:
    async with Hall() as hall:
        await hall.open()
        assert_happened(await hall.say(BEHROUZ, TakeSeat(seat=1)))
        assert_happened(await hall.say(BEHROUZ, LeaveSeat()))
        assert_happened(await hall.say(BEHROUZ, TakeSeat(seat=2)))


async def test_H20_the_houses_own_seat_is_taken_by_nobody_before_the_start_and_after_it() -> None:
    async with Hall() as hall:
        await hall.open(MASKED)
        assert_refused(await hall.say(BEHROUZ, TakeSeat(seat=1)), Refusal.SEAT_TAKEN)
        assert_happened(await hall.say(ANNE, StartMatch()))
        for seat in (1, 2, 3):
            assert_refused(await hall.say(BEHROUZ, TakeSeat(seat=seat)), Refusal.SEAT_TAKEN)


# Invitations ----------------------------------------------------------------------------------


def invited(*seats: int) -> tuple[SeatPlan, ...]:
    return tuple(
        replace(plan, filled_by="invited") if plan.seat in seats else plan for plan in FOUR_PEOPLE
    )


async def open_invited(hall: Hall, *seats: int) -> None:
    hash_ = sha256(CODE.encode()).hexdigest()
    opening = OpenMatch(options=HOKM, seats=invited(*seats), invitation=hash_)
    assert_happened(await hall.say(ANNE, opening))


async def test_an_invitation_fills_its_seat_once() -> None:
    async with Hall() as hall:
        await open_invited(hall, 2)
        taken = Command(id="t" * 16, action=TakeSeat(seat=2, code=CODE))
        assert_happened(await hall.repeat(BEHROUZ, taken))
        for other in (CYRUS, BEHROUZ, ANNE):
            again = await hall.say(other, TakeSeat(seat=2, code=CODE))
            assert_refused(again, Refusal.SEAT_TAKEN)
        assert_refused(await hall.repeat(CYRUS, taken), Refusal.NOT_ALLOWED)
        assert_happened(await hall.say(CYRUS, TakeSeat(seat=1, code="of no use here")))
        assert_happened(await hall.say(DINA, TakeSeat(seat=3)))
        assert_happened(await hall.say(ANNE, StartMatch()))
        late = await hall.say(WATCHER, TakeSeat(seat=2, code=CODE))
        assert_refused(late, Refusal.SEAT_TAKEN)


async def test_two_invited_seats_are_filled_once_each_and_never_by_one() -> None:
    async with Hall() as hall:
        await open_invited(hall, 1, 2)
        assert_happened(await hall.say(BEHROUZ, TakeSeat(seat=1, code=CODE)))
        both = await hall.say(BEHROUZ, TakeSeat(seat=2, code=CODE))
        assert_refused(both, Refusal.NOT_ALLOWED)
        assert_happened(await hall.say(CYRUS, TakeSeat(seat=2, code=CODE)))
        for seat in (1, 2):
            third = await hall.say(DINA, TakeSeat(seat=seat, code=CODE))
            assert_refused(third, Refusal.SEAT_TAKEN)


async def test_who_sits_by_invitation_and_goes_leaves_it_open_to_who_has_the_code() -> None:
    async with Hall() as hall:
        await open_invited(hall, 2)
        assert_happened(await hall.say(BEHROUZ, TakeSeat(seat=2, code=CODE)))
        assert_happened(await hall.say(BEHROUZ, LeaveSeat()))
        assert_refused(await hall.say(CYRUS, TakeSeat(seat=2)), Refusal.WRONG_CODE)
        assert_refused(await hall.say(CYRUS, TakeSeat(seat=2, code="")), Refusal.WRONG_CODE)
        assert_happened(await hall.say(CYRUS, TakeSeat(seat=2, code=CODE)))


async def test_the_code_is_told_to_nobody() -> None:
    async with Hall() as hall:
        await open_invited(hall, 2)
        assert_happened(await hall.say(BEHROUZ, TakeSeat(seat=2, code=CODE)))
        await until(lambda: len(hall.published) == len(hall.rows()), "all events")
        said = [message.data for message in (*hall.feeds, *hall.published)]
        assert not any(CODE.encode() in data for data in said)


# Spectators -----------------------------------------------------------------------------------


async def test_a_spectator_sees_the_table_and_no_hand_and_hears_nothing_unasked() -> None:
    async with Hall() as hall:
        await seat_people(hall, HOKM, 4)
        found = await hall.snapshot(WATCHER)
        assert found.view is not None
        assert (found.view.seat, found.view.hand) == (None, ())
        heard = len(hall.heard(WATCHER))
        await play_house(hall, own=True)
        assert len(hall.heard(WATCHER)) == heard
