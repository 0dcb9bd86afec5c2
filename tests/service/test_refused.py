"""What was tried at the whole service and refused, by players with sessions of their own.

Every worker is a process, the broker is real, and who tries came in by `POST /session` and the
callout. Where a thing is tried in more ways than fit here, the place is named.

| tried | here | in more ways |
|---|---|---|
| forged, expired, missing token | `..._no_session...` | tests/auth/test_entering.py, test_doorman.py, test_websocket.py |
| an id with `*` or `>`, player's and match's | `..._no_session...`, `..._wildcard...` | tests/auth/test_entering.py |
| another's command subject, feed, ask; `$JS`, `$KV`, `event.>`, `turn.>` | `..._anothers_name...`, `..._overheard` | tests/auth/test_entering.py, tests/messaging/test_permissions.py |
| a reply subject pointing at another's | `..._reply...` | tests/messaging/test_attacks.py |
| headers that mean something to the broker | `..._headers...` | tests/messaging/test_attacks.py |
| a second use of an invitation | `..._invitation...` | tests/table/test_vanished.py |
| a command after leaving; a seat after another's cards | `..._left...`, `..._watched...` | tests/table/test_vanished.py, test_commands.py |
| an old command replayed a day later | `..._killed...` | tests/table/test_over.py, on a clock that is turned |
| 5 KiB of JSON | `..._5_KiB...` | tests/service/test_bad_input.py |
| 500 commands at once | `..._500...` | tests/messaging/test_attacks.py; `make flood` |
| 2,000 made-up matches | tests/service/test_players.py | tests/table/test_floods.py, test_limits.py |
| too many connections, subscriptions, log-ins | `..._ninth...`, `..._subscribes...` | tests/messaging/test_warden.py, tests/auth/test_turnstile.py; who does not read: tests/messaging/test_slow.py |
"""  # noqa: E501 a table

import asyncio
import os
import signal
from collections.abc import Iterator
from hashlib import sha256

import pytest

from schemas import subjects
from schemas.commands import (
    COMMAND_BYTES,
    AddNonce,
    Command,
    HokmOptions,
    LeaveSeat,
    OpenMatch,
    PlayCard,
    SeatPlan,
    StartMatch,
    TakeSeat,
    encode_command,
)
from schemas.feed import Ask, Feed, Happened, History, Refused, encode_ask
from schemas.refusals import Refusal
from services.cli.client import new_match_id
from services.event_log.port import Row
from services.messaging.server import MAX_SUBSCRIPTIONS
from services.messaging.warden import MOST_CONNECTIONS
from services.runtime.clock import SystemClock
from services.runtime.command_ids import random_id
from services.runtime.signing_keys import Keys
from services.runtime.tokens import Session, session_token
from tests.auth.door import refused
from tests.service.guests import Guest, guests, session
from tests.service.up_process import Up, running
from tests.waiting import until

pytestmark = pytest.mark.slow
CODE = "a friend's code"
OPEN = (
    SeatPlan(seat=0, filled_by="owner"),
    SeatPlan(seat=1, filled_by="anyone"),
    SeatPlan(seat=2, filled_by="anyone"),
    SeatPlan(seat=3, filled_by="house", level="white"),
)
INVITED = (OPEN[0], SeatPlan(seat=1, filled_by="invited"), *OPEN[2:])
BURST = 500


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    with running(tmp_path_factory.mktemp("refused") / "data") as found:
        yield found


def rows(up: Up, match: str) -> tuple[Row, ...]:
    with up.log() as log:
        return log.load(match)


def command_ids(up: Up, match: str) -> list[str]:
    """The ids of the commands that were accepted."""
    return [row.entry.command for row in rows(up, match) if row.entry.command is not None]


def is_refused(answer: Feed, code: Refusal) -> None:
    assert isinstance(answer, Refused), answer
    assert answer.code == code


def is_done(answer: Feed) -> None:
    assert isinstance(answer, Happened), answer


