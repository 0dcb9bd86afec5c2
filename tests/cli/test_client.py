"""The client of a match: applies the next, drops the lower, asks on a gap, says again."""

import asyncio
import uuid
from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from schemas.commands import StartMatch, decode_command
from schemas.events import Body, Event, MatchAbandoned, MatchEnded, MatchStarted, NonceAdded
from schemas.feed import Feed, Happened, Refused, Snapshot, decode_ask, encode_feed
from schemas.ids import MatchId, matches
from schemas.refusals import Refusal
from services.cli import client as clients
from services.cli.client import CommandRefused, MatchClient, new_match_id
from services.messaging.memory import MemoryBroker, MemoryBus
from services.messaging.port import Message

MATCH = "m_" + "0" * 32
ME = "u_commandline"


def happened(version: int, body: Body, command: str | None = None) -> Message:
    event = Event(match=MATCH, version=version, time=1, origin="player", seat=None, body=body)
    return said(Happened(event=event, head="0" * 64, command=command))


def said(feed: Feed) -> Message:
    return Message(subject=f"feed.{ME}.{MATCH}", data=encode_feed(feed))


def snapshot(version: int) -> Snapshot:
    return Snapshot(
        match=MATCH,
        version=version,
        head="0" * 64,
        now=1,
        move=version,
        due=None,
        sitting=(),
        view=None,
        over=None,
    )


class Wire:
    """A bus on which the other side answers as the test says."""

    def __init__(self) -> None:
        self.broker = MemoryBroker()
        self.bus = MemoryBus(self.broker)
        self.heard: list[Message] = []
        self.client = MatchClient(self.bus, ME, MATCH)

    async def answer(self, messages: Sequence[list[Feed]]) -> None:
        """The nth time that something is said, these are the answers."""
        waiting = list(messages)

        def hear(message: Message) -> None:
            self.heard.append(message)
            command = decode_command(message.data).id
            for feed in waiting.pop(0) if waiting else []:
                named = replace(feed, command=command) if isinstance(feed, Refused) else feed
                self.client.hear(said(named))

        await self.bus.subscribe("cmdin.*.*", hear)


def test_a_match_id_is_a_uuid_7_of_its_own() -> None:
    ids = {new_match_id() for _ in range(100)}
    assert len(ids) == 100
    for found in ids:
        assert matches(found, MatchId)
        number = uuid.UUID(found[2:])
        assert (number.version, number.variant) == (7, uuid.RFC_4122)


def test_match_ids_are_in_the_order_of_their_making() -> None:
    first, later = new_match_id()[:14], new_match_id()[:14]
    assert first <= later


def test_the_next_version_is_applied_a_lower_dropped_a_higher_asked_for() -> None:
    client = Wire().client
    nonce = NonceAdded(nonce="0" * 64)
    assert not client.hear(happened(1, MatchStarted()))
    assert client.version == 1
    assert not client.hear(happened(1, nonce))
    assert client.hear(happened(3, nonce))
    assert client.version == 1


def test_snapshots_that_are_older_are_believed_after_some_in_a_row() -> None:
    """The log was put back from a copy; a single older one came late."""
    client = Wire().client
    client.hear(said(snapshot(12)))
    for version in (7, 8):
        client.hear(said(snapshot(version)))
        assert client.version == 12
    client.hear(said(snapshot(8)))
    assert (client.version, client.ended) == (8, None)
    client.hear(said(snapshot(12)))
    for version in (7, 7, 12, 7, 7):
        client.hear(said(snapshot(version)))
    assert client.version == 12


def test_the_end_is_noticed_once_whoever_tells_it() -> None:
    client = Wire().client
    client.hear(happened(1, MatchEnded(winner=1, totals=(0, 2), secret="0" * 64)))
    assert client.ended is not None
    assert (client.ended.winner, client.ended.score, client.ended.events) == (1, (0, 2), 1)
    other = Wire().client
    other.hear(happened(1, MatchAbandoned(reason="expired", secret="0" * 64)))
    assert other.ended is not None
    assert other.ended.winner is None


async def test_what_is_not_answered_is_said_again_with_the_same_bytes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(clients, "SAY_AGAIN", 0.02)
    wire = Wire()
    refusal = Refused(match=MATCH, command=None, code=Refusal.WRONG_PHASE, move=0)
    await wire.answer([[], [], [refusal]])
    with pytest.raises(CommandRefused, match="wrong_phase"):
        await wire.client.do(StartMatch(), within=10.0)
    assert len(wire.heard) == 3
    assert len({message.data for message in wire.heard}) == 1


def test_an_event_outranks_a_refusal() -> None:
    client = Wire().client
    command = "c" * 16
    client.hear(said(Refused(match=MATCH, command=command, code=Refusal.FAULT, move=0)))
    client.hear(happened(1, MatchStarted(), command))
    assert isinstance(client._answers[command], Happened)


async def test_an_ask_is_one_that_the_table_can_read() -> None:
    wire = Wire()
    asked: list[Message] = []
    await wire.bus.subscribe("ask.*.*", asked.append)
    await wire.client.ask()
    (message,) = asked
    assert message.subject == f"ask.{MATCH}.{ME}"
    assert decode_ask(message.data).what == "snapshot"


async def test_who_hears_nothing_asks_less_and_less_often(monkeypatch: pytest.MonkeyPatch) -> None:
    wire = Wire()
    pauses: list[float] = []
    over = MatchAbandoned(reason="operator", secret="0" * 64)
    news = {5: happened(1, MatchStarted()), 7: happened(2, over)}

    async def passes(_event: asyncio.Event, within: float) -> bool:
        pauses.append(within)
        message = news.get(len(pauses))
        if message is not None:
            wire.client.hear(message)
        return message is not None

    monkeypatch.setattr(clients, "happens", passes)
    await wire.client.until_ended(patience=60)
    assert pauses == [2.0, 4.0, 8.0, 16.0, 16.0, 2.0, 4.0]
