"""What each match waits for and until when: the table's clocks (H24; architecture, Alarms).

A wait lasts until what it waits for has happened. Nothing that is refused touches it, nor who comes
or goes at other seats; when the seat on turn changes hands it keeps its end.
"""

from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from services.messaging.permissions import COMMAND_LINE_PLAYER
from services.rules import sight
from services.rules.match import MatchState

PACE: Final = 0.8
"""Seconds before the house moves where people sit: an instant answer shows that there was no
choice. Half of them pass before a bot is asked; the other half it holds its answer, so that the
time does not show how much there was to think about either.
"""
LOBBY: Final = 1_800.0
"""Seconds until a match that nobody starts is abandoned."""
BOT_PATIENCE: Final = 2.0
"""Seconds until a bot that has not answered is asked again."""
SCORE_PATIENCE: Final = 5.0
"""Seconds until a round's end that was not scored is published again."""
SCORE_ALARM: Final = 60.0
"""Seconds until an unscored round is an alarm for the operator."""
GRACE: Final = 10.0
"""The least seconds that a seat has after its match was taken over."""

Kind = Literal["lobby", "owner", "house", "score"]


class Wait(Struct, frozen=True, kw_only=True):
    """`began` is the beginning of the turn that it is a part of, `due` ends it, `next` is when to
    do something about it; seconds of `Clock.ticks`. `number` and `turn` are the match's `waits`
    and `turns`. `asked` is false while a bot is not to be asked yet.
    """

    kind: Kind
    number: int
    turn: int
    began: float
    due: float
    next: float
    tries: int = 0
    asked: bool = True


def wait_for(state: MatchState, now: float, old: Wait | None, *, pace: float = 0.0) -> Wait | None:
    """What the match waits for at `now`; a wait for the same decision goes on as it was.

    `pace`: seconds before a bot moves, but at a table of the command line where nobody sits.
    """
    kind = _kind(state)
    if kind is None:
        return None
    if old is not None and old.number == state.waits:
        return old if old.kind == kind else replace(old, kind=kind, next=_first(kind, now, old.due))
    wait = _begin(kind, state, now)
    if old is not None and old.turn == state.turns:
        wait = _within_turn(wait, old, now)
    held = holds(state, pace)
    if kind != "house" or not held:
        return wait
    return replace(wait, next=min(wait.due, now + held), asked=False)


def holds(state: MatchState, pace: float) -> float:
    """Seconds that pass before a bot is asked, and as many that it holds its answer."""
    return 0.0 if _among_themselves(state) else pace / 2


def _among_themselves(state: MatchState) -> bool:
    """True for bots whom the command line set to play. Those at a table of a player's are slow
    though nobody sits: a few such tables would take all that the service can do, and fill its log.
    """
    people = any(chair.player is not None for chair in state.chairs)
    return not people and state.opened.owner == COMMAND_LINE_PLAYER


def _kind(state: MatchState) -> Kind | None:
    if state.over:
        return None
    if not state.started:
        return "lobby"
    if state.ended is not None:
        return "score"
    seat = sight.turn(state)
    assert seat is not None, "a match in play waits for a seat"
    return state.chairs[seat].control


def _begin(kind: Kind, state: MatchState, now: float) -> Wait:
    length = {"lobby": LOBBY, "score": SCORE_ALARM}.get(kind) or sight.clock(state)
    due = now + length
    return Wait(
        kind=kind,
        number=state.waits,
        turn=state.turns,
        began=now,
        due=due,
        next=_first(kind, now, due),
    )


def _within_turn(wait: Wait, old: Wait, now: float) -> Wait:
    """The turn of `old` goes on: the clock is for all of it, and a duty makes it longer (N50)."""
    due = max(old.due, wait.due - (wait.began - old.began))
    return replace(wait, began=old.began, due=due, next=_first(wait.kind, now, due))


def _first(kind: Kind, now: float, due: float) -> float:
    patience = {"house": BOT_PATIENCE, "score": SCORE_PATIENCE}.get(kind)
    return due if patience is None else min(due, now + patience)


def taken_over(wait: Wait, now: float) -> Wait:
    """A match that changed its owner gives its seat some time more."""
    due = max(wait.due, now + GRACE)
    return replace(wait, due=due, next=_first(wait.kind, now, due))


def tried(wait: Wait, now: float) -> Wait:
    """After one more try to get an answer."""
    if wait.kind == "score" and now >= wait.due:
        wait = replace(wait, due=now + SCORE_ALARM)
    again = _first(wait.kind, now, wait.due)
    return replace(
        wait, next=again if again > now else now + BOT_PATIENCE, tries=wait.tries + 1, asked=True
    )
