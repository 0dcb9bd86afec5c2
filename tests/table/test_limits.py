"""Many matches, many asks, much refused: every limit holds and nobody is forgotten."""

import asyncio

import pytest
from msgspec.structs import replace

from schemas import subjects
from schemas.commands import (
    Command,
    HokmOptions,
    LeaveSeat,
    OpenMatch,
    StartMatch,
    TakeSeat,
    encode_command,
)
from schemas.feed import Ask, Happened, Refused
from schemas.refusals import Refusal
from schemas.subjects import Address
from services.event_log.memory import MemoryLog, MemoryStore
from services.event_log.port import Batch, Claim, LogError
from services.messaging.permissions import COMMAND_LINE_PLAYER
from services.messaging.port import Message
from services.rules import match as rules
from services.table import floods, inbox, outbox, owner, shelf, stage, tenure
from services.table.floods import Floods
from services.table.secrets import key_from
from services.table.stage import Asked
from services.table.waits import LOBBY
from tests.clocks import HandClock
from tests.table import hall as halls
from tests.table.hall import (
    ALL_HOUSE,
    ANNE,
    BEHROUZ,
    CYRUS,
    DINA,
    FOUR_PEOPLE,
    MATCH,
    Hall,
    assert_happened,
    assert_refused,
)
from tests.table.playing import time_runs_out
from tests.waiting import until


def match_id(number: int) -> str:
    return f"m_{number:032x}"


async def open_many(hall: Hall, count: int) -> list[str]:
    found = [match_id(number) for number in range(1, count + 1)]
    for match in found:
        opening = OpenMatch(options=HokmOptions(), seats=FOUR_PEOPLE)
        command = Command(id=hall.new_id(), action=opening)
        assert_happened(await hall.repeat(ANNE, command, match))
    return found


async def test_matches_that_are_not_in_memory_are_played_on_and_time_finds_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(shelf, "MOST_LIVE", 3)
    async with Hall() as hall:
        matches = await open_many(hall, 12)
        for match in matches:
            seated = Command(id=hall.new_id(), action=TakeSeat(seat=1))
            assert_happened(await hall.repeat(BEHROUZ, seated, match))
        hall.turn_clock(LOBBY)
        await until(lambda: not hall.log.open_streams(0), "every lobby to be closed")
        assert all(hall.types(match)[-1] == "match_abandoned" for match in matches)


async def test_no_match_is_opened_beyond_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tenure, "DRAIN_AT", 2)
    async with Hall() as hall:
        await open_many(hall, 2)
        opening = Command(
            id=hall.new_id(), action=OpenMatch(options=HokmOptions(), seats=FOUR_PEOPLE)
        )
        assert_refused(await hall.repeat(ANNE, opening, match_id(9)), Refusal.DRAINING)


async def opened(hall: Hall, voice: str, number: int) -> Happened | Refused:
    opening = OpenMatch(options=HokmOptions(), seats=FOUR_PEOPLE)
    return await hall.repeat(voice, Command(id=hall.new_id(), action=opening), match_id(number))


async def test_a_player_has_so_many_open_matches_and_then_ends_one_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(stage, "OPEN_EACH", 3)
    async with Hall() as hall:
        for number in range(3):
            assert_happened(await opened(hall, ANNE, number))
        assert_refused(await opened(hall, ANNE, 3), Refusal.DRAINING)
        assert_happened(await opened(hall, BEHROUZ, 4))
        hall.turn_clock(LOBBY + 1)
        await until(lambda: "match_abandoned" in hall.types(match_id(2)), "the lobbies to expire")
        assert_happened(await opened(hall, ANNE, 5))
        for number in range(10, 15):
            assert_happened(await opened(hall, COMMAND_LINE_PLAYER, number))


