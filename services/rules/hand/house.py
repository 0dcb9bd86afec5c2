"""What the house plays for a seat whose time is up, from that seat's view alone (N50).

One call is one move; the house is asked again until the turn is over. This page is the definition
where the rules leave something open: a value in the hand is what the card costs there, a joker's
15 included; a new meld for a freed joker is the first as text; and where only the card taken from
the fire is left, it is laid off (by meld id, high, then low), else swapped for a joker (by id).
"""

from collections.abc import Iterator, Mapping
from typing import Final

from schemas.cards import HandCard
from schemas.commands import Discard, Draw, GameAction, LayMelds, LayOff, SwapJoker
from schemas.views import HandView, View
from services.rules.hand.ending import after_melds, can_end, holding_seen
from services.rules.hand.laying import refuse_lay_off, refuse_swap
from services.rules.hand.search import Spelled, candidates, lightest, pool_of, spellings
from services.rules.hand.state import low_ace
from services.rules.melds import End, held_value, is_joker

_ENDS: Final[Mapping[str, tuple[End | None, ...]]] = {"run": ("high", "low"), "set": (None,)}
"""The ends of a meld in the order in which the house tries them."""


def house_move(view: View) -> GameAction:
    """The house's move for the seat whose view this is; that seat must be on turn."""
    assert isinstance(view, HandView)
    assert view.seat is not None
    assert view.seat == view.turn
    if view.phase == "draw":
        return Draw(source="stock")
    if view.must_open:
        return _opening(view)
    if view.must_place:
        return _placing(view, view.must_place[0])
    if view.taken is not None and view.hand == (view.taken,):
        return _laid(view, view.taken)
    return Discard(card=_thrown(view))


def _opening(view: HandView) -> LayMelds:
    """The opening that leaves the lowest value in the hand; the take was allowed for one."""
    holding = holding_seen(view)

    def allowed(submitted: Spelled) -> bool:
        return can_end(after_melds(holding, submitted))

    best = lightest(
        view.hand,
        low_ace=low_ace(view.options),
        bar=view.bar,
        allowed=allowed,
        taken=view.taken,
    )
    assert best is not None, "the fire card was taken for an opening (N18)"
    return LayMelds(melds=best)


def _placing(view: HandView, joker: HandCard) -> LayOff | LayMelds:
    """The first legal lay-off of a freed joker, else the first legal new meld with it."""
    lay_off = next(_lay_offs(view, joker), None)
    if lay_off is not None:
        return lay_off
    holding = holding_seen(view)
    melds = sorted(_melds_with(joker, view))
    legal = next((meld for meld in melds if can_end(after_melds(holding, meld))), None)
    assert legal is not None, "a joker is freed only where it has a place (N22)"
    return LayMelds(melds=legal)


def _melds_with(joker: HandCard, view: HandView) -> Iterator[Spelled]:
    held = tuple(card for card in view.hand if card == joker or not is_joker(card))
    for meld in candidates(pool_of(held), low_ace(view.options)):
        if meld.joker:
            yield from spellings((meld,), held, view.taken)


def _laid(view: HandView, card: HandCard) -> LayOff | SwapJoker:
    """The first legal lay-off of the taken card, else the first legal swap."""
    lay_off = next(_lay_offs(view, card), None)
    if lay_off is not None:
        return lay_off
    holding = holding_seen(view)
    swaps = (meld for meld in view.melds if refuse_swap(holding, meld, card) is None)
    meld = next(swaps, None)
    assert meld is not None, "the taken card is left alone only where it has a place (N23)"
    return SwapJoker(meld=meld.id, card=card)


def _lay_offs(view: HandView, card: HandCard) -> Iterator[LayOff]:
    holding = holding_seen(view)
    for meld in view.melds:
        for end in _ENDS[meld.kind]:
            action = LayOff(meld=meld.id, card=card, end=end)
            if refuse_lay_off(holding, meld, action) is None:
                yield action


def _thrown(view: HandView) -> HandCard:
    """The card drawn if it is still held, else the dearest that may be thrown."""
    if view.drawn is not None and view.drawn in view.hand:
        return view.drawn
    allowed = (card for card in view.hand if card != view.taken)
    return min(allowed, key=lambda card: (-held_value(card), card))
