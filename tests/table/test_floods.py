"""A player who floods is not heard for a while and is cut off; nobody else notices."""

import asyncio

import pytest

from schemas import subjects
from schemas.commands import Command, HokmOptions, OpenMatch, StartMatch, TakeSeat, encode_command
from schemas.feed import ASK_BYTES, Ask, Refused, encode_ask
from schemas.refusals import Refusal
from services.messaging.port import BusUnreachable, Message
from services.runtime.tasks import end
from services.table import floods
from services.table.floods import Floods
from tests.clocks import HandClock
from tests.table.hall import (
    ANNE,
    BEHROUZ,
    CYRUS,
    FOUR_PEOPLE,
    MATCH,
    Hall,
    assert_happened,
)
from tests.waiting import until


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(floods, "MOST", 10)


async def say_nonsense(hall: Hall, voice: str, times: int) -> None:
    """Say what is refused, without waiting for answers."""
    for _ in range(times):
        data = encode_command(Command(id=hall.new_id(), action=StartMatch()))
        subject = subjects.command_in(MATCH, voice)
        await hall.line.publish([Message(subject=subject, data=data)])


def refusals(hall: Hall, voice: str) -> int:
    return sum(isinstance(feed, Refused) for feed in hall.heard(voice))


async def test_who_is_refused_too_often_is_not_heard_and_the_others_are() -> None:
    async with Hall() as hall:
        await hall.open()
        while refusals(hall, BEHROUZ) <= floods.MOST:
            await hall.say(BEHROUZ, StartMatch())
        before = refusals(hall, BEHROUZ)
        await say_nonsense(hall, BEHROUZ, 5)
        assert_happened(await hall.say(CYRUS, TakeSeat(seat=2)))
        assert refusals(hall, BEHROUZ) == before
        await hall.line.publish(
            [Message(subject=subjects.ask(MATCH, BEHROUZ), data=encode_ask(Ask()))]
        )
        await hall.snapshot(ANNE)
        assert refusals(hall, BEHROUZ) == before


async def test_after_a_while_a_flooding_player_is_heard_again() -> None:
    async with Hall() as hall:
        await hall.open()
        while refusals(hall, BEHROUZ) <= floods.MOST:
            await hall.say(BEHROUZ, StartMatch())
        hall.turn_clock(floods.DENIED_FOR)
        assert_happened(await hall.say(BEHROUZ, TakeSeat(seat=1)))


async def test_what_a_denied_player_said_does_not_come_again_and_is_not_done_later() -> None:
    async with Hall() as hall:
        await hall.open()
        while refusals(hall, BEHROUZ) <= floods.MOST:
            await hall.say(BEHROUZ, StartMatch())
        data = encode_command(Command(id=hall.new_id(), action=TakeSeat(seat=1)))
        subject = subjects.command_in(MATCH, BEHROUZ)
        await hall.line.publish([Message(subject=subject, data=data)])
        assert_happened(await hall.say(CYRUS, TakeSeat(seat=2)))
        hall.turn_clock(floods.DENIED_FOR)
        await hall.snapshot(ANNE)
        assert "behrouz" not in str(hall.rows())


async def test_asks_are_counted_too() -> None:
    async with Hall() as hall:
        await hall.open()
        for _ in range(floods.MOST + 2):
            await hall.snapshot(BEHROUZ)
        heard = len(hall.heard(BEHROUZ))
        await hall.line.publish(
            [Message(subject=subjects.ask(MATCH, BEHROUZ), data=encode_ask(Ask()))]
        )
        await hall.snapshot(ANNE)
        assert len(hall.heard(BEHROUZ)) == heard


async def test_what_was_accepted_and_is_said_again_and_again_is_counted() -> None:
    async with Hall() as hall:
        await hall.open()
        command = Command(id=hall.new_id(), action=TakeSeat(seat=1))
        for _ in range(floods.MOST + 2):
            assert_happened(await hall.repeat(BEHROUZ, command))
        heard = len(hall.heard(BEHROUZ))
        await say_nonsense(hall, BEHROUZ, 3)
        assert_happened(await hall.say(CYRUS, TakeSeat(seat=2)))
        assert not hall.owner._of.floods.hears(BEHROUZ)
        assert all(not isinstance(feed, Refused) for feed in hall.heard(BEHROUZ, heard))


async def test_matches_opened_are_counted() -> None:
    async with Hall() as hall:
        opening = OpenMatch(options=HokmOptions(), seats=FOUR_PEOPLE)
        for number in range(floods.MOST + 1):
            command = Command(id=hall.new_id(), action=opening)
            assert_happened(await hall.repeat(BEHROUZ, command, f"m_{number:032x}"))
        assert not hall.owner._of.floods.hears(BEHROUZ)


async def test_an_ask_costs_as_much_as_the_room_that_it_took() -> None:
    async with Hall() as hall:
        await hall.open()
        padded = b'{"what":"snapshot"' + b" " * ASK_BYTES * floods.MOST + b"}"
        await hall.line.publish([Message(subject=subjects.ask(MATCH, BEHROUZ), data=padded)])
        counts = hall.owner._of.floods
        await until(lambda: not counts.hears(BEHROUZ), "Behrouz to be denied")
        await hall.snapshot(ANNE)
        assert hall.heard(BEHROUZ) == []


