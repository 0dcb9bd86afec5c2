"""From coming in with a session to going home: one match, and those after it."""

import asyncio
import time
from pathlib import Path

from msgspec import Struct

from schemas.ids import MatchId, PlayerId, Seat
from services.cli.client import new_match_id
from services.cli.exits import FAILED, stop
from services.cli.join.arrival import Parting, Wishes
from services.cli.join.client import TableClient
from services.cli.join.opening import Opening, again
from services.cli.join.outside import Outside
from services.cli.join.person import Person
from services.cli.join.session.names import Names
from services.cli.join.session.player import Player, Server, enter, put_name, sign_in
from services.cli.join.session.web import Ticket
from services.cli.join.speech import Speech
from services.cli.join.terminal import Console
from services.cli.join.ways import Ways
from services.messaging.jetstream import JetStreamBus
from services.messaging.port import Bus
from services.runtime.tasks import end


class Wanted(Struct, frozen=True, kw_only=True):
    """What the command's words ask for; `opening` is None for a match that is there already."""

    match: MatchId
    opening: Opening | None
    seat: Seat | None
    code: str | None
    nonce: bool


class Entry(Struct, frozen=True, kw_only=True):
    """Where one comes in and as whom; `name` is what to be called from now on."""

    server: Server
    file: Path
    name: str | None
    ways: Ways


async def stay(entry: Entry, wanted: Wanted, said: Speech) -> Parting:
    """Come in as the session's player, and play; stops the command if he is not let in."""
    player = await sign_in(entry.server, entry.file)
    if entry.name is not None:
        await put_name(player, entry.name)
    bus = await enter(player)
    console = Console(asyncio.Event())
    console.start()
    try:
        for line in _welcome(said, player):
            console.show(line)
        visit = Visit(bus, player.id, console, said, _outside(entry, player))
        return await _while_let_in(asyncio.create_task(visit.matches(wanted)), player, bus)
    finally:
        console.stop()
        await bus.close()


def _welcome(said: Speech, player: Player) -> list[str]:
    """What is said to who is another player than he was, or a new one."""
    lines = []
    if player.another is not None:
        lines.append(said.say("session_ended", file=str(player.another)))
    if player.fresh:
        lines.append(said.say("session_new", player=player.id, file=str(player.file)))
    return lines


async def _while_let_in(
    playing: asyncio.Task[Parting], player: Player, bus: JetStreamBus
) -> Parting:
    """Play for as long as the session is good; stops the command where it is no more."""
    keeping = asyncio.create_task(player.keep_up(bus))
    try:
        await asyncio.wait({playing, keeping}, return_when=asyncio.FIRST_COMPLETED)
        if not playing.done():
            keeping.result()
            stop(FAILED, "the session has ended: join again, as a new player")
        return playing.result()
    finally:
        await end(playing, keeping)


def _outside(entry: Entry, player: Player) -> Outside:
    async def ticket(match: MatchId) -> Ticket:
        return await player.web.ticket(player.token, match, _offset())

    return Outside(names=Names(player.web.names), ways=entry.ways, ticket=ticket)


def _offset() -> int:
    """Minutes that this machine's clock is ahead of UTC."""
    return time.localtime().tm_gmtoff // 60


class Visit:
    """Matches one after another: all that stays the same in them."""

    def __init__(
        self, bus: Bus, player: PlayerId, console: Console, said: Speech, outside: Outside
    ) -> None:
        self._bus = bus
        self._player = player
        self._console = console
        self._said = said
        self._outside = outside

    async def matches(self, wanted: Wanted) -> Parting:
        """One match, and those after it for as long as they are wished."""
        match, wishes = wanted.match, _wishes(wanted)
        while True:
            client = TableClient(self._bus, self._player, match, self._console.wake)
            person = Person(client, self._console, self._said, self._console.wake, self._outside)
            parting = await person.stay(wishes)
            if parting is Parting.NEXT:
                assert person.next is not None
                match = person.next.match
                wishes = Wishes(code=person.next.code, nonce=wanted.nonce)
            elif parting is Parting.AGAIN:
                assert client.state is not None
                assert client.seat is not None
                match, opened = new_match_id(), again(client.state.opened, client.seat)
                wishes = Wishes(
                    opening=opened.action, again=True, code=opened.code, nonce=wanted.nonce
                )
            else:
                return parting


def _wishes(wanted: Wanted) -> Wishes:
    opened = wanted.opening
    return Wishes(
        opening=None if opened is None else opened.action,
        seat=wanted.seat,
        code=wanted.code if opened is None else opened.code,
        nonce=wanted.nonce,
    )
