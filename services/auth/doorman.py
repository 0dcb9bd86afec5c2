"""Who may come in as whom: a token in, the rights of exactly one player out.

Who is refused is told nothing; why is for our own logs, and never the token.
"""

from typing import Final, Literal

from msgspec import Struct

from services.auth.claims import Grant, Request, granted, read_request, refused
from services.auth.nkeys import AccountKey
from services.messaging.permissions import COMMAND_LINE_PLAYER, player
from services.runtime.tokens import Keys, Refused, Session, check_session

Verdict = Literal[
    "let_in", "unreadable", "missing", "malformed", "forged", "expired", "other_user", "reserved"
]
"""`unreadable`: not the broker's words at all. `other_user`: the user that was named is not the
token's player. `reserved`: the command line's own player, who needs no token.
"""
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


def answer_login(doorman: Doorman, data: bytes, now: int) -> Answered:
    """The answer to the broker's request `data` at `now`, in Unix ms."""
    request = read_request(data)
    if request is None:
        return Answered(None, "unreadable")
    found = _session(doorman, request, now)
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
