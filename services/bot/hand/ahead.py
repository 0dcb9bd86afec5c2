"""What the seat will see once it has done what it means to do: its own turn, as far as it can be
known beforehand. Another's cards are in no view, so none are in what follows from one.
"""

from msgspec.structs import replace

from schemas.cards import HandCard
from schemas.commands import Discard, Draw, GameAction, LayMelds, LayOff, SwapJoker
from schemas.ids import Seat
from schemas.views import HandView
from services.rules.hand.ending import (
    Holding,
    after_lay_off,
    after_melds,
    after_swap,
    holding_seen,
)
from services.rules.hand.laying import bar_after, end_of, opened_with, worth_of
from services.rules.hand.table import shape_of


def after(view: HandView, action: GameAction) -> HandView | None:
    """The view of the seat on turn after its `action`, which must be legal; None where its turn is
    over then, and after a draw from the stock, whose card nobody knows.
    """
    match action:
        case Draw(source="fire"):
            return _with_fire(view)
        case LayMelds(melds=melds):
            left = after_melds(holding_seen(view), melds)
            return _going_on(_opened(view, melds), left)
        case LayOff():
            return _going_on(view, _laid_off(view, action))
        case SwapJoker(meld=meld, card=card):
            return _going_on(view, after_swap(holding_seen(view), meld, card))
        case _:
            assert isinstance(action, Draw | Discard)
            return None


def _with_fire(view: HandView) -> HandView:
    seat, card = _on_turn(view), view.fire[-1]
    taken = replace(view.tosses[-1], taken_by=seat)
    return replace(
        view,
        phase="act",
        fire=view.fire[:-1],
        tosses=(*view.tosses[:-1], taken),
        hand=(*view.hand, card),
        left=_with_left(view, len(view.hand) + 1),
        taken=card,
        must_open=not view.opened[seat],
    )


def _laid_off(view: HandView, action: LayOff) -> Holding:
    end = end_of(shape_of(view.melds[action.meld - 1]), action)
    return after_lay_off(holding_seen(view), action.meld, action.card, end)


def _opened(view: HandView, melds: tuple[tuple[HandCard, ...], ...]) -> HandView:
    """The seat has opened, if it had not before."""
    seat, options = _on_turn(view), view.options
    if view.opened[seat]:
        return view
    worth = worth_of(options, melds)
    assert worth is not None, "a legal submission is of melds"
    return replace(
        view,
        opened=opened_with(options, view.opened, seat),
        bar=bar_after(options, view.bar, worth),
        must_open=False,
    )


def _going_on(view: HandView, held: Holding) -> HandView | None:
    """The same turn with less in the hand; an empty one ends the round (N25)."""
    if not held.hand:
        return None
    return replace(
        view,
        hand=held.hand,
        melds=held.melds,
        must_place=held.must_place,
        left=_with_left(view, len(held.hand)),
    )


def _with_left(view: HandView, mine: int) -> tuple[int, ...]:
    seat = _on_turn(view)
    return (*view.left[:seat], mine, *view.left[seat + 1 :])


def _on_turn(view: HandView) -> Seat:
    assert view.seat is not None
    return view.seat
