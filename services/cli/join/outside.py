"""What a player needs at a table and the table does not know."""

from collections.abc import Awaitable, Callable

from msgspec import Struct, field

from schemas.ids import MatchId
from services.cli.join.session.names import Names, nobody
from services.cli.join.session.web import Ticket
from services.cli.join.ways import Ways

AskTicket = Callable[[MatchId], Awaitable[Ticket]]
"""Raises as `Web.ticket`."""


def _nameless() -> Names:
    return Names(nobody)


class Outside(Struct, frozen=True, kw_only=True):
    """What players are called, how one comes to a table, and leave to open one where the
    deployment counts matches; None where there is nobody to ask.
    """

    names: Names = field(default_factory=_nameless)
    ways: Ways = Ways()
    ticket: AskTicket | None = None
