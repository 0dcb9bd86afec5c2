"""All rows of one match."""

from collections.abc import Mapping
from datetime import date

from msgspec import Struct

from services.analytics.bots import bot_rows
from services.analytics.deals import deal_rows
from services.analytics.matches import match_row
from services.analytics.melds import meld_rows
from services.analytics.plays import play_rows
from services.analytics.rounds import round_row, score_rows
from services.analytics.story import Round, rounds_of
from services.analytics.tables import TABLES, AnyRow
from services.analytics.told import Told
from services.rules.games import game_name
from services.rules.history import unfold

Rows = Mapping[str, tuple[AnyRow, ...]]
"""Rows by table."""


class MatchRows(Struct, frozen=True):
    """A match's rows, and the folders in which they lie."""

    game: str
    day: date
    rows: Rows


def match_rows(told: Told) -> MatchRows:
    """The rows of what may be told of a match. Its stream is sound: it was audited."""
    steps = tuple(unfold(told.entries))
    rounds = tuple(rounds_of(steps))
    row = match_row(told, steps, len(rounds))
    parts: list[Rows] = [{"matches": (row,)}, *map(_round_rows, rounds)]
    rows = {name: tuple(one for part in parts for one in part.get(name, ())) for name in TABLES}
    return MatchRows(game_name(steps[0].after.opened.options), row.opened.date(), rows)


def _round_rows(round_: Round) -> Rows:
    plays = play_rows(round_)
    return {
        "rounds": (round_row(round_, plays),),
        "deals": tuple(deal_rows(round_)),
        "plays": plays,
        "melds": tuple(meld_rows(round_)),
        "scores": tuple(score_rows(round_)),
        "bot_decisions": tuple(bot_rows(round_, plays)),
    }
