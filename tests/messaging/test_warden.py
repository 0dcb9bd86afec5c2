"""The warden on a real broker: it cuts whom it is told to, nobody else, and can do nothing more."""

from pathlib import Path

import pytest

from services.messaging.jetstream import connect
from services.messaging.jetstream_warden import BrokerWarden, connect_warden
from services.messaging.permissions import WARDEN
from services.messaging.port import BusUnreachable, Message
from services.messaging.server import Broker
from tests.broker import SPY, bus_as, password, running_broker
from tests.messaging.waiting import Heard
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
