"""The table's clocks: turns, bots that do not answer, rounds without a score, empty lobbies."""

import time
from functools import partial
from pathlib import Path

import pytest

from schemas.commands import ChooseTrump, HokmOptions, LeaveSeat, OpenMatch, StartMatch
from schemas.events import ControlChanged, decode_event
from schemas.feed import Snapshot
from schemas.views import HokmView, decode_turn
from services.messaging.permissions import COMMAND_LINE_PLAYER
from services.messaging.port import Message
from services.rules.hokm.play import CARD_CLOCK, TRUMP_CLOCK
from services.runtime.key_files import create_key
from services.runtime.settings import table_settings
from services.table import tenure
from services.table.__main__ import _desk
from services.table.waits import BOT_PATIENCE, GRACE, LOBBY, SCORE_PATIENCE
from tests.table.hall import (
    ALL_HOUSE,
    ANNE,
    MASKED,
    PLAYERS,
    Hall,
    assert_happened,
)
from tests.table.playing import live, play_house, time_runs_out, to_the_end_of_a_round
from tests.waiting import until


async def hokm_view(hall: Hall, voice: str) -> HokmView:
    view = (await hall.snapshot(voice)).view
    assert isinstance(view, HokmView)
    return view


async def test_H24_when_time_is_up_the_house_plays_for_the_seat() -> None:
    async with Hall() as hall:
        await hall.start()
        before = await hall.snapshot(ANNE)
        assert before.due == before.now + TRUMP_CLOCK * 1000
        hall.turn_clock(TRUMP_CLOCK - 0.01)
        assert (await hall.snapshot(ANNE)).move == before.move
        hall.turn_clock(0.01)
        await until(lambda: "rest_dealt" in hall.types(), "the house to name trump")
        assert hall.types()[-3:] == ["turn_timed_out", "trump_chosen", "rest_dealt"]
        origins = [decode_event(row.entry.line).origin for row in hall.rows()[-3:]]
        assert origins == ["ops", "rule", "rule"]
        after = await hall.snapshot(ANNE)
        assert after.due == after.now + CARD_CLOCK * 1000


async def test_H24_after_two_expiries_in_a_row_the_house_holds_the_seat_until_its_owner_asks() -> (
    None
):
    async with Hall() as hall:
        await hall.start()
        voice = PLAYERS[(await hokm_view(hall, ANNE)).hakem]
        assert await time_runs_out(hall) == TRUMP_CLOCK
        assert "rest_dealt" in hall.types()
        assert await time_runs_out(hall) == CARD_CLOCK
        assert "control_changed" in hall.types()
        seat = PLAYERS.index(voice)
        sitting = (await hall.snapshot(next(p for p in PLAYERS if p != voice))).sitting[seat]
        assert (sitting.control, sitting.player) == ("house", voice)
        back = await hall.snapshot(voice)
        assert back.sitting[seat].control == "owner"
        changes = [decode_event(row.entry.line) for row in hall.rows()]
        bodies = [(e.origin, e.body) for e in changes if isinstance(e.body, ControlChanged)]
        assert [(origin, body.control) for origin, body in bodies] == [
            ("rule", "house"),
            ("ops", "owner"),
        ]


async def test_a_move_of_ones_own_forgets_the_first_expiry() -> None:
    async with Hall() as hall:
        await hall.start()
        hall.turn_clock(TRUMP_CLOCK)
        await until(lambda: "rest_dealt" in hall.types(), "the first expiry")
        for _ in range(4):
            await play_house(hall, own=True)
        hall.turn_clock(CARD_CLOCK)
        await until(lambda: hall.types().count("turn_timed_out") == 2, "another expiry")
        assert "control_changed" not in hall.types()


async def test_a_bot_is_asked_once_and_again_when_it_does_not_answer() -> None:
    async with Hall() as hall:
        await hall.start(ALL_HOUSE)
        await until(lambda: hall.turns, "a bot to be asked")
        assert len(hall.turns) == 1
        hall.turn_clock(BOT_PATIENCE)
        await until(lambda: len(hall.turns) == 2, "the bot to be asked again")
        assert hall.turns[0].data == hall.turns[1].data


async def test_a_match_without_any_bot_worker_ends_by_itself() -> None:
    async with Hall() as hall:
        await hall.start(ALL_HOUSE, target=1)
        while "round_ended" not in hall.types():
            await time_runs_out(hall)
        assert hall.types()[-1] in ("round_revealed", "match_ended")


async def test_a_round_that_is_not_scored_is_published_again() -> None:
    async with Hall() as hall:
        await hall.start(ALL_HOUSE, target=1)
        await to_the_end_of_a_round(hall)
        await until(lambda: len(_ended(hall)) == 1, "the end of the round")
        hall.turn_clock(SCORE_PATIENCE)
        await until(lambda: len(_ended(hall)) == 2, "the end of the round again")
        hall.turn_clock(SCORE_PATIENCE)
        await until(lambda: len(_ended(hall)) == 3, "the end of the round a third time")
        assert len({message.data for message in _ended(hall)}) == 1
        names = [message.headers["Nats-Msg-Id"] for message in _ended(hall)]
        assert [name.partition(":again")[2] for name in names] == ["", "1", "2"]


async def test_a_lobby_in_which_nobody_starts_the_match_is_closed() -> None:
    async with Hall() as hall:
        await hall.open()
        hall.turn_clock(LOBBY)
        await until(lambda: "match_abandoned" in hall.types(), "the lobby to be closed")
        assert hall.log.open_streams(0) == ()


