"""The web worker as a player's client meets it (docs/sessions.md): a session, names, tickets.

What it answers is read as from a stranger: in size, in form, and never written to a terminal as it
came. Redirects are not followed: a token goes to the address that was named, and nowhere else.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final

import msgspec
from aiohttp import ClientError, ClientResponse, ClientSession, ClientTimeout
from msgspec import Meta, Struct

from schemas.decoding import decoder
from schemas.ids import LATEST, MatchId, PlayerId
from services.cli.join.session.strangers import plain

ANSWER_WITHIN: Final = 10.0
"""Seconds that a web worker has to answer."""
ANSWER_BYTES: Final = 65_536
TOKEN_CHARS: Final = 4_096
"""Far more than a token of today has: whose server it is may be newer than this program."""
CODE_CHARS: Final = 40
TEXT_CHARS: Final = 200
"""Letters of an error's code and of its text that are shown."""
REFUSED: Final = "refused"
"""The code for a session that is not good, or no longer."""
NOT_A_WORKER: Final = "what answers there is no web worker of Waraq"

Token = Annotated[str, Meta(pattern=r"^[!-~]+$(?!\n)", max_length=TOKEN_CHARS)]


class Opened(Struct, frozen=True, kw_only=True):
    """A session: `nats` is where the broker takes the token, `ends` its end in Unix ms."""

    player: PlayerId
    token: Token
    ends: Annotated[int, Meta(ge=0, le=LATEST)]
    nats: Annotated[str, Meta(pattern=r"^(wss?|nats|tls)://[!-+\--~]+$(?!\n)", max_length=300)]


class Ticket(Struct, frozen=True, kw_only=True):
    """Leave to open one match; `left` are those that there are for the day."""

    ticket: str
    left: int


class Profile(Struct, frozen=True, kw_only=True):
    player: PlayerId
    name: str


class Profiles(Struct, frozen=True, kw_only=True):
    profiles: tuple[Profile, ...]


class Error(Struct, frozen=True, kw_only=True):
    error: str
    text: str = ""


class WebAway(Exception):
    """Nobody answers there, or not as a web worker does."""


class WebDeclined(Exception):
    """The web worker says no. Programs read the `code`."""

    def __init__(self, error: Error) -> None:
        self.code = plain(error.error, CODE_CHARS)
        self.text = plain(error.text, TEXT_CHARS)
        super().__init__(f"{self.code}: {self.text}")


_opened = decoder(Opened)
_ticket = decoder(Ticket)
_profiles = decoder(Profiles)
_error = decoder(Error)


class Web:
    """Every ask raises `WebAway`, `WebDeclined`."""

    def __init__(self, url: str) -> None:
        self.url = url

    async def session(self, token: str | None) -> Opened:
        """A new guest's, or without another player the renewed one of `token`."""
        opened: Opened = _read(_opened, await self._ask("POST", "/session", token))
        return opened

    async def put_name(self, token: str, name: str) -> None:
        await self._ask("PUT", "/profile", token, body={"name": name})

    async def names(self, players: Sequence[PlayerId]) -> Mapping[PlayerId, str]:
        """What players call themselves, as they typed it; who has no name is left out."""
        found = _read(_profiles, await self._ask("GET", f"/profiles?ids={','.join(players)}"))
        return {one.player: one.name for one in found.profiles}

    async def ticket(self, token: str, match: MatchId, offset: int) -> Ticket:
        """`offset`: minutes that the player's clock is ahead of UTC."""
        body = {"match": match, "offset": offset}
        ticket: Ticket = _read(_ticket, await self._ask("POST", "/ticket", token, body=body))
        return ticket

    async def _ask(
        self, method: str, path: str, token: str | None = None, *, body: Any = None
    ) -> bytes:
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        try:
            async with (
                ClientSession(timeout=ClientTimeout(total=ANSWER_WITHIN)) as client,
                client.request(
                    method, self.url + path, headers=headers, json=body, allow_redirects=False
                ) as answer,
            ):
                return _good(answer.status, await _whole(answer))
        except TimeoutError as error:
            raise WebAway(f"no answer in {ANSWER_WITHIN:.0f} s") from error
        except (ClientError, OSError, ValueError) as error:
            raise WebAway(plain(str(error), TEXT_CHARS) or type(error).__name__) from error


async def _whole(answer: ClientResponse) -> bytes:
    data = b""
    async for part in answer.content.iter_any():
        data += part
        if len(data) > ANSWER_BYTES:
            raise WebAway(NOT_A_WORKER)
    return data


def _good(status: int, data: bytes) -> bytes:
    if status // 100 == 2:
        return data
    raise WebDeclined(_read(_error, data))


def _read(decode: Any, data: bytes) -> Any:
    try:
        return decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise WebAway(NOT_A_WORKER) from error