async def open_table(owner: Guest, plan: tuple[SeatPlan, ...] = OPEN) -> str:
    match, invited = new_match_id(), any(one.filled_by == "invited" for one in plan)
    hash_ = sha256(CODE.encode()).hexdigest() if invited else None
    opening = OpenMatch(options=HokmOptions(target=1), seats=plan, invitation=hash_)
    is_done(await owner.do(match, opening))
    return match


async def started(owner: Guest, second: Guest, third: Guest) -> str:
    """A match that has begun, with these three at seats 0, 1 and 2."""
    match = await open_table(owner)
    is_done(await second.do(match, TakeSeat(seat=1)))
    is_done(await third.do(match, TakeSeat(seat=2)))
    is_done(await owner.do(match, StartMatch()))
    return match


# Coming in ------------------------------------------------------------------------------------


async def test_who_has_no_session_of_this_service_does_not_come_in(up: Up) -> None:
    guest, now = session(up), SystemClock().now()
    url, player, token = up.ready["nats"], guest["player"], guest["token"]
    keys = Keys((up.data / "session.key").read_bytes())

    def signed(name: str, *, by: Keys = keys, end: int = now + 60_000) -> str:
        issued = min(now, end - 1)
        return session_token(Session(player=name, kind="guest", issued=issued, end=end), by)

    assert not await refused(url, token=token)
    assert not await refused(url, token=signed(player))
    for shown in (
        "",
        token + "x",
        token[:-1],
        signed(player, by=Keys(b"f" * 32)),
        signed(player, end=now - 1),
        signed("u_*"),
        signed("u_>"),
        signed("u_aaaaaaa*"),
        signed("*"),
        signed("ops"),
        signed("scoring"),
        signed("house0"),
        signed("table"),
    ):
        assert await refused(url, token=shown), shown
        assert await refused(url, user=player, password=shown), shown
    assert await refused(url, user=session(up)["player"], password=token)
    assert await refused(url, name="nobody")


async def test_a_ninth_connection_of_a_player_costs_him_his_first(up: Up) -> None:
    async with guests(up, 2) as (ann, bob):
        match = await open_table(bob)
        pages = [await Guest(up, ann.opened).come_in() for _ in range(MOST_CONNECTIONS)]
        await until(lambda: ann.client.is_closed, "the first connection to be cut")
        for page in pages:
            assert (await page.snapshot(match)).version == 1
            await page.leave()
        assert (await bob.snapshot(match)).version == 1


async def test_who_subscribes_without_end_loses_his_connection_and_nobody_else_does(
    up: Up,
) -> None:
    async with guests(up, 2) as (ann, bob):
        match = await open_table(bob)
        for number in range(MAX_SUBSCRIPTIONS + 1):
            await ann.client.subscribe(f"feed.{ann.name}.m_{number}", cb=ann._hear)
        await until(lambda: ann.client.is_closed, "the connection to be cut")
        assert (await bob.snapshot(match)).version == 1


# In another's name ----------------------------------------------------------------------------


async def test_nothing_is_said_in_anothers_name(up: Up) -> None:
    async with guests(up, 3) as (ann, bob, eve):
        match = await open_table(ann)
        is_done(await bob.do(match, TakeSeat(seat=1)))
        is_done(await eve.do(match, TakeSeat(seat=2)))
        before = rows(up, match)
        start = encode_command(Command(id=random_id(), action=StartMatch()))
        for subject in (
            subjects.command_in(match, ann.name),
            subjects.command_in(match, "house3"),
            subjects.command_in(match, "scoring"),
            subjects.command_in(match, "ops"),
            subjects.command_stored(0, match, ann.name),
            subjects.ask(match, ann.name),
            subjects.feed(ann.name, match),
            subjects.feed(eve.name, match),
            subjects.event(0, "match_ended"),
            subjects.turn(match, 3),
            f"_INBOX_{ann.name}.x",
            "_INBOX.x",
            "$JS.API.STREAM.PURGE.COMMANDS",
            "$JS.API.CONSUMER.CREATE.EVENTS.mine.event.>",
            "$JS.ACK.COMMANDS.p0-e1.1.1.1.1.1",
            "$KV.profiles.x",
            "$SRV.PING",
            "$SYS.REQ.SERVER.PING.CONNZ",
        ):
            refusals = len(eve.refusals)
            await eve.say(subject, start)
            assert len(eve.refusals) == refusals + 1, subject
        is_refused(await eve.do(match, StartMatch()), Refusal.NOT_ALLOWED)
        assert rows(up, match) == before
        assert not any(isinstance(one, Refused) for one in (*ann.told(match), *bob.told(match)))
        is_done(await ann.do(match, StartMatch()))


