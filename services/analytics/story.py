"""A match cut into its rounds, and who held a seat when it was played."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Final

from msgspec import Struct

from schemas.commands import HandOptions, Options
from schemas.events import CardsShuffled, RoundEnded
from schemas.ids import Seat, Time
from services.analytics.tables import Held
from services.event_log.port import Entry
from services.rules import seats
from services.rules.hand.state import unit_of as hand_unit_of
from services.rules.history import Unfolded
from services.rules.hokm.state import side_of
from services.rules.match import MatchState
from services.rules.moves import DECISIONS

Step = Unfolded[Entry]
"""An event, and the match before and after it."""

EPOCH: Final = datetime(1970, 1, 1)  # noqa: DTZ001 a column of UTC, which its page says


class Round(Struct, frozen=True):
    """A round that was played to its end: its steps from the shuffle on, up to the next one."""

    number: int
    steps: tuple[Step, ...]

    @property
    def decisions(self) -> Iterator[Step]:
        return (step for step in self.steps if is_decision(step))


class Holder(Struct, frozen=True):
    """Who owned a seat, who played it, at which level."""

    player: str | None
    held: Held
    level: str | None


def rounds_of(steps: Iterable[Step]) -> Iterator[Round]:
    """The rounds that have ended, in order."""
    current: list[Step] = []
    for step in steps:
        body = step.event.body
        if isinstance(body, CardsShuffled) and body.label == "deal":
            yield from _ended(current)
            current = []
        current.append(step)
    yield from _ended(current)


def _ended(steps: Sequence[Step]) -> Iterator[Round]:
    bodies = (step.event.body for step in steps)
    ended = next((body for body in bodies if isinstance(body, RoundEnded)), None)
    if ended is not None:
        yield Round(ended.round, tuple(steps))


def is_decision(step: Step) -> bool:
    return type(step.event.body) in DECISIONS


def before(step: Step) -> MatchState:
    """The match before an event that is not its first."""
    assert step.before is not None
    return step.before


def seat_of(step: Step) -> Seat:
    """The seat of a decision."""
    assert step.event.seat is not None
    return step.event.seat


def holder(state: MatchState, seat: Seat) -> Holder:
    """Who held `seat` in `state`."""
    chair = state.chairs[seat]
    if chair.control == "owner":
        return Holder(chair.player, "player", None)
    held: Held = "bot" if chair.plan.filled_by == "house" else "house"
    return Holder(chair.player, held, seats.level(chair))


def unit_of(options: Options, seat: Seat) -> int:
    """The side of `seat`, or the seat itself, as its points are counted."""
    return hand_unit_of(options, seat) if isinstance(options, HandOptions) else side_of(seat)


def utc(time: Time) -> datetime:
    """As it is written in a column: UTC, without saying so."""
    return EPOCH + timedelta(milliseconds=time)


def span(since: Time, until: Time) -> int | None:
    """Milliseconds between, None where the clock was put back."""
    return until - since if until >= since else None
