"""The warden on a real broker: it cuts whom it is told to, nobody else, and can do nothing more."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from services.messaging import crowd, jetstream_warden
from services.messaging.crowd import Connection, Crowd
from services.messaging.jetstream import connect
from services.messaging.jetstream_warden import BrokerWarden, connect_warden
from services.messaging.permissions import WARDEN
from services.messaging.port import BusUnreachable, Message
from services.messaging.server import Broker
from services.messaging.warden import MOST_CONNECTIONS
from services.runtime.tasks import end
from tests.broker import SPY, bus_as, password, running_broker
from tests.messaging.heard import Heard
from tests.messaging.raw import Raw
from tests.waiting import until

ANN, BOB = "u_ann00000", "u_bob00000"


async def warden_of(broker: Broker) -> BrokerWarden:
    return await connect_warden(broker.url, user=WARDEN, password=password(WARDEN))


async def test_every_connection_of_one_player_is_cut_and_no_other(tmp_path: Path) -> None:
    with running_broker(tmp_path, players=(ANN, BOB)) as broker:
        first, second, other = [await bus_as(broker, name) for name in (ANN, ANN, BOB)]
        lost: list[str] = []

        def note(who: str) -> None:
            lost.append(who)

        first._link.on_lost = lambda: note("first")
        second._link.on_lost = lambda: note("second")
        other._link.on_lost = lambda: note("other")
        warden = await warden_of(broker)
        assert await warden.kick(ANN) == 2
        await until(lambda: sorted(lost) == ["first", "second"], "both connections to be cut")
        assert await warden.kick("u_nobody000") == 0
        await until(lambda: first.connected, "a client comes back: who is denied is not heard")
        assert lost.count("other") == 0
        for one in (first, second, other):
            await one.close()
        await warden.close()


async def test_the_warden_hears_and_says_nothing_of_the_players(tmp_path: Path) -> None:
    with running_broker(tmp_path, players=(ANN,)) as broker:
        spy = await bus_as(broker, SPY)
        heard = Heard()
        await spy.subscribe(">", heard)
        intruder = await connect(
            broker.url, user=WARDEN, password=password(WARDEN), name="intruder"
        )
        said = [Message(subject=f"cmdin.m_1.{ANN}", data=b"{}"), Message(subject="x", data=b"")]
        await intruder.publish(said)
        await spy.publish([Message(subject="the.end", data=b"")])
        await until(lambda: [m.subject for m in heard.messages], "the spy's own message")
        assert [message.subject for message in heard.messages] == ["the.end"]
        await intruder.close()
        await spy.close()


async def test_without_its_password_nobody_is_the_warden(tmp_path: Path) -> None:
    with running_broker(tmp_path, players=(ANN,)) as broker:
        with pytest.raises(BusUnreachable):
            await connect_warden(broker.url, user=WARDEN, password="")
        with pytest.raises(BusUnreachable):
            await connect_warden(broker.url, user=WARDEN, password=password(ANN))


# Too many connections -------------------------------------------------------------------------


@asynccontextmanager
async def watching(broker: Broker) -> AsyncIterator[BrokerWarden]:
    """A warden that has counted everybody, and hears who comes and goes."""
    warden = await warden_of(broker)
    watch = asyncio.create_task(warden.watch())
    try:
        yield warden
    finally:
        await end(watch)
        await warden.close()


async def entered(broker: Broker, name: str, times: int) -> list[Raw]:
    return [await Raw(name).connect(broker) for _ in range(times)]


async def leave(connections: list[Raw]) -> None:
    for one in connections:
        if not one.client.is_closed:
            await one.client.close()


def counted(warden: BrokerWarden, name: str) -> int:
    return len(warden._crowd._players.get(name, ()))


async def only_the_first_is_cut(connections: list[Raw]) -> None:
    await until(lambda: connections[0].client.is_closed, "the oldest to be cut")
    for one in connections[1:]:
        await one.round_trip()
        assert one.client.is_connected


async def test_of_one_connection_too_many_the_oldest_is_cut_and_nobody_elses(
    tmp_path: Path,
) -> None:
    with running_broker(tmp_path, players=(ANN, BOB)) as broker:
        async with watching(broker) as warden:
            bob = await entered(broker, BOB, MOST_CONNECTIONS)
            ann = await entered(broker, ANN, MOST_CONNECTIONS)
            await until(lambda: counted(warden, ANN) == MOST_CONNECTIONS, "all to be counted")
            ann += await entered(broker, ANN, 1)
            await only_the_first_is_cut(ann)
            for one in bob:
                await one.round_trip()
            await leave([*ann, *bob])


async def test_who_goes_makes_room_for_who_comes(tmp_path: Path) -> None:
    with running_broker(tmp_path, players=(ANN, BOB)) as broker:
        async with watching(broker) as warden:
            ann = await entered(broker, ANN, MOST_CONNECTIONS)
            await until(lambda: counted(warden, ANN) == MOST_CONNECTIONS, "all to be counted")
            await leave(ann[-1:])
            await until(lambda: counted(warden, ANN) == MOST_CONNECTIONS - 1, "one to have gone")
            ann[-1:] = await entered(broker, ANN, 1)
            await until(lambda: counted(warden, ANN) == MOST_CONNECTIONS, "one to have come")
            for one in ann:
                await one.round_trip()
            await leave(ann)
            await until(lambda: not warden._crowd._players, "nobody to be there")


async def test_those_who_were_there_before_the_warden_are_counted_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jetstream_warden, "CONNECTIONS", 4)  # more than one page of them
    with running_broker(tmp_path, players=(ANN, BOB)) as broker:
        ann = await entered(broker, ANN, MOST_CONNECTIONS + 1)
        async with watching(broker):
            await only_the_first_is_cut(ann)
            await leave(ann)


async def test_who_came_while_the_warden_was_away_is_counted_when_it_is_back(
    tmp_path: Path,
) -> None:
    with running_broker(tmp_path, players=(ANN, BOB)) as broker:
        async with watching(broker) as warden:
            ann = await entered(broker, ANN, MOST_CONNECTIONS)
            await until(lambda: counted(warden, ANN) == MOST_CONNECTIONS, "all to be counted")
            assert await warden.kick(WARDEN) == 1
            await until(lambda: warden._link.losses, "the warden to lose its line")
            ann += await entered(broker, ANN, 1)
            await only_the_first_is_cut(ann)
            await leave(ann)


def since(second: int) -> datetime:
    return datetime(2026, 1, 1, 0, 0, second, tzinfo=UTC)


def test_a_crowd_keeps_the_latest_of_each_player() -> None:
    people = Crowd(most=2)
    one, two, three = [Connection("N1", number) for number in (1, 2, 3)]
    assert [people.came(ANN, each, since(each.cid)) for each in (one, two, two)] == [None] * 3
    assert people.came(BOB, three, since(3)) is None
    assert people.came(ANN, three, since(3)) == one
    people.went(ANN, two)
    people.went(ANN, one)
    people.went("u_nobody000", one)
    assert people.came(ANN, one, since(1)) is None
    assert people.came(ANN, two, since(2)) == one


def test_the_oldest_is_cut_in_whatever_order_they_are_told() -> None:
    people = Crowd(most=2)
    for cid, cut in ((3, None), (1, None), (2, 1)):
        found = people.came(ANN, Connection("N1", cid), since(cid))
        assert found == (None if cut is None else Connection("N1", cut))


def test_of_a_player_who_is_sent_away_nothing_is_left() -> None:
    people = Crowd(most=2)
    one, two, three = [Connection("N1", number) for number in (1, 2, 3)]
    assert [people.came(ANN, each, since(each.cid)) for each in (one, two)] == [None, None]
    assert people.came(BOB, three, since(3)) is None
    assert people.leave(ANN) == (one, two)
    assert people.leave(ANN) == ()
    assert people.leave(BOB) == (three,)


def test_so_many_players_are_counted_and_the_first_forgotten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(crowd, "COUNTED", 2)
    people = Crowd(most=1)
    for name in (ANN, BOB, "u_carl0000"):
        people.came(name, Connection("N1", 1), since(1))
    assert list(people._players) == [BOB, "u_carl0000"]
