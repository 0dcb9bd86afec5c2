"""Who plays at this terminal: a session of the web worker's, kept, renewed, shown to the broker.

The broker cuts a connection when its token ends. So the token is renewed long before; and when the
broker refuses one, the web worker is asked: while no auth worker answers, every token is refused,
and only the web worker's word is proof that one is good no more (docs/sessions.md).
"""

import asyncio
import time
from contextlib import suppress
from pathlib import Path
from typing import Final, Protocol
from urllib.parse import urlsplit

from msgspec import Struct

from schemas.ids import PlayerId
from services.cli.door import web_url
from services.cli.exits import FAILED, UNREACHABLE, USAGE, stop
from services.cli.join.session.kept import Kept, keep, read_session, set_aside
from services.cli.join.session.web import REFUSED, Opened, Web, WebAway, WebDeclined
from services.cli.place import Place, read_access
from services.messaging.jetstream import JetStreamBus, connect
from services.messaging.port import BusError, LoginRefused
from services.runtime.tasks import happens
from services.web.sessions import GUEST_MS

TRIES: Final = 5
"""How often the broker is asked to let a session in that the web worker has just made good."""
TRY_AGAIN: Final = 1.0
"""Seconds between two of them."""
LOOK: Final = 60.0
"""Seconds between two looks at the clock: a machine that slept has lost no time by its own."""
FIRST_PAUSE: Final = 2.0
LONGEST_PAUSE: Final = 60.0
"""Seconds between two asks for a renewal that does not come; each pause is twice the one before."""
LEAST: Final = 60.0
"""Seconds from one renewal to the next at least, however wrong our clock is."""
LIFE: Final = GUEST_MS / 1_000
"""The longest life of a token, in seconds, whatever our clock says."""


class Server(Struct, frozen=True, kw_only=True):
    """`key` names it in kept sessions, `advice` is what to do where it does not answer; `here`:
    it is on this machine only.
    """

    url: str
    key: str
    advice: str
    here: bool


class BrokerLine(Protocol):
    """A connection to the broker; `refused` is set whenever it has refused the log-in."""

    @property
    def connected(self) -> bool: ...
    @property
    def refused(self) -> asyncio.Event: ...


class Player:
    """One session. Its `token` is the latest one."""

    def __init__(self, web: Web, server: Server, file: Path, opened: Opened) -> None:
        self.id: PlayerId = opened.player
        self.file = file
        self.web = web
        self.nats = opened.nats
        self.fresh = False
        """True for a new guest."""
        self.another: Path | None = None
        """Where the session was moved to that was good no more, if another one was begun."""
        self._server = server
        self._take(opened)

    @property
    def token(self) -> str:
        return self._token

    def keep(self) -> None:
        """Write it to its file; raises `OSError`."""
        keep(self.file, Kept(server=self._server.key, player=self.id, token=self._token))

    async def renew(self) -> None:
        """Raises `WebAway`, `WebDeclined`."""
        self._take(await self.web.session(self._token))
        with suppress(OSError):  # the one that is kept is still good, and a match goes on
            self.keep()

    def _take(self, opened: Opened) -> None:
        """Renewed at half of its life."""
        now = time.time()
        self._token = opened.token
        self._renew_at = now + max(min(opened.ends / 1000 - now, LIFE) / 2, LEAST)

    async def keep_up(self, line: BrokerLine) -> None:
        """Renew the session whenever that is due; returns once it has ended for good."""
        pause = FIRST_PAUSE
        while True:
            refused = await happens(line.refused, max(0.0, min(self._renew_at - time.time(), LOOK)))
            if not refused and time.time() < self._renew_at:
                continue
            line.refused.clear()
            try:
                await self.renew()
                pause = FIRST_PAUSE
            except WebDeclined as error:
                if error.code == REFUSED and not line.connected:
                    return
            except WebAway:
                pass  # whoever is connected plays on; it is asked again
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)


def server_at(place: Place, named: str | None) -> Server:
    """The web worker that is named, else that of the embedded service; stops the command if there
    is none.
    """
    if named is not None:
        url = named.rstrip("/")
        advice = "is the address right, and is there a web worker?"
        return Server(url=url, key=url, advice=advice, here=_is_loopback(url))
    access = read_access(place)
    if access is None or not (access.web_port or place.environ.get("WARAQ_WEB_LISTEN")):
        stop(
            UNREACHABLE,
            f"no service with a web worker has run in {place.data}: start one with `waraq up`, or"
            " name another's web address with --server",
        )
    advice = f"start the service with `waraq up --data {place.data}`"
    url = web_url(place, access)
    return Server(url=url, key=str(place.data), advice=advice, here=_is_loopback(url))


def _is_loopback(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    return host in {"localhost", "::1"} or host.startswith("127.")


async def sign_in(server: Server, file: Path) -> Player:
    """The player of the session in `file`; a new guest if there is none, or none that is good."""
    kept = read_session(file, server.key)
    try:
        player = await _signed_in(Web(server.url), server, file, kept)
        player.keep()
        _refuse_clear_text(server, player.nats)
    except OSError as error:
        stop(FAILED, f"the session cannot be kept in {file}: {error.strerror}; see --session")
    except WebAway as error:
        stop(UNREACHABLE, f"no web worker answers at {server.url} ({error}): {server.advice}")
    except WebDeclined as error:
        stop(FAILED, f"{server.url} gives no session: {error.text} ({error.code})")
    return player


def _refuse_clear_text(server: Server, nats: str) -> None:
    """A token that came by https goes through no open network in the clear."""
    if server.url.startswith("https:") and nats.startswith("ws:") and not _is_loopback(nats):
        stop(FAILED, f"{server.url} sends players to {nats}, where others could read the session")


async def _signed_in(web: Web, server: Server, file: Path, kept: Kept | None) -> Player:
    if kept is not None:
        try:
            return Player(web, server, file, await web.session(kept.token))
        except WebDeclined as error:
            if error.code != REFUSED:
                raise
    player = Player(web, server, file, await web.session(None))
    player.fresh = True
    player.another = None if kept is None else set_aside(file)
    return player


async def put_name(player: Player, name: str) -> None:
    """Be called so; stops the command if that may not be."""
    try:
        await player.web.put_name(player.token, name)
    except WebDeclined as error:
        code = USAGE if error.code == "bad_name" else FAILED
        stop(code, f"the name is not taken: {error.text} ({error.code})")
    except WebAway as error:
        stop(UNREACHABLE, f"the web worker does not take the name: {error}; try again")


async def enter(player: Player) -> JetStreamBus:
    """Connected as this player; stops the command if the broker does not let him in."""
    try:
        return await _let_in(player, TRIES)
    except LoginRefused:
        stop(
            UNREACHABLE,
            f"{player.nats} lets nobody in, for no auth worker answers it: try again in a minute",
        )
    except BusError as error:
        stop(UNREACHABLE, f"the broker does not answer: {error}")


async def _let_in(player: Player, tries: int) -> JetStreamBus:
    try:
        return await connect(
            player.nats, user=player.id, password=lambda: player.token, name="join"
        )
    except LoginRefused:
        if tries == 1:
            raise
    await asyncio.sleep(TRY_AGAIN)
    return await _let_in(player, tries - 1)
