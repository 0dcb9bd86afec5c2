"""Bad days of one owner: rules that raise, streams that cannot be folded, zombies, lost commits."""

import pytest

from schemas.commands import ChooseTrump, Command, OpenMatch, StartMatch
from schemas.commands import HokmOptions as Options
from schemas.refusals import Refusal
from schemas.subjects import MSG_ID_HEADER
from services.event_log.memory import MemoryLog, MemoryStore
from services.event_log.port import Batch, Claim, Entry, LogUnreachable
from services.messaging import streams
from services.messaging.memory import MemoryBroker, MemoryBus
from services.messaging.memory_consumer import Faults
from services.messaging.port import BusUnreachable, Message
from services.rules import match as rules
from services.table.appending import IDLE
from services.table.live import rebuild
from services.table.waits import SCORE_PATIENCE
from tests.table.hall import ALL_HOUSE, ANNE, MATCH, Hall, assert_happened, assert_refused
from tests.table.playing import live, to_the_end_of_a_round
from tests.waiting import until

OTHER = "m_" + "0" * 31 + "2"


async def test_a_command_that_makes_the_rules_raise_is_put_aside_and_the_others_go_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("planted")

    async with Hall() as hall:
        await hall.start(ALL_HOUSE)
        state, move = live(hall).state, live(hall).state.move
        poison = Command(id="p" * 16, move=move, action=ChooseTrump(suit="S"))
        hakem = f"house{state.game.hakem}"
        with monkeypatch.context() as patch:
            patch.setattr(rules, "decide", broken)
            assert_refused(await hall.repeat(hakem, poison), Refusal.FAULT)
        (letter,) = hall.log.dead_letters()
        assert letter.subject == f"cmd.0.{MATCH}.{hakem}"
        assert '"suit":"S"' in letter.body
        assert letter.error.startswith("ZeroDivisionError at test_faults.py:")
        assert live(hall).state == state
        assert_happened(await hall.repeat(hakem, poison))


async def test_a_match_that_cannot_be_folded_is_a_fault_and_others_are_served() -> None:
    store = MemoryStore(partitions=1)
    entry = Entry(
        stream=MATCH, version=1, type="x", command=None, line='{"x":1}', head="0" * 64, secret=None
    )
    log = MemoryLog(store)
    log.append(log.claim(0, "planter"), Batch(entries=(entry,), opened=(MATCH,)))
    async with Hall(store=store) as hall:
        assert_refused(await hall.say(ANNE, StartMatch()), Refusal.FAULT)
        assert_refused(await hall.ask(ANNE), Refusal.FAULT)
        opening = Command(id="o" * 16, action=OpenMatch(options=Options(), seats=ALL_HOUSE))
        assert_happened(await hall.repeat(ANNE, opening, OTHER))


async def test_a_zombie_can_append_nothing_and_takes_the_partition_up_again_when_it_may() -> None:
    async with Hall() as hall:
        await hall.start(ALL_HOUSE)
        before = hall.rows()
        thief = MemoryLog(hall.store)
        thief.claim(0, "thief")
        opening = Command(id="o" * 16, action=OpenMatch(options=Options(), seats=ALL_HOUSE))
        # The zombie decides this one, is fenced, claims anew, and is given it again.
        assert_happened(await hall.repeat(ANNE, opening, OTHER))
        assert hall.rows() == before
        assert [row.entry.command for row in hall.log.load(OTHER)] == ["o" * 16]


async def test_a_zombie_that_nobody_speaks_to_finds_it_out_by_itself() -> None:
    """Or else, with its consumer gone, it would serve nobody once the other owner is gone too."""
    async with Hall() as hall:
        MemoryLog(hall.store).claim(0, "thief")
        hall.turn_clock(IDLE + 1)
        await until(lambda: hall._served == 2, "the owner to claim anew")


class Stumbling(MemoryLog):
    """A log whose next append may fail, before or after it has committed."""

    def __init__(self, store: MemoryStore) -> None:
        super().__init__(store)
        self.fail: str | None = None

    def append(self, claim: Claim, batch: Batch) -> int:
        failing, self.fail = self.fail if batch.entries else None, None
        if failing == "before":
            raise LogUnreachable("planted: nothing was committed")
        position = super().append(claim, batch)
        if failing == "after":
            raise LogUnreachable("planted: it was committed all the same")
        return position


