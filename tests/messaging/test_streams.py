"""The contract of streams: their limits and what they refuse, on both adapters."""

import msgspec
import pytest

from schemas import subjects
from schemas.commands import COMMAND_BYTES
from schemas.subjects import MSG_ID_HEADER, command_in, command_stored, partition_of
from services.messaging import streams
from services.messaging.port import Bus, BusError, ConsumerSpec, Message, StreamSpec, Unconfirmed
from tests.messaging.heard import Delivered
from tests.messaging.stage import Stage
from tests.waiting import until_async

LOG = StreamSpec(name="LOG", subjects=("log.>",), retention="limits", discard="old")
ALL_COMMANDS = ConsumerSpec(stream=streams.COMMANDS, name="all-e1", filter="cmd.>")
ANN, BOB = "u_ann00000", "u_bob00000"


def match_id(number: int) -> str:
    return f"m_{number * 7_919:032x}"


def log(body: str, subject: str = "log.a", name: str | None = None) -> Message:
    headers = {MSG_ID_HEADER: name} if name else {}
    return Message(subject=subject, data=body.encode(), headers=headers)


async def read_log(bus: Bus, count: int) -> list[bytes]:
    """The first `count` bodies of LOG, and what else came with them."""
    got = Delivered()
    reading = await bus.consume(ConsumerSpec(stream="LOG", name="r-e1", filter="log.>"), got.take)
    await got.wait(count)
    await bus.last("LOG", ">")
    await reading.stop()
    return got.bodies


@pytest.mark.parametrize("partitions", [1, 16])
async def test_a_command_is_stored_under_its_partition(bus: Bus, partitions: int) -> None:
    await bus.ensure([streams.commands(partitions)])
    got = Delivered()
    await bus.consume(ALL_COMMANDS, got.take)
    matches = [match_id(number) for number in range(200)]
    await bus.publish([Message(subject=command_in(m, ANN), data=b"x") for m in matches])
    await got.wait(200)
    assert got.subjects == [command_stored(partition_of(m, partitions), m, ANN) for m in matches]


async def test_an_owner_reads_its_partition_only(bus: Bus) -> None:
    await bus.ensure([streams.commands(16)])
    matches = [match_id(number) for number in range(100)]
    mine = [m for m in matches if partition_of(m, 16) == 3]
    got = Delivered()
    await bus.consume(streams.owner(3, 1), got.take)
    await bus.publish([Message(subject=command_in(m, ANN), data=b"x") for m in matches])
    await got.wait(len(mine))
    await bus.last(streams.COMMANDS, ">")
    assert got.subjects == [command_stored(3, m, ANN) for m in mine]


async def test_the_17th_waiting_command_of_a_voice_is_discarded_and_others_go_on(bus: Bus) -> None:
    await bus.ensure([streams.commands(1)])
    flood = [
        Message(subject=command_in("m_1", ANN), data=str(number).encode())
        for number in range(streams.QUOTA + 5)
    ]
    others = [
        Message(subject=command_in("m_1", BOB), data=b"bob"),
        Message(subject=command_in("m_2", ANN), data=b"ann elsewhere"),
    ]
    await bus.publish(flood + others)
    got = Delivered()
    await bus.consume(ALL_COMMANDS, got.take)
    await got.wait_for(b"ann elsewhere")
    assert got.bodies == [
        *(str(number).encode() for number in range(streams.QUOTA)),
        b"bob",
        b"ann elsewhere",
    ]


async def test_the_quota_is_free_again_once_commands_are_acknowledged(bus: Bus) -> None:
    await bus.ensure([streams.commands(1)])
    one = Message(subject=command_in("m_1", ANN), data=b"first")
    await bus.publish([one] * streams.QUOTA)
    got = Delivered()
    await bus.consume(ALL_COMMANDS, got.take)
    await got.wait(streams.QUOTA)

    async def passes() -> bool:
        await bus.publish([msgspec.structs.replace(one, data=b"next")])
        await bus.last(streams.COMMANDS, ">")
        return b"next" in got.bodies

    await until_async(passes, "a command after the quota was freed")