async def test_another_owner_of_the_partition_knows_whose_the_open_matches_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(stage, "OPEN_EACH", 2)
    async with Hall() as hall:
        for number in range(2):
            assert_happened(await opened(hall, ANNE, number))
    async with Hall(broker=hall.broker, store=hall.store) as again:
        tenure_ = again.owner._tenure
        assert tenure_ is not None
        await until(lambda: tenure_._shelf.owned.count(ANNE) == 2, "the open matches to be swept")
        assert_refused(await opened(again, ANNE, 2), Refusal.DRAINING)


async def test_of_one_batch_too_no_more_are_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stage, "OPEN_EACH", 3)
    opening = OpenMatch(options=HokmOptions(), seats=FOUR_PEOPLE)
    async with Hall() as hall:
        said = [
            Message(
                subject=subjects.command_in(match_id(number), ANNE),
                data=encode_command(Command(id=hall.new_id(), action=opening)),
            )
            for number in range(6)
        ]
        await hall.line.publish(said)
        await until(lambda: len(hall.heard(ANNE)) == 6, "six answers")
        assert sum(isinstance(feed, Happened) for feed in hall.heard(ANNE)) == 3


async def test_a_command_for_an_unknown_match_reads_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with Hall() as hall:
        loads: list[str] = []
        real = hall.owner_log.load

        def load(stream: str, **more: int) -> object:
            loads.append(stream)
            return real(stream, **more)

        monkeypatch.setattr(hall.owner_log, "load", load)
        for number in range(50):
            command = Command(id=hall.new_id(), action=StartMatch())
            refused = await hall.repeat(ANNE, command, match_id(number + 100))
            assert_refused(refused, Refusal.UNKNOWN_MATCH)
        assert loads == []


async def test_asks_that_wait_are_bounded_and_one_like_another_takes_its_place() -> None:
    news = asyncio.Event()
    box = inbox.Inbox(0, 1, news=news, floods=Floods(HandClock()), ticks=HandClock().ticks)
    for number in range(inbox.WAITING_ASKS + 50):
        box.ask(Asked(Address(match_id(number), ANNE), Ask()))
    assert box.asks == inbox.WAITING_ASKS
    box.ask(Asked(Address(match_id(0), ANNE), Ask()))
    assert box.asks == inbox.WAITING_ASKS
    assert len(box.take_asks(10)) == 10


async def test_asks_that_get_no_answer_of_their_own_are_counted_at_the_door(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(floods, "MOST", 10)
    counts = Floods(HandClock())
    box = inbox.Inbox(0, 1, news=asyncio.Event(), floods=counts, ticks=HandClock().ticks)
    for _ in range(floods.MOST + 2):
        box.ask(Asked(Address(match_id(0), ANNE), Ask()))
    assert not counts.hears(ANNE)
    for number in range(inbox.WAITING_ASKS + floods.MOST):
        box.ask(Asked(Address(match_id(number), BEHROUZ), Ask()))
    assert not counts.hears(BEHROUZ)
    assert box.asks == inbox.WAITING_ASKS


async def come_and_go(hall: Hall, player: str, times: int) -> None:
    for _ in range(times):
        assert_happened(await hall.say(player, TakeSeat(seat=1)))
        assert_happened(await hall.say(player, LeaveSeat()))


async def test_who_comes_and_goes_too_often_has_no_seat_and_another_has(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rules, "SEATINGS_EACH", 3)
    async with Hall() as hall:
        await hall.open()
        await come_and_go(hall, BEHROUZ, 3)
        assert_refused(await hall.say(BEHROUZ, TakeSeat(seat=1)), Refusal.NOT_ALLOWED)
        assert_happened(await hall.say(CYRUS, TakeSeat(seat=1)))


async def test_a_seat_changes_hands_only_so_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "SEATINGS", 3)
    async with Hall() as hall:
        await hall.open()
        await come_and_go(hall, BEHROUZ, 2)
        await come_and_go(hall, CYRUS, 1)
        assert_refused(await hall.say(DINA, TakeSeat(seat=1)), Refusal.NOT_ALLOWED)


