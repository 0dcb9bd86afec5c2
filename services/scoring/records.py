"""What a player has: XO points, and matches played, won and left, by game."""

from typing import Final

import sqlalchemy as sa
from msgspec import Struct

from schemas.ids import PlayerId
from services.scoring.ledger import records, tallies

TOP: Final = 1_000
"""The most players of one list."""


class Standing(Struct, frozen=True):
    """A player's XO points and the rounds they come from."""

    player: str
    xo: int
    rounds: int


class Record(Struct, frozen=True, kw_only=True):
    """A player's matches of one game; what is neither won nor left is lost."""

    game: str
    played: int
    won: int
    left: int


class PlayerStanding(Struct, frozen=True, kw_only=True):
    """All that is counted of one player; `records` has the games that he played."""

    player: str
    xo: int
    rounds: int
    records: tuple[Record, ...]


def top_of(connection: sa.Connection, most: int) -> tuple[Standing, ...]:
    """The players with the most XO points, the best first."""
    query = (
        sa.select(tallies)
        .order_by(tallies.c.xo.desc(), tallies.c.player)
        .limit(max(0, min(most, TOP)))
    )
    return tuple(Standing(row.player, row.xo, row.rounds) for row in connection.execute(query))


def standing_of(connection: sa.Connection, player: PlayerId) -> PlayerStanding:
    """What is counted of `player`, nothing being as good as unknown."""
    query = sa.select(tallies).where(tallies.c.player == player)
    row = connection.execute(query).first()
    return PlayerStanding(
        player=player,
        xo=row.xo if row else 0,
        rounds=row.rounds if row else 0,
        records=_records(connection, player),
    )


def _records(connection: sa.Connection, player: PlayerId) -> tuple[Record, ...]:
    def counted(column: sa.Column[bool]) -> sa.ColumnElement[int]:
        return sa.func.sum(sa.case((column, 1), else_=0))

    query = (
        sa.select(records.c.game, sa.func.count(), counted(records.c.won), counted(records.c.left))
        .where(records.c.player == player)
        .group_by(records.c.game)
        .order_by(records.c.game.desc())
    )
    return tuple(
        Record(game=game, played=played, won=int(won), left=int(left))
        for game, played, won, left in connection.execute(query)
    )