async def test_a_command_over_4_KiB_is_stopped(bus: Bus) -> None:
    await bus.ensure([streams.commands(1)])
    got = Delivered()
    await bus.consume(ALL_COMMANDS, got.take)
    subject = command_in("m_1", ANN)
    sizes = (COMMAND_BYTES + 1, COMMAND_BYTES, 100_000, 1)
    await bus.publish([Message(subject=subject, data=b"x" * size) for size in sizes])
    await got.wait(2)
    assert [len(body) for body in got.bodies] == [COMMAND_BYTES, 1]


async def test_headers_count_as_bytes_of_a_command(bus: Bus) -> None:
    await bus.ensure([streams.commands(1)])
    got = Delivered()
    await bus.consume(ALL_COMMANDS, got.take)
    big = Message(
        subject=command_in("m_1", ANN), data=b"x" * 2_000, headers={"Padding": "y" * 3_000}
    )
    await bus.publish([big, Message(subject=command_in("m_1", ANN), data=b"small")])
    await got.wait_for(b"small")
    assert got.bodies == [b"small"]


async def test_nobody_is_told_that_a_command_is_stored(bus: Bus) -> None:
    await bus.ensure([streams.commands(1)])
    spoken = Message(subject=command_in("m_1", ANN), data=b"x")
    with pytest.raises(Unconfirmed, match="not confirmed"):
        await bus.publish_confirmed([spoken], within=0.1)
    assert await bus.last(streams.COMMANDS, "cmd.0.m_1.*") is not None


async def test_more_commands_than_may_wait_are_discarded(bus: Bus) -> None:
    await bus.ensure([msgspec.structs.replace(streams.commands(1), max_messages=10)])
    spoken = [Message(subject=command_in(match_id(n), ANN), data=b"%d" % n) for n in range(15)]
    await bus.publish(spoken)
    got = Delivered(acknowledge=False)
    await bus.consume(ALL_COMMANDS, got.take)
    await got.wait(10)
    assert got.bodies == [b"%d" % n for n in range(10)]


async def test_of_turns_only_the_latest_of_a_seat_waits(bus: Bus) -> None:
    await bus.ensure([streams.turns()])
    for view in range(5):
        turns = [
            Message(subject=subjects.turn("m_1", seat), data=b"%d" % view) for seat in range(2)
        ]
        await bus.publish_confirmed(turns, within=5)
    got = Delivered()
    await bus.consume(streams.bots(), got.take)
    await got.wait(2)
    assert got.bodies == [b"4", b"4"]
    assert got.subjects == ["turn.m_1.0", "turn.m_1.1"]


async def test_a_turn_that_is_out_of_date_does_not_come_again(bus: Bus) -> None:
    await bus.ensure([streams.turns()])
    got = Delivered(acknowledge=False)
    spec = msgspec.structs.replace(streams.bots(), ack_wait=0.2)
    await bus.consume(spec, got.take)
    turn = Message(subject=subjects.turn("m_1", 0), data=b"old")
    await bus.publish_confirmed([turn], within=5)
    await got.wait_for(b"old")
    await bus.publish_confirmed([msgspec.structs.replace(turn, data=b"new")], within=5)
    await got.wait_for(b"new")
    seen = len(got.bodies)
    await got.wait(seen + 2)
    assert set(got.bodies[seen:]) == {b"new"}


async def test_a_second_message_with_the_same_id_is_confirmed_and_dropped(bus: Bus) -> None:
    await bus.ensure([LOG])
    first = [log("one", name="1:0:1"), log("two", name="1:0:1")]
    assert await bus.publish_confirmed(first, within=5) == 1
    await bus.publish_confirmed([log("three", name="1:0:1"), log("four", name="1:0:2")], within=5)
    await bus.publish_confirmed([log("five"), log("five")], within=5)
    assert await read_log(bus, 4) == [b"one", b"four", b"five", b"five"]