async def test_a_refused_lobby_command_said_again_later_stays_refused() -> None:
    async with Hall() as hall:
        await hall.open()
        start = Command(id="s" * 16, action=StartMatch())
        leave = Command(id="l" * 16, action=LeaveSeat())
        assert_refused(await hall.repeat(ANNE, start), Refusal.WRONG_PHASE)
        assert_refused(await hall.repeat(BEHROUZ, leave), Refusal.NOT_SEATED)
        for seat, player in ((1, BEHROUZ), (2, CYRUS), (3, DINA)):
            assert_happened(await hall.say(player, TakeSeat(seat=seat)))
        assert_refused(await hall.repeat(BEHROUZ, leave), Refusal.NOT_SEATED)
        assert_refused(await hall.repeat(ANNE, start), Refusal.WRONG_PHASE)
        assert_happened(await hall.say(ANNE, StartMatch()))


async def test_refusals_of_strangers_do_not_push_out_those_of_the_seated() -> None:
    async with Hall() as hall:
        await hall.open()
        start = Command(id="s" * 16, action=StartMatch())
        assert_refused(await hall.repeat(ANNE, start), Refusal.WRONG_PHASE)
        for number in range(80):
            stranger = f"u_stranger{number:03d}"
            assert_refused(await hall.say(stranger, LeaveSeat()), Refusal.NOT_SEATED)
        for seat, player in ((1, BEHROUZ), (2, CYRUS), (3, DINA)):
            assert_happened(await hall.say(player, TakeSeat(seat=seat)))
        assert_refused(await hall.repeat(ANNE, start), Refusal.WRONG_PHASE)


async def test_H24_others_who_come_and_go_do_not_restart_the_clock_of_the_seat_on_turn() -> None:
    async with Hall() as hall:
        await hall.start()
        due = (await hall.snapshot(ANNE)).due
        hakem = (await hall.snapshot(ANNE)).view.hakem  # type: ignore[union-attr]
        other = next(p for p in (BEHROUZ, CYRUS, DINA) if halls.PLAYERS[hakem] != p)
        hall.clock.seconds += 20
        assert_happened(await hall.say(other, LeaveSeat()))
        assert (await hall.snapshot(ANNE)).due == due
        assert_happened(await hall.say(other, TakeSeat(seat=halls.PLAYERS.index(other))))
        assert (await hall.snapshot(ANNE)).due == due
        hall.turn_clock(26)
        await until(lambda: "turn_timed_out" in hall.types(), "the clock to run out")


async def test_the_owner_who_left_may_take_his_own_seat_again() -> None:
    async with Hall() as hall:
        await hall.open()
        assert_happened(await hall.say(ANNE, LeaveSeat()))
        assert_refused(await hall.say(BEHROUZ, TakeSeat(seat=0)), Refusal.NOT_ALLOWED)
        assert_happened(await hall.say(ANNE, TakeSeat(seat=0)))


async def test_a_match_sealed_under_another_key_is_a_fault_and_not_dealt_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with Hall() as before:
        await before.start(ALL_HOUSE)
    rows = before.rows()
    monkeypatch.setattr(halls, "KEY", key_from(b"o" * 32))
    async with Hall(store=before.store) as after:
        assert_refused(await after.say(ANNE, StartMatch()), Refusal.FAULT)
        after.turn_clock(1_000)
        assert_refused(await after.ask(ANNE), Refusal.FAULT)
        assert after.rows() == rows


async def test_history_of_a_match_that_cannot_be_folded_is_a_fault_and_nothing_stops() -> None:
    async with Hall() as before:
        await before.open()
    broken = before.store.streams[MATCH]
    broken[1] = replace(broken[1], entry=replace(broken[1].entry, line='{"x":1}'))
    async with Hall(store=before.store) as hall:
        for what in ("history", "snapshot", "history"):
            asked = await hall.ask(ANNE, Ask(what=what))
            assert_refused(asked, Refusal.FAULT)
        opening = Command(
            id=hall.new_id(), action=OpenMatch(options=HokmOptions(), seats=FOUR_PEOPLE)
        )
        assert_happened(await hall.repeat(ANNE, opening, match_id(7)))


