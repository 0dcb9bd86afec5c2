"""Any match at any version, for any viewer, from its rows alone."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import msgspec
from msgspec import Struct

from schemas.events import (
    END_TAGS,
    Body,
    Event,
    MatchAbandoned,
    MatchEnded,
    MatchOpened,
    decode_event,
)
from schemas.feed import Sitting
from schemas.ids import Hex32, Seat
from services.event_log.port import Row
from services.rules import seats, sight
from services.rules.games import game_name
from services.rules.history import unfold
from services.rules.match import MatchState

JUDGE: Final = "judge"
PUBLIC: Final = "public"
SEATS: Final = ("0", "1", "2", "3")
VIEWERS: Final = (JUDGE, PUBLIC, *(f"seat:{seat}" for seat in SEATS))
"""Whoever may be asked for by word; a match has no more seats than it has."""


class ViewerUnknown(ValueError):
    """Not `judge`, `public` or `seat:N` with a seat of this match."""


class Moment(Struct, frozen=True, kw_only=True):
    """A match at one of its versions, and the event that brought it there."""

    match: str
    version: int
    head: Hex32
    event: Event
    state: MatchState


class Summary(Struct, frozen=True, kw_only=True):
    """A match in one line; `status`: lobby, playing, ended or abandoned. Times in Unix ms.
    `score` is by seat, or where seats play together by side; so is `winner`.
    """

    match: str
    game: str
    ruleset: str
    status: str
    events: int
    rounds: int
    score: tuple[int, ...]
    winner: int | None
    sitting: tuple[Sitting, ...]
    opened: int
    latest: int


def at(rows: Sequence[Row], version: int | None = None) -> Moment:
    """The match after `version` (None: after its last); raises IndexError for one it has not."""
    last = len(rows) if version is None else version
    if not 1 <= last <= len(rows):
        raise IndexError(f"the match has versions 1 to {len(rows)}")
    *_, moment = moments(rows[:last])
    return moment


def moments(rows: Iterable[Row]) -> Iterator[Moment]:
    """The match after each of its versions, in one fold; `rows` are a stream from its first."""
    for seen in unfold(row.entry for row in rows):
        entry = seen.stored
        yield Moment(
            match=entry.stream,
            version=entry.version,
            head=entry.head,
            event=seen.event,
            state=seen.after,
        )


def is_over(rows: Sequence[Row]) -> bool:
    return bool(rows) and rows[-1].entry.type in END_TAGS


def viewer_seat(viewer: str, state: MatchState) -> Seat | None:
    """The seat in `seat:N`, None for `public`; raises `ViewerUnknown`."""
    if viewer == PUBLIC:
        return None
    word, _, number = viewer.partition(":")
    if word != "seat" or number not in SEATS[: len(state.chairs)]:
        raise ViewerUnknown(f"{viewer!r} is not judge, public or seat:N of this match")
    return int(number)


def viewers(rows: Sequence[Row]) -> tuple[str, ...]:
    """Everybody who may be asked for: the judge, the public, each seat; `rows` are not empty."""
    first = decode_event(rows[0].entry.line).body
    assert isinstance(first, MatchOpened), "a stream begins with match_opened"
    return (JUDGE, PUBLIC, *(f"seat:{seat}" for seat in range(len(first.seats))))


def seen_by(viewer: str, state: MatchState) -> object:
    """What `viewer` sees, as plain JSON values; None before the first deal."""
    if viewer == JUDGE:
        return msgspec.to_builtins(sight.judge(state))
    return msgspec.to_builtins(sight.view(state, viewer_seat(viewer, state)))


def summary(rows: Sequence[Row]) -> Summary:
    """The whole of a stream in one line."""
    *_, seen = unfold(row.entry for row in rows)
    state, body = seen.after, seen.event.body
    opened = state.opened
    return Summary(
        match=seen.event.match,
        game=game_name(opened.options),
        ruleset=opened.ruleset,
        status=_status(state, body),
        events=seen.event.version,
        rounds=sum(row.entry.type == "round_scored" for row in rows),
        score=state.totals,
        winner=body.winner if isinstance(body, MatchEnded) else None,
        sitting=seats.sitting(state.chairs),
        opened=decode_event(rows[0].entry.line).time,
        latest=seen.event.time,
    )


def unit_word(state: MatchState) -> str:
    """What points are counted for: a side where seats play together, else a seat."""
    return "side" if len(state.totals) < len(state.chairs) else "seat"


def _status(state: MatchState, body: Body) -> str:
    if isinstance(body, MatchEnded):
        return "ended"
    if isinstance(body, MatchAbandoned):
        return "abandoned"
    return "playing" if state.started else "lobby"
