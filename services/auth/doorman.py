"""Who may come in as whom: a token in, the rights of exactly one player out.

Who is refused is told nothing; why is for our own logs, and never the token.
"""

from collections.abc import Callable
from typing import Final, Literal

from msgspec import Struct

from schemas.ids import PlayerId
from services.auth.claims import Grant, Request, granted, read_request, refused
from services.auth.nkeys import AccountKey
from services.auth.turnstile import TooMany
from services.messaging.permissions import COMMAND_LINE_PLAYER, player
from services.runtime.signing_keys import Keys
from services.runtime.tokens import Refused, Session, check_session

Verdict = Literal[
    "let_in",
    "unreadable",
    "missing",
    "malformed",
    "forged",
    "expired",
    "other_user",
    "reserved",
    "too_often",
    "too_many",
]
"""`unreadable`: not the broker's words at all. `other_user`: the user that was named is not the
token's player. `reserved`: the command line's own player, who needs no token. The last two are
the turnstile's.
"""
Stops = Callable[[PlayerId], TooMany | None]
"""Whether a player with a good token has to wait all the same: `Turnstile.stops`."""
_SECOND: Final = 1_000


class Doorman(Struct, frozen=True):
    """`account`: where in the broker players are."""

    issuer: AccountKey
    keys: Keys
    account: str


class Answered(Struct, frozen=True):
    """`data` goes to the broker; None: there is nobody to answer."""

    data: bytes | None
    verdict: Verdict


def answer_login(doorman: Doorman, data: bytes, now: int, stops: Stops) -> Answered:
    """The answer to the broker's request `data` at `now`, in Unix ms."""
    request = read_request(data)
    if request is None:
        return Answered(None, "unreadable")
    found = _session(doorman, request, now)
    if isinstance(found, Session):
        found = stops(found.player) or found
    if isinstance(found, Session):
        return Answered(_let_in(doorman, request, found, now), "let_in")
    return Answered(refused(doorman.issuer, request, now // _SECOND), found)


def _session(doorman: Doorman, request: Request, now: int) -> Session | Verdict:
    said = request.connect_opts
    token = said.auth_token or said.password
    if not token:
        return "missing"
    session = check_session(token, doorman.keys, now)
    if isinstance(session, Refused):
        return session.reason
    if said.user not in {"", session.player}:
        return "other_user"
    return "reserved" if session.player == COMMAND_LINE_PLAYER else session


def _let_in(doorman: Doorman, request: Request, session: Session, now: int) -> bytes:
    """The broker cuts the connection when the session ends."""
    grant = Grant(
        name=session.player,
        account=doorman.account,
        may=player(session.player),
        issued=now // _SECOND,
        end=session.end // _SECOND,
    )
    return granted(doorman.issuer, request, grant)