@pytest.mark.parametrize("moment", ["before", "after"])
async def test_a_commit_of_unknown_outcome_loses_and_doubles_nothing(moment: str) -> None:
    hall = Hall()
    stumbling = Stumbling(hall.store)
    hall.owner_log = stumbling
    async with hall:
        await hall.start(ALL_HOUSE)
        stumbling.fail = moment
        move = live(hall).state.move
        hakem = f"house{live(hall).state.game.hakem}"
        command = Command(id="c" * 16, move=move, action=ChooseTrump(suit="S"))
        assert_happened(await hall.repeat(hakem, command))
        assert hall.types().count("trump_chosen") == 1
        positions = [row.position for row in hall.log.read(0, 0)]
        assert positions == list(range(1, len(positions) + 1))


async def test_events_reach_the_stream_in_spite_of_a_wiped_store() -> None:
    async with Hall() as hall:
        await hall.start(ALL_HOUSE)
        await until(lambda: len(hall.published) == len(hall.rows()), "all events")
        hall.broker.disconnect(hall.bus)
        hall.broker.wipe()
        hall.published.clear()
        await hall.line.ensure(streams.all_streams(1))
        await hall.broker.reconnect(hall.bus)
        await until(lambda: len(hall.published) >= len(hall.rows()), "all events once more")
        lines = {message.data.decode() for message in hall.published}
        assert lines == {row.entry.line for row in hall.rows()}


class Deaf(MemoryBus):
    """A bus that cannot look into the broker's streams for a while."""

    def __init__(self, broker: MemoryBroker) -> None:
        super().__init__(broker)
        self.deaf = False

    async def last(self, stream: str, subject: str) -> Message | None:
        if self.deaf:
            raise BusUnreachable("planted")
        return await super().last(stream, subject)

    async def stored(self, stream: str, sequence: int) -> Message | None:
        if self.deaf:
            raise BusUnreachable("planted")
        return await super().stored(stream, sequence)


async def test_nothing_is_said_again_before_what_the_stream_has_lost() -> None:
    """A new owner that found it there would believe that all before it is there too."""
    hall = Hall()
    hall.bus = deaf = Deaf(hall.broker)
    async with hall:
        await hall.start(ALL_HOUSE)
        await to_the_end_of_a_round(hall)
        await until(lambda: len(hall.published) == len(hall.rows()), "all events")
        deaf.deaf = True
        hall.broker.disconnect(deaf)
        hall.broker.wipe()
        hall.published.clear()
        await hall.line.ensure(streams.all_streams(1))
        await hall.broker.reconnect(deaf)
        hall.turn_clock(SCORE_PATIENCE)
        await hall.snapshot(ANNE)  # the turn in which the alarm rang is over
        assert hall.published == []
        deaf.deaf = False
        await until(lambda: len(hall.published) > len(hall.rows()), "all events and one again")
        names = [message.headers[MSG_ID_HEADER] for message in hall.published]
        assert [":again" in name for name in names] == [False] * len(hall.rows()) + [True]


async def test_an_owner_to_whom_nobody_speaks_finds_out_that_it_was_replaced() -> None:
    """Else it would not stand by when the one that replaced it dies."""
    async with Hall() as hall:
        hall.store.holders.clear()  # the database has ended its session
        thief = MemoryLog(hall.store)
        assert thief.hold(0)
        thief.claim(0, "thief")
        thief.close()
        served = hall._served
        hall.turn_clock(2 * IDLE)
        await until(lambda: hall._served > served, "the owner to claim anew")


@pytest.mark.parametrize("seed", range(5))
async def test_lost_and_doubled_deliveries_change_nothing(seed: int) -> None:
    faults = Faults(duplicates=0.3, reorder=0.2)
    async with Hall(broker=MemoryBroker(seed=seed, faults=faults)) as hall:
        await hall.start(ALL_HOUSE)
        await to_the_end_of_a_round(hall)
        commands = [row.entry.command for row in hall.rows() if row.entry.command]
        assert len(commands) == len(set(commands))
        found = rebuild(hall.rows())
        assert found is not None
        assert [row.entry.version for row in hall.rows()] == list(range(1, found.version + 1))
