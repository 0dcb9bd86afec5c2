"""What may be seen of a match: by one seat, by anybody, by an omniscient judge.

A view is built field by field from what its viewer may know; nothing is taken out afterwards.
"""

from collections.abc import Mapping
from typing import Final, Literal

from msgspec import Struct

from schemas.cards import HokmCard, Suit
from schemas.ids import Seat
from schemas.views import HokmView, Play
from services.rules.hokm.play import dealt, playable
from services.rules.hokm.state import HokmState, Side, Step

Phase = Literal["choosing_trump", "playing", "scoring", "match_over"]

_PHASES: Final[Mapping[Step, Phase]] = {
    "name_trump": "choosing_trump",
    "deal_rest": "playing",
    "play": "playing",
    "take_trick": "playing",
    "end_round": "playing",
    "score": "scoring",
    "shuffle": "scoring",
    "deal": "scoring",
    "end_match": "scoring",
    "over": "match_over",
}
"""Only for what has been dealt: before the first deal there is no phase."""


class HokmJudge(Struct, frozen=True, kw_only=True):
    """What an omniscient judge sees: the keys of tests/cases/README.md, hands by code point."""

    phase: Phase
    round: int
    hakem: Seat
    trump: Suit | None
    turn: Seat | None
    trick: tuple[Play, ...]
    tricks: tuple[int, int]
    score: tuple[int, int]
    hands: tuple[tuple[HokmCard, ...], ...]
    winner: Side | None


def hand(state: HokmState, seat: Seat) -> tuple[HokmCard, ...]:
    """The cards that `seat` may see of its own, in deal order: before trump is named the hakem's
    five alone, or everybody's under `show_five_before_trump` (H10).
    """
    hidden = state.trump is None and seat != state.hakem
    if hidden and not state.options.show_five_before_trump:
        return ()
    return state.hands[seat]


def view(state: HokmState, seat: Seat | None) -> HokmView:
    """What `seat` sees, or with None a spectator. Only once dealt."""
    assert dealt(state)
    first, second, third, fourth = (len(cards) for cards in state.hands)
    return HokmView(
        options=state.options,
        phase=_PHASES[state.step],
        round=state.round,
        hakem=state.hakem,
        trump=state.trump,
        turn=state.turn,
        trick=state.trick,
        earlier=state.earlier,
        tricks=state.tricks,
        score=state.score,
        left=(first, second, third, fourth),
        seat=seat,
        hand=() if seat is None else hand(state, seat),
        playable=() if seat is None else playable(state, seat),
        winner=state.winner,
    )


def judge(state: HokmState) -> HokmJudge:
    """What an omniscient judge sees. Only once dealt."""
    assert dealt(state)
    return HokmJudge(
        phase=_PHASES[state.step],
        round=state.round,
        hakem=state.hakem,
        trump=state.trump,
        turn=state.turn,
        trick=state.trick,
        tricks=state.tricks,
        score=state.score,
        hands=tuple(tuple(sorted(cards)) for cards in state.hands),
        winner=state.winner,
    )
