"""One event into the projections: points (H22), records, the lists of tables.

The rules of points and records are said in docs/standings.md and in `services.scoring.terms`.
"""

from collections.abc import Mapping
from typing import Final

import msgspec
import sqlalchemy as sa

from schemas.commands import SeatPlan
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
from services.rules.games import GAMES, game_name
from services.rules.hokm.masks import gives_xo
from services.scoring import ledger
from services.scoring.ledger import matches, members, put, put_new, sat, seats
from services.scoring.terms import XO_POINTS

_plan: Final = msgspec.json.Decoder(tuple[SeatPlan, ...])

# Made once, for making a statement takes longer than running it. `of` is the match.
_OF: Final[sa.BindParameter[str]] = sa.bindparam("of")
_MATCH: Final = sa.select(matches).where(matches.c.match == _OF)
_UPDATE: Final = sa.update(matches).where(matches.c.match == _OF)
_SEATS: Final = sa.select(seats).where(seats.c.match == _OF)
_DEALT: Final = sa.select(members.c.player).where(members.c.match == _OF, members.c.dealt)
_SITTERS: Final = sa.select(sat).where(sat.c.match == _OF)
_FORGET_SITTERS: Final = sa.delete(sat).where(sat.c.match == _OF)
_REMEMBER_SITTERS: Final = sa.insert(sat).from_select(["match", "seat", "player"], _SEATS)
_ARE_DEALT: Final = (
    sa.update(members)
    .where(
        members.c.match == _OF,
        members.c.player.in_(sa.select(seats.c.player).where(seats.c.match == _OF)),
    )
    .values(dealt=True)
)


def apply(connection: sa.Connection, event: Event) -> tuple[str, ...]:
    """What the event changes; most change nothing. Gives the players who earned points by it:
    `tally` them in the same transaction.
    """
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
            return _score(connection, event.match, scored)
        case MatchEnded() as ended:
            _end(connection, event, ended)
        case MatchAbandoned():
            _set(connection, event.match, status="abandoned", ended=event.time)
            connection.execute(_FORGET_SITTERS, {"of": event.match})
        case _:
            pass
    return ()


def tally(connection: sa.Connection, rounds: Mapping[str, int]) -> None:
    """Add the rounds that players earned points by. At the end of a page and sorted, for others
    may add to the same players at the same time, and shall not wait for each other in a ring.
    """
    for player, number in sorted(rounds.items()):
        ledger.add(connection, ledger.tallies, player=player, xo=number * XO_POINTS, rounds=number)


# Who sits where -------------------------------------------------------------------------------


def _open(connection: sa.Connection, event: Event, opened: MatchOpened) -> None:
    put(
        connection,
        matches,
        match=event.match,
        game=game_name(opened.options),
        ruleset=opened.ruleset,
        masked=gives_xo(opened),
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


def _take_seat(connection: sa.Connection, match: MatchId, taken: SeatTaken) -> None:
    put(connection, seats, match=match, seat=taken.seat, player=taken.player)
    running = connection.execute(_MATCH, {"of": match}).one().status == "playing"
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
    plan = _plan.decode(connection.execute(_MATCH, {"of": match}).one().plan)
    taken = {row.seat for row in connection.execute(_SEATS, {"of": match})}
    free = {one.seat for one in plan if one.filled_by == "anyone"} - taken
    _set(connection, match, free=len(free))


def _start(connection: sa.Connection, event: Event) -> None:
    _set(connection, event.match, status="playing", started=event.time)
    connection.execute(_ARE_DEALT, {"of": event.match})


# Rounds and ends ------------------------------------------------------------------------------


def _remember_sitters(connection: sa.Connection, match: MatchId) -> None:
    """Who sits at the end of a round has earned it, also if he leaves before it is scored."""
    connection.execute(_FORGET_SITTERS, {"of": match})
    connection.execute(_REMEMBER_SITTERS, {"of": match})


def _score(connection: sa.Connection, match: MatchId, scored: RoundScored) -> tuple[str, ...]:
    """Who earned points by it, each counted once for match, round and player."""
    _set(connection, match, rounds=scored.round, totals=_json(scored.totals))
    table = connection.execute(_MATCH, {"of": match}).one()
    if not table.masked:
        return ()
    won = GAMES[table.ruleset].round_winners(scored.score)
    sitting = connection.execute(_SITTERS, {"of": match}).all()
    earned = (row.player for row in sitting if row.seat in won)
    key = {"match": match, "round": scored.round, "xo": XO_POINTS}
    return tuple(
        player for player in earned if put_new(connection, ledger.points, player=player, **key)
    )


def _end(connection: sa.Connection, event: Event, ended: MatchEnded) -> None:
    """The match is in the record of each who took part: who sits now, and who left it."""
    match = event.match
    changes = {"winner": ended.winner, "totals": _json(ended.totals)}
    _set(connection, match, status="ended", ended=event.time, **changes)
    game = connection.execute(_MATCH, {"of": match}).one().game
    seat_of = {row.player: row.seat for row in connection.execute(_SEATS, {"of": match})}
    for player in connection.execute(_DEALT, {"of": match}).scalars().all():
        seat = seat_of.get(player)
        row = {"player": player, "match": match, "game": game, "left": seat is None}
        put(connection, ledger.records, **row, won=seat is not None and _won(ended, seat))
    connection.execute(_FORGET_SITTERS, {"of": match})


def _won(ended: MatchEnded, seat: Seat) -> bool:
    """Totals are of each seat, or of two sides: then seats opposite are one."""
    return seat % len(ended.totals) == ended.winner


# ----------------------------------------------------------------------------------------------


def _sits(match: MatchId, seat: Seat) -> sa.ColumnElement[bool]:
    return (seats.c.match == match) & (seats.c.seat == seat)


def _set(connection: sa.Connection, match: MatchId, **values: object) -> None:
    connection.execute(_UPDATE, {"of": match, **values})


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
