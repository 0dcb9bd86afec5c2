"""What may be seen of a match: by one seat, by anybody, by an omniscient judge (N28).

A view is built field by field from what its viewer may know; nothing is taken out afterwards.
"""

from collections.abc import Mapping
from typing import Final, Literal

from msgspec import Struct

from schemas.cards import HandCard
from schemas.ids import Seat
from schemas.views import HandView, Meld
from services.rules.hand.play import dealt
from services.rules.hand.score import round_score
from services.rules.hand.state import HandState, Step, must_open

Phase = Literal["discard_first", "draw", "act", "scoring", "match_over"]

_PHASES: Final[Mapping[Step, Phase]] = {
    "discard_first": "discard_first",
    "draw": "draw",
    "act": "act",
    "reshuffle": "draw",
    "end_round": "act",
    "score": "scoring",
    "shuffle": "scoring",
    "deal": "scoring",
    "end_match": "scoring",
    "over": "match_over",
}
"""Only for what has been dealt: before the first deal there is no phase."""


class LastRound(Struct, frozen=True, kw_only=True):
    """The round that ended last; `went_out` is null of a void one; `penalties` by unit."""

    went_out: Seat | None
    hand: bool
    penalties: tuple[int, ...]


class HandJudge(Struct, frozen=True, kw_only=True):
    """What an omniscient judge sees: the keys of tests/cases/README.md, hands by code point."""

    phase: Phase
    round: int
    dealer: Seat
    turn: Seat | None
    hands: tuple[tuple[HandCard, ...], ...]
    opened: tuple[bool, ...]
    bar: int
    melds: tuple[Meld, ...]
    fire: tuple[HandCard, ...]
    stock: int
    reshuffles: int
    must_open: bool
    must_place: tuple[HandCard, ...]
    totals: tuple[int, ...]
    contenders: tuple[int, ...]
    winner: int | None
    last_round: LastRound | None


def hand(state: HandState, seat: Seat) -> tuple[HandCard, ...]:
    """The cards of `seat` in the order it got them."""
    return state.hands[seat]


def view(state: HandState, seat: Seat | None) -> HandView:
    """What `seat` sees, or with None a spectator. Only once dealt."""
    assert dealt(state)
    return HandView(
        options=state.options,
        phase=_PHASES[state.step],
        round=state.round,
        dealer=state.dealer,
        turn=state.turn,
        bar=state.bar,
        opened=state.opened,
        melds=state.melds,
        fire=state.fire,
        tosses=state.tosses,
        stock=len(state.stock),
        reshuffles=state.reshuffles,
        left=tuple(map(len, state.hands)),
        must_open=must_open(state),
        must_place=state.now.must_place,
        taken=state.now.taken,
        drawn=state.now.drawn if seat is not None and seat == state.turn else None,
        totals=state.totals,
        contenders=state.contenders,
        seat=seat,
        hand=() if seat is None else hand(state, seat),
        winner=state.winner,
    )


def judge(state: HandState) -> HandJudge:
    """What an omniscient judge sees. Only once dealt."""
    assert dealt(state)
    return HandJudge(
        phase=_PHASES[state.step],
        round=state.round,
        dealer=state.dealer,
        turn=state.turn,
        hands=tuple(tuple(sorted(cards)) for cards in state.hands),
        opened=state.opened,
        bar=state.bar,
        melds=state.melds,
        fire=state.fire,
        stock=len(state.stock),
        reshuffles=state.reshuffles,
        must_open=must_open(state),
        must_place=state.now.must_place,
        totals=state.totals,
        contenders=state.contenders,
        winner=state.winner,
        last_round=_last_round(state),
    )


def _last_round(state: HandState) -> LastRound | None:
    last = state.last
    if last is None:
        return None
    penalties = round_score(state.options, last).penalties
    return LastRound(went_out=last.went_out, hand=last.hand, penalties=penalties)
