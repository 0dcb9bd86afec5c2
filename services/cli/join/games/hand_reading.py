"""What a line means in Hand: `draw`, `fire`, `lay 5H 6H 7H / QS QD QC`, `off 3 4H low`, `swap 2
KD`, `drop JC2`, or a card alone, which is thrown.

A card may be typed without its copy: of two copies in the hand the one that must go down before
its twin is laid, and the one that may be thrown is thrown; else they make no difference.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from schemas.cards import HandCard
from schemas.commands import Discard, Draw, LayMelds, LayOff, SwapJoker
from schemas.views import HandView
from services.cli.join.client import well_typed
from services.cli.join.games.cards import JOKER, typed_card
from services.cli.join.games.trouble import Read, Trouble
from services.cli.join.speech import Speech
from services.rules.hand.search import candidates, pool_of, spell
from services.rules.hand.state import low_ace
from services.rules.hand.table import meld_at, shape_of
from services.rules.melds import End, ends_for, frees_joker, jokers_in
from services.rules.melds import read as read_meld

BETWEEN: Final = "/"
"""Stands between two melds of one submission."""
MOST_MELDS: Final = 5
ENDS: Final[tuple[End, ...]] = ("low", "high")
FULL: Final = 3
"""The letters of a card with its copy."""


def read(speech: Speech, view: HandView, line: str) -> Read:
    """What `line` means on `view`, the view of the seat on turn."""
    first, _, rest = line.partition(" ")
    verb, words = speech.meaning(first), rest.replace(",", f" {BETWEEN} ").split()
    if typed_card(first) is not None:
        verb, words = "drop", line.split()
    reader = READERS.get(verb)
    if reader is None:
        return Trouble("no_word", {"word": first})
    said = reader(view, [speech.meaning(word) for word in words])
    return said if isinstance(said, Trouble) or well_typed(said) else Trouble("too_much")


def _draw(_view: HandView, words: list[str]) -> Read:
    if words and words[0] == "fire":
        return Draw(source="fire")
    return Draw(source="stock")


def _fire(_view: HandView, _words: list[str]) -> Read:
    return Draw(source="fire")


def _drop(view: HandView, words: list[str]) -> Read:
    if len(words) != 1:
        return Trouble("say_drop")
    card = typed_card(words[0])
    if card is None:
        return Trouble("no_card", {"word": words[0]})
    kept = (*view.must_place, view.taken)
    return Discard(card=_pick(card, sorted(view.hand, key=lambda one: one in kept)))


# New melds ------------------------------------------------------------------------------------


def _lay(view: HandView, words: list[str]) -> Read:
    """Each meld in any order of its cards: they are put in the order that makes a meld."""
    if not any(word != BETWEEN for word in words):
        return Trouble("say_lay")
    left, melds = _urgent_first(view), []
    for typed in _between(words):
        cards: list[HandCard] = []
        for word in typed:
            card = typed_card(word)
            if card is None:
                return Trouble("no_card", {"word": word})
            cards.append(_pick(card, left))
            left = [one for one in left if one != cards[-1]]
        melds.append(arranged(cards, low_ace(view.options)))
    return LayMelds(melds=tuple(melds)) if len(melds) <= MOST_MELDS else Trouble("too_much")


def _between(words: list[str]) -> Iterator[list[str]]:
    """The words between the strokes."""
    parts = " ".join(words).split(BETWEEN)
    return (part.split() for part in parts if part.strip())


def arranged(cards: Sequence[HandCard], ace: int) -> tuple[HandCard, ...]:
    """`cards` as a meld lists them (N11), the joker where it is worth most unless they were typed
    as a meld; as they are where they make none.
    """
    if read_meld(cards) is not None or jokers_in(cards) > 1:
        return tuple(cards)
    pool = pool_of(cards) if len(set(cards)) == len(cards) else None
    found = [] if pool is None else candidates(pool, ace)
    whole = [one for one in found if len(one.faces) == len(cards)]
    if not whole:
        return tuple(cards)
    best = max(whole, key=lambda one: (one.value, one.faces))
    return spell((best,), cards)[0]


def _urgent_first(view: HandView) -> list[HandCard]:
    """One's hand, of two copies first the one that must go down."""
    urgent = (*view.must_place, view.taken)
    return sorted(view.hand, key=lambda card: card not in urgent)


def _pick(typed: HandCard, hand: Sequence[HandCard]) -> HandCard:
    """The first card of `hand` that `typed` may mean; its first copy where there is none, which
    the rules refuse.
    """
    if len(typed) == FULL:
        return typed
    return next((card for card in hand if card.startswith(typed)), typed + "1")


# On melds of the table ------------------------------------------------------------------------


def _off(view: HandView, words: list[str]) -> Read:
    ends = [end for end in ENDS if end in words]
    place = _place(view, [word for word in words if word not in ENDS], "say_off", _fits)
    if isinstance(place, Trouble):
        return place
    return LayOff(meld=place[0], card=place[1], end=ends[0] if ends else None)


def _swap(view: HandView, words: list[str]) -> Read:
    place = _place(view, words, "say_swap", _frees)
    return place if isinstance(place, Trouble) else SwapJoker(meld=place[0], card=place[1])


Fits = Callable[[HandView, int, HandCard], bool]


def _place(
    view: HandView, words: list[str], how: str, fits: Fits
) -> tuple[int, HandCard] | Trouble:
    """The meld and the card of `words`, in either order; without a meld the only one where the
    card fits.
    """
    numbers = [word for word in words if word.isdecimal() and len(word) < FULL and int(word)]
    others = [word for word in words if word not in numbers]
    if len(others) != 1 or len(numbers) > 1:
        return Trouble(how)
    typed = typed_card(others[0])
    if typed is None:
        return Trouble("no_card", {"word": others[0]})
    card = _pick(typed, _urgent_first(view))
    if numbers:
        return int(numbers[0]), card
    places = [meld.id for meld in view.melds if fits(view, meld.id, card)]
    if len(places) == 1:
        return places[0], card
    return Trouble("which_meld", {"melds": tuple(places)}) if places else Trouble(how)


def _fits(view: HandView, meld_id: int, card: HandCard) -> bool:
    meld = meld_at(view.melds, meld_id)
    return meld is not None and bool(ends_for(shape_of(meld), card))


def _frees(view: HandView, meld_id: int, card: HandCard) -> bool:
    meld = meld_at(view.melds, meld_id)
    return meld is not None and not card.startswith(JOKER) and frees_joker(shape_of(meld), card)


READERS: Final[dict[str, Callable[[HandView, list[str]], Read]]] = {
    "draw": _draw,
    "fire": _fire,
    "lay": _lay,
    "off": _off,
    "swap": _swap,
    "drop": _drop,
}
"""By verb; its other words are in `texts/`."""
