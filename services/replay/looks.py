"""What one viewer sees of a match at one of its versions, and what it could tell from that."""

from typing import Any, Literal

from msgspec import Struct

from schemas.cards import Card
from schemas.feed import Sitting
from schemas.views import View
from services.replay import deductions
from services.replay.deductions import Deduced
from services.replay.rebuild import JUDGE, viewer_seat
from services.rules import seats, sight
from services.rules.match import MatchState, game_of

Cards = tuple[Card, ...]
Stage = Literal["lobby", "started", "shuffled", "over"]
"""How far a match without cards is."""


class Look(Struct, frozen=True, kw_only=True):
    """`view` is that of a seat or of anybody, None before the first deal; `hands`: by seat, None
    for one that the viewer may not see. A judge sees every hand and has nothing to deduce.
    `stage` matters before the first deal only; `owner` may start the match.
    """

    viewer: str
    owner: str
    stage: Stage
    sitting: tuple[Sitting, ...]
    view: View | None
    hands: tuple[Cards | None, ...]
    deduced: Deduced | None


def look(viewer: str, state: MatchState) -> Look:
    """What `viewer` sees of `state`; raises `ViewerUnknown`."""
    judge = viewer == JUDGE
    seat = None if judge else viewer_seat(viewer, state)
    view = sight.view(state, seat)
    return Look(
        viewer=viewer,
        owner=state.opened.owner,
        stage=_stage(state),
        sitting=seats.sitting(state.chairs),
        view=view,
        hands=() if view is None else _all_hands(state) if judge else _own_hand(view),
        deduced=None if judge or view is None else deductions.deduced(view),
    )


def _stage(state: MatchState) -> Stage:
    if state.over:
        return "over"
    if not state.started:
        return "lobby"
    return "shuffled" if state.packs else "started"


def _all_hands(state: MatchState) -> tuple[Cards, ...]:
    judge: Any = game_of(state).judge(state.game)
    hands: tuple[Cards, ...] = judge.hands
    return hands


def _own_hand(view: View) -> tuple[Cards | None, ...]:
    """The viewer's hand if it sees it: in Hokm not before trump is named (H10)."""
    return tuple(
        view.hand if seat == view.seat and len(view.hand) == count else None
        for seat, count in enumerate(view.left)
    )