async def test_a_match_taken_over_gives_its_seat_some_time_more() -> None:
    async with Hall() as before:
        await before.start()
    async with Hall(store=before.store) as after:
        await until(lambda: [f for f in after.heard(ANNE) if isinstance(f, Snapshot)], "a snapshot")
        found = await after.snapshot(ANNE)
        assert found.due is not None
        assert found.due >= found.now + GRACE * 1000


async def test_no_seat_is_timed_out_for_the_time_in_which_the_worker_stood_still(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tenure, "IDLE", 0.01)
    monkeypatch.setattr(tenure, "STALLED", 0.25)
    async with Hall() as hall:
        await hall.start()
        hall.turn_clock(TRUMP_CLOCK * 10)
        time.sleep(0.3)  # noqa: ASYNC251 the whole process stands still, as under SIGSTOP
        found = await hall.snapshot(ANNE)
        assert found.due is not None
        assert found.due >= found.now + GRACE * 1000 - 1
        assert "turn_timed_out" not in hall.types()


async def test_who_leaves_a_running_match_leaves_his_seat_to_the_house() -> None:
    async with Hall() as hall:
        await hall.start(MASKED)
        assert_happened(await hall.say(ANNE, LeaveSeat()))
        sitting = (await hall.snapshot(ANNE)).sitting[0]
        assert (sitting.player, sitting.control, sitting.level) == (None, "house", "chrome")
        await to_the_end_of_a_round(hall)
        assert "round_ended" in hall.types()


async def test_an_owner_who_speaks_gets_his_seat_back_and_is_heard() -> None:
    async with Hall() as hall:
        await hall.start(MASKED, target=100)
        while "control_changed" not in hall.types():
            move = (await hall.snapshot("u_watcher00")).move
            view = await hokm_view(hall, "u_watcher00")
            if view.turn == 0:
                hall.turn_clock(TRUMP_CLOCK)
                await until(partial(_moved, hall, move), "the house to play")
            else:
                await play_house(hall, own=False)
        move = (await hall.snapshot("u_watcher00")).move
        await hall.say(ANNE, ChooseTrump(suit="S"), move=move)
        assert (await hall.snapshot("u_watcher00")).sitting[0].control == "owner"


def _ended(hall: Hall) -> list[Message]:
    return [message for message in hall.published if message.subject.endswith("round_ended")]


def _moved(hall: Hall, move: int) -> bool:
    return live(hall).state.move > move


async def test_where_people_sit_the_house_is_not_asked_at_once() -> None:
    """An instant answer would show that there was only one card to play."""
    async with Hall(pace=0.8) as hall:
        await hall.start(MASKED, target=100)
        while live(hall).state.chairs[(await hokm_view(hall, ANNE)).turn or 0].control == "owner":
            await play_house(hall, own=True)
        asked = len(hall.turns)
        hall.turn_clock(0.3)
        await hall.snapshot(ANNE)
        assert len(hall.turns) == asked
        hall.turn_clock(0.2)
        await until(lambda: len(hall.turns) == asked + 1, "the bot to be asked")


async def test_the_house_holds_its_answer_for_the_other_half_of_the_pace() -> None:
    """How long it thinks would else show how many cards it had to think about."""
    async with Hall(pace=0.8) as hall:
        await hall.start(ALL_HOUSE)
        hall.turn_clock(0.4)
        await until(lambda: hall.turns, "a bot to be asked")
        assert decode_turn(hall.turns[0].data).steady == 400


async def test_without_a_pace_and_among_the_command_lines_bots_nothing_is_held() -> None:
    async with Hall() as hall:
        await hall.start(ALL_HOUSE)
        await until(lambda: hall.turns, "a bot to be asked")
        assert b'"steady"' not in hall.turns[0].data


def test_a_worker_that_is_told_no_pace_gives_the_house_four_fifths_of_a_second(
    tmp_path: Path,
) -> None:
    create_key(tmp_path / "key")
    told = {
        "WARAQ_NATS_URL": "nats://127.0.0.1:1",
        "WARAQ_LOG_URL": "sqlite:///x.db",
        "WARAQ_SHUFFLE_KEY_FILE": str(tmp_path / "key"),
    }
    assert _desk(table_settings(told)).pace == 0.8
    for pace in ("0.05", "0"):
        assert _desk(table_settings(told | {"WARAQ_PACE": pace})).pace == float(pace)


async def test_bots_among_themselves_do_not_wait_at_the_command_lines_table() -> None:
    async with Hall(pace=0.8) as hall:
        opening = OpenMatch(options=HokmOptions(), seats=ALL_HOUSE)
        assert_happened(await hall.say(COMMAND_LINE_PLAYER, opening))
        assert_happened(await hall.say(COMMAND_LINE_PLAYER, StartMatch()))
        await until(lambda: hall.turns, "a bot to be asked")
        assert decode_turn(hall.turns[0].data).steady == 0


async def test_bots_at_a_players_table_wait_though_nobody_sits() -> None:
    """A few such tables without a pace took all that the service could do."""
    async with Hall(pace=0.8) as hall:
        await hall.start(ALL_HOUSE)
        await hall.snapshot(ANNE)
        assert not hall.turns
        hall.turn_clock(0.9)
        await until(lambda: hall.turns, "a bot to be asked")


async def test_the_tables_clock_goes_on_and_the_end_of_a_turn_stays() -> None:
    """A client counts `due - now` down by a clock of its own (clients.md, Taking a turn)."""
    async with Hall() as hall:
        await hall.start()
        first = await hall.snapshot(ANNE)
        hall.clock.seconds += 7
        for voice in (ANNE, "u_watcher00"):
            later = await hall.snapshot(voice)
            assert (later.now, later.due) == (first.now + 7_000, first.due)
