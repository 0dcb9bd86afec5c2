"""One event made again: what must stand at a place of a match, by the rules alone.

Where something is due (a consequence, or a move of the house after time was up) it is made without
a look at what stands there. Where the match waits for somebody, what he did is taken back to what
he said, and said again: the rules refuse it or make the fact anew. So of all that is stored only
players' choices, the clock and what operators did are believed.
"""

from typing import Final, get_args

from msgspec import Struct
from msgspec.structs import asdict, replace

from schemas.cards import Card
from schemas.events import (
    Body,
    CardsShuffled,
    ControlChanged,
    MatchAbandoned,
    MatchEnded,
    MatchOpened,
    RoundRevealed,
    SeatDrawn,
    TurnTimedOut,
    tag_of,
)
from schemas.ids import Hex32, Round, Seat
from services.replay.actions import Said, action_of, is_sound, opening_of, refuse_again
from services.rules import match as rules
from services.rules import opening, overtime, sight
from services.rules.chance import SHUFFLE
from services.rules.decider import Chance, Fact
from services.rules.history import author_of
from services.rules.match import MatchState
from services.rules.moves import DECISIONS, MID_TURN

SAID: Final = frozenset(get_args(Said))
"""The kinds of facts that answer a command."""


class Unlawful(Exception):
    """What stands here cannot: the reason names no card."""


class Point(Struct, frozen=True, kw_only=True):
    """A place in a match. `expired`: the house owes this seat's first move; `ending`: the house has
    begun to end this seat's turn, and goes on while it lasts.
    """

    state: MatchState | None = None
    expired: Seat | None = None
    ending: Seat | None = None


class RecordedChance(Struct, frozen=True):
    """`services.rules.decider.Chance` as it is told by the very fact that is to be made again: for
    luck whose seed is not known yet. Where the fact tells nothing of the kind, it is empty.
    """

    fact: Fact

    def order(self, _round: Round, _label: str, items: tuple[Card, ...]) -> tuple[Card, ...]:
        pack = self.fact.pack
        return pack if pack is not None and sorted(pack) == sorted(items) else ()

    def seat(self, _round: Round, _label: str, seats: int) -> Seat:
        body = self.fact.body
        return body.seat if isinstance(body, SeatDrawn) and body.seat < seats else 0

    def seal(self, _round: Round) -> Hex32:
        return self.fact.body.seal if isinstance(self.fact.body, CardsShuffled) else ""

    def seed(self, _round: Round) -> Hex32:
        return self.fact.body.seed if isinstance(self.fact.body, RoundRevealed) else ""

    def secret(self) -> Hex32:
        body = self.fact.body
        return body.secret if isinstance(body, (MatchEnded, MatchAbandoned)) else ""


def advance(at: Point, fact: Fact) -> Point:
    """The place after `fact`; raises whatever the rules raise where they cannot take it."""
    after = rules.evolve(at.state, fact)
    if isinstance(fact.body, TurnTimedOut):
        return Point(state=after, expired=fact.seat)
    if at.expired is not None or _by_house(at, fact):
        goes_on = type(fact.body) in MID_TURN
        return Point(state=after, ending=fact.seat if goes_on else None)
    followed = fact.origin in ("rule", "chance") and type(fact.body) not in SAID
    return Point(state=after, ending=at.ending if followed else None)


def _by_house(at: Point, fact: Fact) -> bool:
    """True for a further move of the house in a turn that it ends."""
    goes_on = at.ending is not None and fact.seat == at.ending
    return goes_on and fact.origin == "rule" and type(fact.body) in DECISIONS


def due(at: Point, chance: Chance) -> Fact | None:
    """The fact that must come next; None where the match waits for somebody."""
    state = at.state
    if state is None:
        return None
    if at.expired is not None:
        return overtime.house_moved(state, at.expired)
    follows = rules.consequence(state, chance)
    if follows is None and at.ending is not None and sight.turn(state) == at.ending:
        return overtime.house_moved(state, at.ending)
    return follows


def check(at: Point, fact: Fact, chance: Chance, *, hidden: bool = False) -> bool:
    """Raises `Unlawful` unless `fact` is what must, or what may, stand here; if the pack of a
    shuffle is `hidden`, for all but its order. True if it must: it is part of what was before.
    """
    made = due(at, chance)
    must = made is not None
    if made is None:
        made = _opened(fact) if at.state is None else _done(at.state, fact, chance)
    if hidden:
        made = replace(made, pack=None)
    if made != fact:
        raise Unlawful(_difference(made, fact))
    return must


def _opened(fact: Fact) -> Fact:
    body = fact.body
    if not isinstance(body, MatchOpened):
        raise Unlawful("a match is opened once, by its first event")
    if not is_sound(body):
        raise Unlawful("no table is opened like this")
    if body.shuffle != SHUFFLE:
        raise Unlawful(f"its shuffle is {body.shuffle}, and {SHUFFLE} is known here")
    terms = opening.Terms(seal=body.seal, shuffle=body.shuffle, key=body.key, policy=body.policy)
    (step,) = opening.open_match(body.owner, opening_of(body), terms)
    return step.fact


def _done(state: MatchState, fact: Fact, chance: Chance) -> Fact:
    """What was done of free will, done again."""
    body = fact.body
    match body:
        case TurnTimedOut():
            seat = sight.turn(state)
            if seat is None:
                raise Unlawful("time is up for nobody here")
            return overtime.expired(state, seat)
        case ControlChanged():
            return _returned(state, body)
        case MatchAbandoned() if not state.over:
            return rules.abandoned(body.reason, chance)
        case MatchOpened():
            raise Unlawful("a match is opened once, by its first event")
        case _ if isinstance(body, Said) and not state.over:
            return _said_again(state, fact, body, chance)
        case _:
            raise Unlawful(_misplaced(state, body))


def _returned(state: MatchState, body: ControlChanged) -> Fact:
    chair = state.chairs[body.seat]
    if chair.control != "house" or chair.player is None:
        raise Unlawful(f"seat {body.seat} is not to be given back")
    return rules.returned(body.seat)


def _said_again(state: MatchState, fact: Fact, body: Said, chance: Chance) -> Fact:
    voice, action = author_of(state, fact), action_of(body)
    refusal = refuse_again(state, voice, action)
    if refusal is not None:
        raise Unlawful(f"the rules refuse this {tag_of(body)}: {refusal}")
    return rules.act(state, voice, action, chance)


def _misplaced(state: MatchState, body: Body) -> str:
    if state.over:
        return f"{tag_of(body)} after the end of the match"
    return f"no {tag_of(body)} is due here"


def _difference(made: Fact, found: Fact) -> str:
    """In what they differ, by the names of fields: their values may be hidden cards."""
    tag = tag_of(found.body)
    if type(made.body) is not type(found.body):
        return f"{tag_of(made.body)} is due here, not {tag}"
    ours, theirs = asdict(made.body), asdict(found.body)
    names = [name for name in ours if ours[name] != theirs[name]]
    names += [name for name in ("origin", "seat") if getattr(made, name) != getattr(found, name)]
    if made.pack != found.pack:
        names.append("the order of the pack")
    return f"this {tag} is not what the rules make: {', '.join(names)}"
