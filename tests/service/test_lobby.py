"""Lists, standings, tickets and stickers with every worker as a process, through a real broker."""

import asyncio
import os
import signal
import subprocess
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, suppress
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest

from schemas import subjects
from schemas.commands import (
    Command,
    HokmOptions,
    LeaveSeat,
    OpenMatch,
    SeatPlan,
    StartMatch,
    TakeSeat,
    encode_command,
)
from schemas.feed import Ask, Feed, Sticker, decode_feed, encode_ask
from services.cli.client import MatchClient, new_match_id
from services.cli.place import Place, login
from services.event_log.port import Reader
from services.event_log.sql import file_url, open_reader
from services.messaging.jetstream import connect
from services.messaging.permissions import COMMAND_LINE_PLAYER
from services.messaging.port import Bus, Message
from services.runtime.key_files import create_key
from services.runtime.tickets import TicketKeys, keys_from
from services.scoring.database import disposing, open_existing
from services.scoring.standings import Standings
from services.scoring.tickets import Counter, Given, WantedTicket, give
from tests.scoring.databases import all_rows, made_from
from tests.service.guests import ask, at_match, code_of, entered, session
from tests.service.up_process import WARAQ, Up, environment, running
from tests.table.hall import MASKED
from tests.waiting import until

pytestmark = pytest.mark.slow

BOTS = ("play", "--game", "hokm", "--bots", "white", "--matches", "8")
OPEN = (
    SeatPlan(seat=0, filled_by="owner"),
    *(SeatPlan(seat=seat, filled_by="anyone") for seat in (1, 2, 3)),
)
STRANGER = "u_stranger00"
WITHIN: Final = 60.0


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    """A service that takes tickets."""
    folder = tmp_path_factory.mktemp("lobby")
    create_key(folder / "ticket.key")
    with running(folder / "data", WARAQ_TICKET_KEY_FILE=str(folder / "ticket.key")) as service:
        yield service


def log_of(up: Up) -> Reader:
    return open_reader(file_url(up.data / "log.db"))


def standings_url(up: Up) -> str:
    return file_url(up.data / "standings.db")


def ticket_keys(up: Up) -> TicketKeys:
    return keys_from([Path(up.more["WARAQ_TICKET_KEY_FILE"]).read_bytes()])


def bots_play(up: Up) -> subprocess.Popen[bytes]:
    """Bots play some matches meanwhile."""
    environ = environment(up.data, up.more)
    return subprocess.Popen([*WARAQ, *BOTS], env=environ, stderr=subprocess.DEVNULL)


@asynccontextmanager
async def on_the_line(up: Up) -> AsyncIterator[Bus]:
    entry = login(Place(up.data, up.more), "cli")
    bus = await connect(entry.url, user=entry.user, password=entry.password, name="test")
    try:
        yield bus
    finally:
        await bus.close()


async def open_table(bus: Bus, heard: list[Feed]) -> str:
    client = MatchClient(bus, COMMAND_LINE_PLAYER, new_match_id())

    def hear(message: Message) -> None:
        heard.append(decode_feed(message.data))
        client.hear(message)

    await bus.subscribe(f"feed.{COMMAND_LINE_PLAYER}.*", hear)
    await client.do(OpenMatch(options=HokmOptions(), seats=OPEN), within=10)
    return client.match


async def test_a_table_that_waits_is_listed_and_its_owner_shows_a_sticker(up: Up) -> None:
    async with on_the_line(up) as bus:
        heard: list[Feed] = []
        match = await open_table(bus, heard)
        ask = encode_ask(Ask(what="sticker", sticker="salam"))
        await bus.publish([Message(subject=subjects.ask(match, COMMAND_LINE_PLAYER), data=ask)])
        said = Sticker(match=match, seat=0, sticker="salam")
        await until(lambda: said in heard, "the sticker")

    def listed(*words: str) -> bool:
        found = up.waraq("match", "list", *words, "--json")
        assert found.code == 0, found.err
        return match in [line["match"] for line in found.lines]

    await until(lambda: listed("--open"), "the table to be listed", within=30)
    assert listed("--player", COMMAND_LINE_PLAYER)
    assert not listed("--player", STRANGER)