async def test_the_past_is_told_of_a_match_that_is_over_and_forgotten() -> None:
    async with Hall() as before:
        await before.open()
        before.turn_clock(LOBBY)
        await until(lambda: "match_abandoned" in before.types(), "the end")
    async with Hall(store=before.store) as after:
        snapshot = await after.snapshot(ANNE)
        assert snapshot.version == len(after.rows())
        assert snapshot.due is None


async def test_the_same_poison_is_buried_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    async with Hall() as hall:
        await hall.open()
        monkeypatch.setattr(rules, "decide", broken)
        poison = Command(id="p" * 16, action=StartMatch())
        for _ in range(5):
            assert_refused(await hall.repeat(ANNE, poison), Refusal.FAULT)
        assert len(hall.log.dead_letters()) == 1


class Choosy(MemoryLog):
    """A log that takes no event of one command."""

    def __init__(self, store: MemoryStore, unwanted: str) -> None:
        super().__init__(store)
        self._unwanted = unwanted

    def append(self, claim: Claim, batch: Batch) -> int:
        if any(entry.command == self._unwanted for entry in batch.entries):
            raise LogError("planted: not in this log")
        return super().append(claim, batch)


async def test_a_command_that_no_log_takes_is_put_aside_and_the_others_go_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(owner, "AGAIN_AFTER", 0.01)
    hall = Hall()
    hall.owner_log = Choosy(hall.store, "x" * 16)
    async with hall:
        await hall.open()
        unwanted = Command(id="x" * 16, action=TakeSeat(seat=1))
        assert_refused(await hall.repeat(BEHROUZ, unwanted), Refusal.FAULT)
        (letter,) = hall.log.dead_letters()
        assert letter.error.startswith("LogError")
        assert_happened(await hall.say(CYRUS, TakeSeat(seat=2)))


async def test_asked_to_stop_it_stops_though_nothing_is_confirmed() -> None:
    async with Hall() as hall:
        await hall.start(ALL_HOUSE)
        hall.broker.disconnect(hall.bus)
        hall.turn_clock(100)
        await until(lambda: "turn_timed_out" in hall.types(), "time to go on without a broker")
        hall.stop.set()
        await asyncio.wait_for(hall._running, 20)


async def test_commands_wait_without_room_for_events_and_time_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with Hall() as hall:
        await hall.start(ALL_HOUSE)
        await until(lambda: len(hall.published) == len(hall.rows()), "all events")
        monkeypatch.setattr(outbox, "UNCONFIRMED", 2)
        hall.broker.disconnect(hall.bus)
        for _ in range(3):
            await time_runs_out(hall)
        assert hall.owner._tenure is not None
        assert not hall.owner._tenure.outbox.has_room()
        await hall.broker.reconnect(hall.bus)
        await until(lambda: len(hall.published) == len(hall.rows()), "the rest of the events")


async def test_what_is_confirmed_is_stored_and_not_sent_again_by_the_next_owner() -> None:
    async with Hall() as before:
        await before.start(ALL_HOUSE)
        await until(lambda: len(before.published) == len(before.rows()), "all events")
        before.turn_clock(100)
        await until(lambda: "turn_timed_out" in before.types(), "one more append")
    claim = before.log.claim(0, "looks")
    assert claim.published > 0
    async with Hall(store=before.store, broker=before.broker) as after:
        await until(lambda: after.published, "the tail")
        positions = [int(m.headers["Nats-Msg-Id"].split(":")[2]) for m in after.published]
        assert sorted(set(positions)) == list(range(1, len(after.rows()) + 1))
