"""A level's own chance: from match, seat and move only, so that a decision can be run again."""

from random import Random

from schemas.views import BotTurn


def luck_of(turn: BotTurn) -> Random:
    """The chance of this one decision; the same for the same turn wherever it is asked."""
    seed = f"{turn.match} {turn.seat} {turn.move}"
    return Random(seed)  # noqa: S311 - a beginner's whims; no card is shuffled here