async def test_nobody_is_overheard(up: Up) -> None:
    async with guests(up, 2) as (ann, eve):
        match = await open_table(ann)
        for subject in (
            ">",
            "*.*.*",
            "feed.>",
            f"feed.*.{match}",
            f"feed.{ann.name}.*",
            f"feed.{ann.name}.{match}",
            "cmdin.>",
            f"cmdin.{match}.*",
            "cmd.>",
            "ask.>",
            f"ask.{match}.*",
            "event.>",
            "turn.>",
            "deliver.>",
            f"_INBOX_{ann.name}.>",
            "_INBOX.>",
            "$JS.API.>",
            "$JS.ACK.>",
            "$JS.EVENT.>",
            "$KV.>",
            "$SRV.>",
            "$SYS.>",
        ):
            assert not await eve.may_subscribe(subject), subject
            assert not await eve.may_subscribe(subject, "mine"), subject
        before = len(eve.heard)
        is_done(await ann.do(match, AddNonce(nonce="0" * 64)))
        await eve.round_trip()
        assert len(eve.heard) == before


async def test_a_reply_subject_of_anothers_gets_nothing(up: Up) -> None:
    async with guests(up, 2) as (ann, eve):
        match = await open_table(ann)
        heard, before = len(ann.heard), rows(up, match)
        own = subjects.command_in(match, eve.name)
        for reply in (
            subjects.command_in(match, ann.name),
            subjects.feed(ann.name, match),
            subjects.ask(match, ann.name),
            subjects.event(0, "match_ended"),
            "$JS.API.STREAM.PURGE.EVENTS",
        ):
            start = encode_command(Command(id=random_id(), action=StartMatch()))
            await eve.say(own, start, reply)
            await eve.say(own, start + b" " * COMMAND_BYTES, reply)
            await eve.say(subjects.ask(match, eve.name), encode_ask(Ask()), reply)
        is_refused(await eve.do(match, StartMatch()), Refusal.NOT_ALLOWED)
        await ann.round_trip()
        assert ann.heard[heard:] == []
        assert rows(up, match) == before


async def test_a_wildcard_for_a_match_reaches_no_match(up: Up) -> None:
    async with guests(up, 2) as (ann, eve):
        match = await open_table(ann)
        take = encode_command(Command(id=random_id(), action=TakeSeat(seat=1)))
        heard = len(eve.heard)
        for text in ("*", "m_*", match[:-1] + "*", "junk"):
            await eve.say(subjects.command_in(text, eve.name), take)
            await eve.say(subjects.ask(text, eve.name), encode_ask(Ask()))
        for subject in (f"cmdin.>.{eve.name}", "cmdin.>", f"cmdin.{match}.>", f"cmdin.{match}.*"):
            await eve.say(subject, take)
        assert (await eve.snapshot(match)).version == 1
        assert len(eve.heard) == heard + 1
        assert [row.entry.type for row in rows(up, match)] == ["match_opened"]


