"""What a seat of Hand can do now, found by the rules' exact search in its own hand."""

from collections.abc import Callable, Iterator
from typing import Final

from schemas.cards import HandCard
from schemas.commands import Discard, Draw, GameAction, LayMelds
from schemas.refusals import Refusal
from schemas.views import HandView
from services.bot.hand.fitting import lay_offs, swaps
from services.cli.join.games.cards import by_suit
from services.rules.hand.ending import after_melds, can_end, holding_seen
from services.rules.hand.search import (
    Candidate,
    Spelled,
    candidates,
    highest,
    lightest,
    pool_of,
    spell,
)
from services.rules.hand.state import low_ace

MELDS: Final = 8
"""Single melds that are offered at most, the dearest first: jokers make hundreds."""

May = Callable[[GameAction], Refusal | None]
"""The rules' word on an action."""


def offers(view: HandView, may: May) -> tuple[GameAction, ...]:
    """Legal moves in the order of the list that is shown: drawing; melds, the best lot of them
    first; lay-offs; swaps; discards, one for each face.
    """
    if view.phase == "draw":
        draws = (Draw(source="stock"), Draw(source="fire"))
        return tuple(one for one in draws if may(one) is None)
    found = _discards(view) if view.phase == "discard_first" else _all(view)
    return tuple(dict.fromkeys(one for one in found if may(one) is None))


def _all(view: HandView) -> Iterator[GameAction]:
    held = holding_seen(view)
    yield from _melds(view)
    yield from lay_offs(held)
    yield from swaps(held)
    yield from _discards(view)


def _melds(view: HandView) -> Iterator[LayMelds]:
    best = _best(view)
    if best is not None:
        yield LayMelds(melds=best)
    single = sorted(candidates(pool_of(view.hand), low_ace(view.options)), key=_dearest)
    if not opened(view):
        single = [one for one in single if one.value >= view.bar]
    for one in single[:MELDS]:
        yield LayMelds(melds=spell((one,), view.hand, first=view.taken))


def _dearest(meld: Candidate) -> tuple[bool, int, tuple[str, ...]]:
    """Melds without a joker first: who has one keeps it for better."""
    return (meld.joker, -meld.held, meld.faces)


def _best(view: HandView) -> Spelled | None:
    """The melds that leave the lowest value in the hand, worth the bar where one must open."""
    held = holding_seen(view)

    def allowed(submitted: Spelled) -> bool:
        return can_end(after_melds(held, submitted))

    bar = 0 if opened(view) else view.bar
    ace = low_ace(view.options)
    return lightest(view.hand, low_ace=ace, bar=bar, allowed=allowed, taken=view.taken)


def opened(view: HandView) -> bool:
    assert view.seat is not None
    return view.opened[view.seat]


def worth(view: HandView) -> int:
    """The most that melds from one's own hand could be worth together."""
    return highest(view.hand, low_ace=low_ace(view.options))


def _discards(view: HandView) -> Iterator[Discard]:
    """One of two copies is enough, but the card just taken is not the one that may be thrown."""
    faces: dict[str, HandCard] = {}
    for card in by_suit(view.hand):
        if faces.get(card[:2]) in (None, view.taken):
            faces[card[:2]] = card
    return (Discard(card=card) for card in faces.values())
