"""Between stored events and facts: what was said becomes what happened, and by whom."""

from collections.abc import Iterable, Iterator
from typing import Generic, Protocol, TypeVar

from msgspec import Struct

from schemas.cards import Card, decode_pack
from schemas.events import (
    Event,
    MatchAbandoned,
    MatchOpened,
    MatchStarted,
    RoundScored,
    SeatTaken,
    decode_event,
)
from schemas.ids import OPS, SCORING, MatchId, house_voice
from services.rules.decider import Fact
from services.rules.match import MatchState, evolve


class Stored(Protocol):
    """A row of the log, as far as the rules need to know one."""

    @property
    def line(self) -> str: ...
    @property
    def secret(self) -> str | None: ...


S = TypeVar("S", bound=Stored)


class Unfolded(Struct, Generic[S], frozen=True):
    """A stored event seen again: its fact, and the match before and after it."""

    stored: S
    event: Event
    fact: Fact
    before: MatchState | None
    after: MatchState


def unfold(stream: Iterable[S]) -> Iterator[Unfolded[S]]:
    """A whole stream from its first event on, folded one by one."""
    state: MatchState | None = None
    for stored in stream:
        event = decode_event(stored.line)
        pack = decode_pack(stored.secret) if stored.secret is not None else None
        fact = fact_of(event, pack)
        after = evolve(state, fact)
        yield Unfolded(stored, event, fact, state, after)
        state = after


def fact_of(event: Event, pack: tuple[Card, ...] | None) -> Fact:
    """The fact in a stored event and its row's secret."""
    return Fact(body=event.body, origin=event.origin, seat=event.seat, pack=pack)


def event_of(fact: Fact, match: MatchId, version: int, time: int) -> Event:
    """`fact` numbered and dated; its pack does not go into the line."""
    return Event(
        match=match, version=version, time=time, origin=fact.origin, seat=fact.seat, body=fact.body
    )


def author_of(before: MatchState | None, fact: Fact) -> str:
    """The voice whose command made `fact`, given the match before it.

    The line holds no voice: it follows from the seat and who held it, since an owner who speaks
    is given back his seat first.
    """
    match fact.body:
        case MatchOpened(owner=owner):
            return owner
        case SeatTaken(player=player):
            return player
        case RoundScored():
            return SCORING
        case MatchAbandoned():
            return OPS
        case _:
            assert before is not None
            return _seated_author(before, fact)


def _seated_author(before: MatchState, fact: Fact) -> str:
    if isinstance(fact.body, MatchStarted) or fact.seat is None:
        return before.opened.owner
    chair = before.chairs[fact.seat]
    if chair.control == "owner" and chair.player is not None:
        return chair.player
    return house_voice(fact.seat)