HEADERS = (
    {"Nats-Msg-Id": "1:0:1"},
    {"Nats-Expected-Stream": "EVENTS"},
    {"Nats-Expected-Last-Sequence": "0"},
    {"Nats-Rollup": "all"},
    {"Nats-TTL": "1s"},
    {"Nats-Schedule": "@every 1s", "Nats-Schedule-Target": "cmd.0.x.ops"},
    {"Nats-Batch-Id": "b", "Nats-Batch-Sequence": "1"},
)


async def test_headers_for_the_broker_take_nobodys_command_away(up: Up) -> None:
    """What comes with one is dropped or heard as if it had none; said again without, it is done."""
    async with guests(up, 2) as (ann, eve):
        match = await open_table(ann)
        for headers in HEADERS:
            mine = new_match_id()
            opening = Command(id=random_id(), action=OpenMatch(options=HokmOptions(), seats=OPEN))
            data, subject = encode_command(opening), subjects.command_in(mine, eve.name)
            await eve.say(subject, data, headers=headers)
            is_refused(await ann.do(match, StartMatch()), Refusal.WRONG_PHASE)
            is_done(await eve.repeat(mine, opening))
            assert command_ids(up, mine) == [opening.id]


# At a table -----------------------------------------------------------------------------------


async def test_an_invitation_is_used_once(up: Up) -> None:
    async with guests(up, 4) as (ann, bob, carl, eve):
        match = await open_table(ann, INVITED)
        is_refused(await eve.do(match, TakeSeat(seat=1)), Refusal.WRONG_CODE)
        is_refused(await eve.do(match, TakeSeat(seat=1, code="a guess")), Refusal.WRONG_CODE)
        taken = Command(id=random_id(), action=TakeSeat(seat=1, code=CODE))
        is_done(await bob.repeat(match, taken))
        is_refused(await eve.do(match, TakeSeat(seat=1, code=CODE)), Refusal.SEAT_TAKEN)
        is_refused(await eve.repeat(match, taken), Refusal.NOT_ALLOWED)
        is_refused(await bob.do(match, TakeSeat(seat=2, code=CODE)), Refusal.NOT_ALLOWED)
        is_done(await carl.do(match, TakeSeat(seat=2)))
        is_done(await ann.do(match, StartMatch()))
        is_refused(await eve.do(match, TakeSeat(seat=1, code=CODE)), Refusal.SEAT_TAKEN)
        is_done(await bob.do(match, LeaveSeat()))
        is_refused(await eve.do(match, TakeSeat(seat=1)), Refusal.WRONG_CODE)
        told = [one.data for guest in (ann, bob, carl, eve) for one in guest.heard]
        assert not any(CODE.encode() in data for data in told)


async def test_who_left_is_not_seated_and_may_not_sit_where_he_saw_no_cards(up: Up) -> None:
    async with guests(up, 3) as (ann, bob, carl):
        match = await started(ann, bob, carl)
        is_done(await carl.do(match, LeaveSeat()))
        is_done(await bob.do(match, LeaveSeat()))
        move = (await bob.snapshot(match)).move
        is_refused(await bob.do(match, PlayCard(card="AS"), move=move), Refusal.NOT_SEATED)
        is_refused(await bob.do(match, LeaveSeat()), Refusal.NOT_SEATED)
        is_refused(await bob.do(match, AddNonce(nonce="0" * 64)), Refusal.NOT_SEATED)
        found = await bob.snapshot(match)
        assert found.view is not None
        assert (found.view.seat, found.view.hand) == (None, ())
        is_refused(await bob.do(match, TakeSeat(seat=2)), Refusal.SEEN_CARDS)
        is_done(await bob.do(match, TakeSeat(seat=1)))