async def test_H22_a_match_is_opened_with_a_ticket_and_not_without(up: Up) -> None:
    key = ticket_keys(up)
    without, opened = new_match_id(), new_match_id()
    with disposing(open_existing(standings_url(up))) as engine:
        wanted = WantedTicket(match=opened, offset=210)
        ticket = give(Counter(engine, key), STRANGER, wanted, time.time_ns() // 1_000_000)
    assert isinstance(ticket, Given)
    async with on_the_line(up) as bus:
        for match, shown in ((without, None), (opened, ticket.ticket)):
            action = OpenMatch(options=HokmOptions(), seats=MASKED, ticket=shown)
            data = encode_command(Command(id="o" * 16, action=action))
            await bus.publish([Message(subject=subjects.command_in(match, STRANGER), data=data)])
    with closing(log_of(up)) as log:
        await until(lambda: log.load(opened), "the match with a ticket to be opened")
        assert log.load(without) == ()


LOBBY: Final = (
    SeatPlan(seat=0, filled_by="owner"),
    SeatPlan(seat=1, filled_by="house", level="white"),
    SeatPlan(seat=2, filled_by="anyone"),
    SeatPlan(seat=3, filled_by="house", level="white"),
)


def matches_in(up: Up, path: str, token: str | None = None) -> list[str]:
    """The matches of a list; none while we ask too often."""
    said = ask(up, "GET", path, token).json
    return [one["match"] for one in said.get("tables", said.get("matches", []))]


def records_of(up: Up, player: str) -> list[Any]:
    """None while we ask too often, too."""
    said = ask(up, "GET", f"/players/{player}").json
    return list(said.get("records", []))


def ticket_of(up: Up, guest: dict[str, Any], match: str) -> str:
    said = ask(up, "POST", "/ticket", guest["token"], {"match": match, "offset": 0})
    assert said.status == 201, said
    ticket: str = said.json["ticket"]
    return ticket


async def test_H22_a_guest_opens_a_match_with_a_ticket_of_his_own_alone(up: Up) -> None:
    """By HTTP and NATS and nothing else; the lists and his record have the match then."""
    ann, bob = session(up), session(up)
    match = new_match_id()
    his, hers = ticket_of(up, bob, match), ticket_of(up, ann, match)
    async with entered(up, ann) as bus, entered(up, bob) as his_bus:
        client = await at_match(bus, ann["player"], match)
        for ticket, code in ((None, "ticket_invalid"), (his, "ticket_invalid"), (hers, None)):
            opening = OpenMatch(options=HokmOptions(target=1), seats=LOBBY, ticket=ticket)
            assert await code_of(client, opening, within=WITHIN) == code
        await until(lambda: match in matches_in(up, "/tables"), "it in the list", within=WITHIN)
        assert matches_in(up, "/matches?status=running", ann["token"]) == [match]
        assert matches_in(up, "/matches", bob["token"]) == []
        other = await at_match(his_bus, bob["player"], match)
        for who, action in (
            (other, TakeSeat(seat=2)),
            (client, StartMatch()),
            (other, LeaveSeat()),
            (client, LeaveSeat()),
        ):
            assert await code_of(who, action, within=WITHIN) is None
    over = ("/matches?status=over", ann["token"])
    await until(lambda: matches_in(up, *over) == [match], "the match's end", within=WITHIN)
    assert match not in matches_in(up, "/tables")
    record = {"game": "hokm", "played": 1, "won": 0, "left": 1}
    for guest in (ann, bob):
        await until(
            partial(lambda player: records_of(up, player) == [record], guest["player"]),
            "his record",
            within=WITHIN,
        )


async def test_tickets_and_sessions_outlive_the_web_worker(up: Up) -> None:
    ann, match = session(up), new_match_id()
    before = ticket_of(up, ann, match)
    web = up.children()["web"]
    os.kill(web, signal.SIGKILL)
    await until(lambda: up.children().get("web", web) != web, "another web worker", within=WITHIN)
    await until(lambda: answers(up), "it to answer", within=WITHIN)
    assert ticket_of(up, ann, match) == before


def answers(up: Up) -> bool:
    with suppress(OSError):
        return ask(up, "GET", "/readyz").status == 200
    return False


async def test_standings_are_rebuilt_while_every_worker_goes_on(up: Up) -> None:
    playing = bots_play(up)
    rebuilt = [up.waraq("standings", "rebuild", "--json") for _ in range(3)]
    assert await asyncio.to_thread(playing.wait, 240) == 0
    assert [one.code for one in rebuilt] == [0, 0, 0], rebuilt[-1].err
    with closing(log_of(up)) as log, disposing(open_existing(standings_url(up))) as engine:
        await until(lambda: not Standings(engine).behind(log), "the scoring worker to catch up")
        assert all_rows(engine) == made_from(log)
    assert "standings stand still" not in up.log.read_text()
