"""What a bot decided, beside what its view offered."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from schemas.views import HandView, HokmView
from services.analytics.story import Round, Step, before, seat_of
from services.analytics.tables import BotRow, PlayRow
from services.rules import sight


def bot_rows(round_: Round, plays: Sequence[PlayRow]) -> Iterator[BotRow]:
    """`plays` are the rows of the round's decisions, one for each."""
    by_version = {row.version: row for row in plays}
    for step in round_.decisions:
        row = by_version[step.event.version]
        if row.held != "player" and not row.timed_out:
            yield _row(step, row)


def _row(step: Step, row: PlayRow) -> BotRow:
    assert row.level is not None, "the house plays at a level"
    return BotRow(
        match=row.match,
        round=row.round,
        version=row.version,
        move=before(step).move,
        time=row.time,
        think_ms=row.think_ms,
        seat=row.seat,
        held=row.held,
        level=row.level,
        policy=before(step).opened.policy,
        action=row.action,
        card=row.card,
        **_offered(step),
    )


def _offered(step: Step) -> Mapping[str, Any]:
    """What the view said, by column."""
    seat = seat_of(step)
    view = sight.view(before(step), seat)
    assert view is not None, "a seat on turn has been dealt cards"
    offered = _of_hokm(view) if isinstance(view, HokmView) else _of_hand(view, seat)
    return {"phase": view.phase, "cards": len(view.hand), **offered}


def _of_hokm(view: HokmView) -> Mapping[str, Any]:
    return {
        "playable": view.playable if view.phase == "playing" else None,
        "trick": tuple(play.card for play in view.trick),
        "fire": None,
        "stock": None,
        "melds": None,
        "bar": None,
        "opened": None,
    }


def _of_hand(view: HandView, seat: int) -> Mapping[str, Any]:
    return {
        "playable": None,
        "trick": None,
        "fire": view.fire[-1] if view.fire else None,
        "stock": view.stock,
        "melds": len(view.melds),
        "bar": view.bar,
        "opened": view.opened[seat],
    }
