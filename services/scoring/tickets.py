"""Tickets given: so many matches a day are free, each for one match id (H22).

What was given is not in the log, so it is in no projection: nothing here is dropped by a rebuild.
"""

from typing import Final

import sqlalchemy as sa
from msgspec import Struct

from schemas.ids import MatchId, PlayerId
from services.runtime.signing_keys import Keys
from services.runtime.tickets import (
    Day,
    Offset,
    Ticket,
    day_at,
    next_begins,
    sign,
)
from services.scoring.database import reading, writing
from services.scoring.ledger import inserting, ticket_days, tickets

DAILY: Final = 5
"""Free matches of a player in one of his days, where the deployment names no other number."""
MOST_KEPT: Final = 1_000
"""The most tickets of a player that are shown at once, the newest."""
KEPT: Final = 30 * 24 * 3_600 * 1_000
"""Milliseconds for which a ticket is remembered once it opens nothing any more."""


class WantedTicket(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a client asks for; who asks is known by his session."""

    match: MatchId
    offset: Offset


class Given(Struct, frozen=True, kw_only=True):
    """`ticket` is for `open_match`; `left`: how many more there are that day; `ends`: Unix ms."""

    match: MatchId
    ticket: str
    day: str
    ends: int
    left: int


class NoneLeft(Struct, frozen=True, kw_only=True):
    """All of that day are given; there are new ones from `again`, in Unix ms."""

    day: str
    again: int


class Today(Struct, frozen=True, kw_only=True):
    """How many tickets are left of a player's day; there are new ones from `again`, in Unix ms."""

    day: str
    left: int
    again: int


class KeptTicket(Struct, frozen=True, kw_only=True):
    """What is remembered of a ticket; `ends`: Unix ms."""

    match: MatchId
    day: str
    ends: int


class TicketOffice(Struct, frozen=True):
    """Where tickets are given: the database, the keys, how many a day."""

    engine: sa.Engine
    keys: Keys
    daily: int = DAILY


def give(
    office: TicketOffice, player: PlayerId, wanted: WantedTicket, now: int
) -> Given | NoneLeft:
    """A ticket for `wanted.match`, the same one however often it is asked for; `now` in Unix ms.

    Each date counts once, whatever offsets its tickets are asked with: who changes his offset has
    the next day's matches earlier, and no more of them.
    """
    today = day_at(now, wanted.offset)
    with writing(office.engine) as connection:
        if _note(connection, player, wanted.match, today):
            if not _spend(connection, player, today, office.daily):
                connection.rollback()
                return NoneLeft(day=today.date, again=next_begins(today))
            _forget_old(connection, player, now)
        return _given(connection, office, player, wanted.match)


def left_of(office: TicketOffice, player: PlayerId, offset: Offset, now: int) -> Today:
    """How many tickets `player` may still ask for today."""
    today = day_at(now, offset)
    with reading(office.engine) as connection:
        left = _left(connection, office, player, today.date)
    return Today(day=today.date, left=left, again=next_begins(today))


def kept_of(connection: sa.Connection, player: PlayerId) -> tuple[KeptTicket, ...]:
    """What is remembered of a player's tickets, the newest first, `MOST_KEPT` at most."""
    newest = sa.select(tickets).where(tickets.c.player == player).order_by(tickets.c.ends.desc())
    rows = connection.execute(newest.limit(MOST_KEPT))
    return tuple(KeptTicket(match=row.match, day=row.day, ends=row.ends) for row in rows)


def forget(connection: sa.Connection, player: PlayerId) -> int:
    """Erase all that is remembered of a player's tickets, of which so many were; on a connection
    to write by. Who asks on has the day's matches once more.
    """
    if connection.dialect.name == "sqlite":  # it leaves what was deleted in the file, if not told
        connection.exec_driver_sql("pragma secure_delete = on")
    connection.execute(sa.delete(ticket_days).where(ticket_days.c.player == player))
    return connection.execute(sa.delete(tickets).where(tickets.c.player == player)).rowcount


def _note(connection: sa.Connection, player: str, match: str, day: Day) -> bool:
    """True if the match had no ticket of this player's yet: it has one now."""
    row = {"player": player, "match": match, "day": day.date, "ends": day.ends}
    noting = inserting(connection, tickets, row).on_conflict_do_nothing()
    return connection.execute(noting.returning(tickets.c.match)).first() is not None


def _spend(connection: sa.Connection, player: str, day: Day, daily: int) -> bool:
    """One more of the day's; false if there is none. Two who ask at once are counted one by one."""
    if daily < 1:
        return False
    row = {"player": player, "day": day.date, "used": 1}
    spending = inserting(connection, ticket_days, row).on_conflict_do_update(
        index_elements=["player", "day"],
        set_={"used": ticket_days.c.used + 1},
        where=ticket_days.c.used < daily,
    )
    return connection.execute(spending.returning(ticket_days.c.used)).first() is not None


def _given(connection: sa.Connection, office: TicketOffice, player: str, match: str) -> Given:
    here = (tickets.c.player == player) & (tickets.c.match == match)
    row = connection.execute(sa.select(tickets).where(here)).one()
    ticket = Ticket(player=player, match=match, day=Day(row.day, row.ends))
    return Given(
        match=match,
        ticket=sign(office.keys, ticket),
        day=row.day,
        ends=row.ends,
        left=_left(connection, office, player, row.day),
    )


def _left(connection: sa.Connection, office: TicketOffice, player: str, date: str) -> int:
    here = (ticket_days.c.player == player) & (ticket_days.c.day == date)
    used = connection.execute(sa.select(ticket_days.c.used).where(here)).scalar() or 0
    return max(0, office.daily - used)


def _forget_old(connection: sa.Connection, player: str, now: int) -> None:
    before = now - KEPT
    mine = (tickets.c.player == player) & (tickets.c.ends < before)
    connection.execute(sa.delete(tickets).where(mine))
    old = (ticket_days.c.player == player) & (ticket_days.c.day < day_at(before, 0).date)
    connection.execute(sa.delete(ticket_days).where(old))