async def test_ids_are_forgotten_after_the_window(bus: Bus) -> None:
    await bus.ensure([msgspec.structs.replace(LOG, duplicate_window=0.1)])
    await bus.publish_confirmed([log("one", name="x")], within=5)

    async def stored_anew() -> bool:
        await bus.publish_confirmed([log("two", name="x")], within=5)
        last = await bus.last("LOG", "log.a")
        return last is not None and last.data == b"two"

    await until_async(stored_anew, "the id to be forgotten")


async def test_a_full_log_drops_its_oldest(bus: Bus) -> None:
    await bus.ensure([msgspec.structs.replace(LOG, max_messages=3)])
    await bus.publish_confirmed([log(str(n)) for n in range(10)], within=5)
    assert await read_log(bus, 3) == [b"7", b"8", b"9"]


async def test_a_log_keeps_within_its_bytes(bus: Bus) -> None:
    await bus.ensure([msgspec.structs.replace(LOG, max_bytes=10_000)])
    bodies = [f"{n:02d}" + "x" * 998 for n in range(30)]
    await bus.publish_confirmed([log(body) for body in bodies], within=5)
    kept = await read_log(bus, 5)
    assert 5 <= len(kept) <= 10
    assert kept == [body.encode() for body in bodies][-len(kept) :]


async def test_a_log_lets_go_of_what_is_too_old(bus: Bus) -> None:
    await bus.ensure([msgspec.structs.replace(LOG, max_age=0.2, duplicate_window=0.1)])
    await bus.publish_confirmed([log("one")], within=5)
    assert await bus.last("LOG", "log.a") is not None

    async def gone() -> bool:
        return await bus.last("LOG", "log.a") is None

    await until_async(gone, "the message to be too old")


async def test_last_is_the_newest_under_a_subject_with_wildcards(bus: Bus) -> None:
    await bus.ensure([streams.events()])
    sent = [
        Message(
            subject=subjects.event(partition, tag),
            data=f"{partition} {tag}".encode(),
            headers={MSG_ID_HEADER: subjects.message_id(1, partition, position)},
        )
        for partition, tag, position in [
            (0, "card_played", 1),
            (1, "card_played", 1),
            (0, "round_ended", 2),
            (1, "match_ended", 2),
        ]
    ]
    await bus.publish_confirmed(sent, within=5)
    last = await bus.last(streams.EVENTS, subjects.events_of(0))
    assert last is not None
    assert (last.subject, last.data) == ("event.0.round_ended", b"0 round_ended")
    assert last.headers[MSG_ID_HEADER] == "1:0:2"
    played = await bus.last(streams.EVENTS, "event.*.card_played")
    assert played is not None
    assert played.data == b"1 card_played"


async def test_last_is_none_where_nothing_is_stored(bus: Bus) -> None:
    await bus.ensure([LOG])
    assert await bus.last("LOG", "log.>") is None
    await bus.publish_confirmed([log("one")], within=5)
    assert await bus.last("LOG", "log.b") is None


async def test_a_missing_stream_has_no_last(bus: Bus) -> None:
    with pytest.raises(BusError, match="stream not found"):
        await bus.last("NOWHERE", ">")


async def test_to_ensure_a_stream_again_keeps_what_it_holds(stage: Stage, bus: Bus) -> None:
    await bus.ensure(streams.all_streams(16))
    line = Message(subject=subjects.event(0, "card_played"), data=b"x")
    await bus.publish_confirmed([line], within=5)
    await (await stage.bus()).ensure(streams.all_streams(16))
    assert await bus.last(streams.EVENTS, ">") is not None


async def test_to_ensure_brings_a_stream_to_its_spec(bus: Bus) -> None:
    await bus.ensure([LOG])
    await bus.ensure([msgspec.structs.replace(LOG, max_message_bytes=10)])
    with pytest.raises(Unconfirmed, match="message size exceeds"):
        await bus.publish_confirmed([log("x" * 11)], within=5)


async def test_a_log_cannot_become_a_work_queue(bus: Bus) -> None:
    await bus.ensure([LOG])
    with pytest.raises(BusError, match="retention"):
        await bus.ensure([msgspec.structs.replace(LOG, retention="workqueue")])
