"""How one comes to a table: the very command, to be typed by oneself or by others."""

import shlex
from typing import Final

from msgspec import Struct

from schemas.ids import MatchId
from services.cli.join.session.player import Server
from services.cli.place import Place
from services.cli.program import PROGRAM, program

SECOND: Final = "friend"
"""The session that is proposed to a second person on this machine."""


class Ways(Struct, frozen=True, kw_only=True):
    """What stands before and after `join ID`: `mine` comes back as the same player, `others` is for
    somebody else's terminal, on this machine where no other one reaches the service.
    """

    program: str = PROGRAM
    others_program: str = PROGRAM
    mine: tuple[str, ...] = ()
    others: tuple[str, ...] = ()

    def back(self, match: MatchId) -> str:
        return shlex.join((self.program, "join", match, *self.mine))

    def invitation(self, match: MatchId, code: str | None = None) -> str:
        opens = () if code is None else ("--code", code)
        return shlex.join((self.others_program, "join", match, *opens, *self.others))


def ways_to(place: Place, server: Server, session: str | None) -> Ways:
    """How one comes to a table from this terminal, and from another one: on this machine where
    nobody else reaches the server, and then with a session of one's own.
    """
    named = server.key == server.url
    where = ("--server", server.url) if named else ("--data", str(place.data))
    here = program()
    return Ways(
        program=here,
        others_program=here if server.here else PROGRAM,
        mine=where if session is None else (*where, "--session", session),
        others=(*where, "--session", _another(session)) if server.here else where,
    )


def _another(session: str | None) -> str:
    return f"{SECOND}2" if session == SECOND else SECOND