@pytest.mark.parametrize("subject", ["cmdin.junk{}.{}", "ask.junk{}.{}"])
async def test_what_names_no_match_is_counted_for_its_speaker(subject: str) -> None:
    async with Hall() as hall:
        await hall.open()
        for number in range(floods.MOST + 1):
            message = Message(subject=subject.format(number, BEHROUZ), data=b"{}")
            await hall.line.publish([message])
        counts = hall.owner._of.floods
        await until(lambda: not counts.hears(BEHROUZ), "Behrouz to be denied")
        assert counts.hears(ANNE)


# The counts -----------------------------------------------------------------------------------


class Cuts:
    """A warden that notes whom it cuts; the first time no broker answers it."""

    def __init__(self) -> None:
        self.cut: list[str] = []
        self.away = True

    async def watch(self) -> None:
        return

    async def kick(self, player: str) -> int:
        if self.away:
            self.away = False
            raise BusUnreachable("no broker")
        self.cut.append(player)
        return 1

    async def close(self) -> None:
        return


def count(counts: Floods, voice: str, times: int) -> None:
    for _ in range(times):
        counts.count(voice)


def test_a_window_that_has_passed_counts_no_more() -> None:
    clock = HandClock()
    counts = Floods(clock)
    count(counts, ANNE, floods.MOST)
    clock.seconds += floods.WINDOW
    count(counts, ANNE, floods.MOST)
    assert counts.hears(ANNE)
    count(counts, ANNE, 1)
    assert not counts.hears(ANNE)
    assert counts.hears(BEHROUZ)


def test_a_client_asks_at_each_of_its_tables_for_nothing() -> None:
    counts = Floods(HandClock())
    for number in range(floods.MOST * 3):
        counts.count_ask(ANNE, f"m_{number:032x}")
    assert counts.hears(ANNE)
    for number in range(floods.MOST + 1):
        counts.count_ask(ANNE, f"m_{number:032x}")
    assert not counts.hears(ANNE)


def test_who_is_spared_is_not_counted() -> None:
    counts = Floods(HandClock(), spared=frozenset((ANNE,)))
    count(counts, ANNE, floods.MOST * 3)
    assert counts.hears(ANNE)


def test_the_houses_voices_are_never_denied() -> None:
    counts = Floods(HandClock())
    for voice in ("house0", "scoring", "ops"):
        count(counts, voice, floods.MOST * 3)
        assert counts.hears(voice)


def test_so_many_players_are_counted_and_the_quiet_ones_forgotten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(floods, "COUNTED", 3)
    counts = Floods(HandClock())
    count(counts, ANNE, floods.MOST + 1)
    for number in range(3):
        counts.count(f"u_player{number:03d}")
        counts.count(ANNE)
    assert not counts.hears(ANNE)
    assert len(counts._windows) == 3


async def test_who_floods_is_cut_once_for_each_time_and_a_broker_away_stops_nothing() -> None:
    clock, cuts = HandClock(), Cuts()
    counts = Floods(clock)
    cutting = asyncio.create_task(counts.cut(cuts))
    count(counts, CYRUS, floods.MOST + 20)
    await until(lambda: not cuts.away, "the first try to cut")
    count(counts, ANNE, floods.MOST + 20)
    await until(lambda: cuts.cut == [ANNE], "Anne to be cut")
    clock.seconds += floods.DENIED_FOR + floods.WINDOW
    count(counts, ANNE, floods.MOST + 20)
    await until(lambda: cuts.cut == [ANNE, ANNE], "Anne to be cut again")
    await end(cutting)


async def test_who_goes_on_while_denied_is_cut_again() -> None:
    cuts = Cuts()
    cuts.away = False
    counts = Floods(HandClock())
    cutting = asyncio.create_task(counts.cut(cuts))
    count(counts, ANNE, floods.MOST + 1)
    await until(lambda: cuts.cut == [ANNE], "Anne to be cut")
    for _ in range(floods.CUT_AFTER):
        assert not counts.hears(ANNE)
    await until(lambda: cuts.cut == [ANNE, ANNE], "Anne to be cut again")
    await end(cutting)


async def test_who_is_to_be_cut_again_and_again_makes_nobody_else_wait() -> None:
    cuts = Cuts()
    cuts.away = False
    counts = Floods(HandClock())
    count(counts, ANNE, floods.MOST + 1)
    for _ in range(20 * floods.CUT_AFTER):
        assert not counts.hears(ANNE)
    count(counts, BEHROUZ, floods.MOST + 1)
    cutting = asyncio.create_task(counts.cut(cuts))
    await until(lambda: BEHROUZ in cuts.cut, "Behrouz to be cut")
    assert cuts.cut == [ANNE, BEHROUZ]
    await end(cutting)


async def test_refused_for_ever_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(floods, "MOST", 1_000)
    async with Hall() as hall:
        await hall.open()
        answer = await hall.say(BEHROUZ, StartMatch())
        assert isinstance(answer, Refused)
        assert answer.code == Refusal.NOT_ALLOWED
