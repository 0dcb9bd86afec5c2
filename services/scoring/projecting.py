"""One event into the projections: points (H22), records, the lists of tables.

The rules of points and records are said in docs/standings.md and in `services.scoring.terms`.
"""

from typing import Final

import msgspec
import sqlalchemy as sa

from schemas.commands import HokmOptions, SeatPlan
from schemas.events import (
    Event,
    MatchAbandoned,
    MatchEnded,
    MatchOpened,
    MatchStarted,
    RoundEnded,
    RoundScored,
    SeatLeft,
    SeatTaken,
)
from schemas.ids import MatchId, Seat
from services.rules.games import GAMES
from services.scoring import ledger
from services.scoring.ledger import matches, members, put, seats
from services.scoring.terms import XO_POINTS

_plan: Final = msgspec.json.Decoder(tuple[SeatPlan, ...])


def apply(connection: sa.Connection, event: Event) -> None:
    """What the event changes; most change nothing."""
    match event.body:
        case MatchOpened() as opened:
            _open(connection, event, opened)
        case SeatTaken() as taken:
            _take_seat(connection, event.match, taken)
        case SeatLeft(seat=seat):
            connection.execute(sa.delete(seats).where(_sits(event.match, seat)))
            _count_free(connection, event.match)
        case MatchStarted():
            _start(connection, event)
        case RoundEnded():
            _remember_sitters(connection, event.match)
        case RoundScored() as scored:
            _score(connection, event.match, scored)
        case MatchEnded() as ended:
            _end(connection, event, ended)
        case MatchAbandoned():
            _set(connection, event.match, status="abandoned", ended=event.time)
        case _:
            pass


# Who sits where -------------------------------------------------------------------------------


def _open(connection: sa.Connection, event: Event, opened: MatchOpened) -> None:
    put(
        connection,
        matches,
        match=event.match,
        game="hokm" if isinstance(opened.options, HokmOptions) else "hand",
        ruleset=opened.ruleset,
        masked=is_masked(opened),
        owner=opened.owner,
        options=_json(opened.options),
        plan=_json(opened.seats),
        status="lobby",
        free=sum(plan.filled_by == "anyone" for plan in opened.seats),
        opened=event.time,
        rounds=0,
        totals="[]",
    )
    _join(connection, event.match, opened.owner, dealt=False)
    for plan in opened.seats:
        if plan.filled_by == "owner":
            put(connection, seats, match=event.match, seat=plan.seat, player=opened.owner)


def is_masked(opened: MatchOpened) -> bool:
    """A table with masks: seats 1 and 3 at the house, at one level (H20)."""
    masks = [plan for plan in opened.seats if plan.seat % 2 == 1]
    return (
        len(opened.seats) == 4
        and isinstance(opened.options, HokmOptions)
        and all(plan.filled_by == "house" for plan in masks)
        and len({plan.level for plan in masks}) == 1
    )


def _take_seat(connection: sa.Connection, match: MatchId, taken: SeatTaken) -> None:
    put(connection, seats, match=match, seat=taken.seat, player=taken.player)
    status = sa.select(matches.c.status).where(matches.c.match == match)
    running = connection.execute(status).scalar_one() == "playing"
    _join(connection, match, taken.player, dealt=running)
    _count_free(connection, match)


def _join(connection: sa.Connection, match: MatchId, player: str, *, dealt: bool) -> None:
    """It is a match of this player's from now on; who was dealt cards once stays so."""
    here = (members.c.match == match) & (members.c.player == player)
    opened = sa.select(matches.c.opened).where(matches.c.match == match).scalar_subquery()
    row = {"match": match, "player": player, "opened": opened, "dealt": dealt}
    connection.execute(ledger.inserting(connection, members, row).on_conflict_do_nothing())
    if dealt:
        connection.execute(sa.update(members).where(here).values(dealt=True))


def _count_free(connection: sa.Connection, match: MatchId) -> None:
    row = connection.execute(sa.select(matches.c.plan).where(matches.c.match == match)).one()
    taken = connection.execute(sa.select(seats.c.seat).where(seats.c.match == match)).scalars()
    free = {plan.seat for plan in _plan.decode(row.plan) if plan.filled_by == "anyone"}
    _set(connection, match, free=len(free - set(taken)))


def _start(connection: sa.Connection, event: Event) -> None:
    _set(connection, event.match, status="playing", started=event.time)
    sitting = sa.select(seats.c.player).where(seats.c.match == event.match)
    here = (members.c.match == event.match) & members.c.player.in_(sitting)
    connection.execute(sa.update(members).where(here).values(dealt=True))


# Rounds and ends ------------------------------------------------------------------------------


def _remember_sitters(connection: sa.Connection, match: MatchId) -> None:
    """Who sits at the end of a round has earned it, also if he leaves before it is scored."""
    sat = ledger.sat
    connection.execute(sa.delete(sat).where(sat.c.match == match))
    sitting = sa.select(seats.c.match, seats.c.seat, seats.c.player).where(seats.c.match == match)
    columns = ["match", "seat", "player"]
    connection.execute(sa.insert(sat).from_select(columns, sitting))


def _score(connection: sa.Connection, match: MatchId, scored: RoundScored) -> None:
    _set(connection, match, rounds=scored.round, totals=_json(scored.totals))
    table = connection.execute(sa.select(matches).where(matches.c.match == match)).one()
    if not table.masked:
        return
    won = GAMES[table.ruleset].round_winners(scored.score)
    sat = ledger.sat
    sitters = sa.select(sat.c.seat, sat.c.player).where(sat.c.match == match)
    for seat, player in connection.execute(sitters).all():
        if seat in won:
            row = {"match": match, "round": scored.round, "player": player}
            put(connection, ledger.points, **row, xo=XO_POINTS)


def _end(connection: sa.Connection, event: Event, ended: MatchEnded) -> None:
    """The match is in the record of each who took part: who sits now, and who left it."""
    match = event.match
    totals = _json(ended.totals)
    _set(
        connection,
        match,
        status="ended",
        ended=event.time,
        winner=ended.winner,
        totals=totals,
    )
    game = connection.execute(sa.select(matches.c.game).where(matches.c.match == match)).scalar()
    sitting = sa.select(seats.c.player, seats.c.seat).where(seats.c.match == match)
    seat_of = dict(connection.execute(sitting).all())
    dealt = sa.select(members.c.player).where(members.c.match == match, members.c.dealt)
    for player in connection.execute(dealt).scalars().all():
        seat = seat_of.get(player)
        row = {"player": player, "match": match, "game": game, "left": seat is None}
        put(connection, ledger.records, **row, won=seat is not None and _won(ended, seat))


def _won(ended: MatchEnded, seat: Seat) -> bool:
    """Totals are of each seat, or of two sides: then seats opposite are one."""
    return seat % len(ended.totals) == ended.winner


# ----------------------------------------------------------------------------------------------


def _sits(match: MatchId, seat: Seat) -> sa.ColumnElement[bool]:
    return (seats.c.match == match) & (seats.c.seat == seat)


def _set(connection: sa.Connection, match: MatchId, **values: object) -> None:
    connection.execute(sa.update(matches).where(matches.c.match == match).values(**values))


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