async def test_who_watched_saw_no_cards_and_sits_once_only(up: Up) -> None:
    async with guests(up, 4) as (ann, bob, carl, eve):
        match = await started(ann, bob, carl)
        heard = len(eve.heard)
        await eve.say(
            subjects.ask(match, eve.name), encode_ask(Ask(what="history")), headers={"x": "y"}
        )
        await until(lambda: eve.told(match, heard), "the history")
        (history,) = eve.told(match, heard)
        assert isinstance(history, History)
        assert all(one.cards == () for one in history.events)
        view = (await eve.snapshot(match)).view
        assert view is not None
        assert (view.seat, view.hand) == (None, ())
        is_refused(await eve.do(match, TakeSeat(seat=1)), Refusal.SEAT_TAKEN)
        for leaving in (bob, carl):
            is_done(await leaving.do(match, LeaveSeat()))
        is_done(await eve.do(match, TakeSeat(seat=1)))
        is_done(await eve.do(match, LeaveSeat()))
        is_refused(await eve.do(match, TakeSeat(seat=2)), Refusal.SEEN_CARDS)


# Too much, too late ---------------------------------------------------------------------------


async def test_after_a_table_worker_was_killed_an_old_command_is_answered_and_not_done_again(
    up: Up,
) -> None:
    async with guests(up, 3) as (ann, bob, eve):
        match, late = await open_table(ann), Command(id=random_id(), move=0, action=StartMatch())
        is_refused(await ann.repeat(match, late), Refusal.WRONG_PHASE)
        taken = Command(id=random_id(), action=TakeSeat(seat=1))
        first = await bob.repeat(match, taken)
        is_done(first)
        is_done(await bob.do(match, LeaveSeat()))
        before, worker = rows(up, match), up.children()["table"]
        os.kill(worker, signal.SIGKILL)
        await until(lambda: up.children().get("table", worker) != worker, "another table worker")
        assert await bob.repeat(match, taken) == first
        is_refused(await eve.repeat(match, taken), Refusal.NOT_ALLOWED)
        is_refused(await ann.repeat(match, late), Refusal.STALE_MOVE)
        assert rows(up, match) == before


async def test_5_KiB_of_JSON_is_not_heard_and_leaves_nothing(up: Up) -> None:
    async with guests(up, 1) as (ann,):
        match = await open_table(ann)
        nonce = Command(id=random_id(), action=AddNonce(nonce="0" * 64))
        data = encode_command(nonce)
        large = data[:-1] + b" " * (5 * 1024 - len(data)) + b"}"
        assert len(large) > COMMAND_BYTES
        heard = len(ann.heard)
        await ann.say(subjects.command_in(match, ann.name), large)
        assert (await ann.snapshot(match)).version == 1
        assert len(ann.heard) == heard + 1
        is_done(await ann.repeat(match, nonce))
        assert command_ids(up, match)[1:] == [nonce.id]


async def test_500_commands_at_once_cost_nobody_else_a_command(up: Up) -> None:
    """All at one table: who bursts has 16 waiting at a time; what the others say once is heard."""
    async with guests(up, 4) as (ann, bob, carl, eve):
        match = await open_table(ann)
        said = [Command(id=random_id(), action=StartMatch()) for _ in range(BURST)]
        for command in said:
            await eve.client.publish(subjects.command_in(match, eve.name), encode_command(command))
        taken = (bob.do(match, TakeSeat(seat=1)), carl.do(match, TakeSeat(seat=2)))
        for answer in await asyncio.gather(*taken):
            is_done(answer)
        for guest in (ann, bob, carl):
            is_done(await guest.do(match, AddNonce(nonce="0" * 64)))
        is_done(await ann.do(match, StartMatch()))
        is_refused(await eve.do(match, StartMatch()), Refusal.NOT_ALLOWED)
        answered = [one for one in eve.told(match) if isinstance(one, Refused)]
        assert {one.code for one in answered} == {Refusal.NOT_ALLOWED}
        assert len({one.command for one in answered}) == len(answered) <= BURST + 1
        assert not {command.id for command in said} & set(command_ids(up, match))
        assert all(guest.client.is_connected for guest in (ann, bob, carl, eve))
