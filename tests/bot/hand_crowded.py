"""Positions of Hand drawn from a seed alone, such as few rounds come to: rich hands, crowded tables
and a next seat whose cards are known.
"""

from collections.abc import Callable, Mapping
from functools import cache
from itertools import combinations
from random import Random
from typing import Final

from msgspec.structs import replace

from schemas.cards import HAND_PACK, HandCard
from schemas.ids import Seat
from schemas.views import Meld, Toss
from services.rules.hand.search import candidates, pool_of, spell
from services.rules.hand.state import HandState, Turn, low_ace
from services.rules.hand.table import with_melds
from services.rules.melds import RUN_RANKS, is_joker, read, value
from tests.rules.hand_play import VARIANTS, position

SEATS: Final = 4
SHOWN: Final = 3
"""The most cards that the next seat is known to hold: what can go down is tried in every order."""
LONGEST: Final = 5
"""Cards in a meld that is looked for; a longer run is two."""
ACE_HIGH: Final[Mapping[str, int]] = {rank: RUN_RANKS.rindex(rank) for rank in RUN_RANKS}
ACE_LOW: Final[Mapping[str, int]] = {rank: RUN_RANKS.index(rank) for rank in RUN_RANKS}

Cards = tuple[HandCard, ...]


def rich(luck: Random, size: int = 15) -> HandState:
    """Seat 0 of four, not open, has to throw: half its cards come from a quarter of the pack."""
    options = luck.choice([each for each in VARIANTS if each.seats == SEATS])
    pack = luck.sample(HAND_PACK, len(HAND_PACK))
    near = [card for card in pack if is_joker(card) or card[0] in luck.sample("23456789TJQK", 4)]
    hand = {*near[: size // 2]}
    hand |= {*[card for card in pack if card not in hand][: size - len(hand)]}
    held = " ".join(luck.sample(sorted(hand), size))
    return position(held, opened=False, fire="", options=options, bar=luck.choice((51, 62)))


def crowded(luck: Random) -> HandState:
    """Seat 0 of four has to throw; the next has opened, and all but one card of it at most is known
    to have come from the fire.
    """
    pack = luck.sample(HAND_PACK, len(HAND_PACK))
    table = _table(luck, pack)
    mine, hidden = _deal(pack, luck.randint(2, 7)), _deal(pack, luck.randint(0, 1))
    shown = _deal(pack, luck.randint(1 - len(hidden), SHOWN))
    others, fire = (_deal(pack, 4), _deal(pack, 5)), _deal(pack, 1)
    tosses = [Toss(seat=0, card=card, taken_by=1) for card in shown]
    return replace(
        position(" ".join(mine)),
        hands=(mine, (*hidden, *shown), *others),
        stock=tuple(pack),
        fire=fire,
        tosses=(*tosses, Toss(seat=3, card=fire[0], taken_by=None)),
        melds=table,
        opened=(luck.random() < 0.3, True, True, True),
        now=Turn(drawn=mine[-1]),
    )


def _table(luck: Random, pack: list[HandCard]) -> tuple[Meld, ...]:
    """One meld to eight, taken out of the pack."""
    melds: tuple[Meld, ...] = ()
    for _ in range(luck.randint(1, 8)):
        some = luck.sample(pack, 40)
        laid = spell((luck.choice(candidates(pool_of(some), 11)),), some)
        melds = with_melds(melds, luck.randrange(1, SEATS), laid)
        for card in laid[0]:
            pack.remove(card)
    return melds


def _deal(pack: list[HandCard], number: int) -> Cards:
    return tuple(pack.pop() for _ in range(number))


# What a hand is worth, by trying everything ---------------------------------------------------


def most_without(state: HandState, seat: Seat) -> Callable[[HandCard | None], int]:
    """The most that disjoint melds of the hand of `seat` are worth together when a card is gone;
    with None the most of all of it. Found by the rules' reading of each three to five cards.
    """
    hand, ace = state.hands[seat], low_ace(state.options)
    found = {
        frozenset(some): worth
        for size in range(3, LONGEST + 1)
        for some in combinations(hand, size)
        if (worth := _worth(some, ace))
    }

    @cache
    def most(left: frozenset[HandCard]) -> int:
        first = min(left, default=None)
        if first is None:
            return 0
        with_it = [some for some in found if first in some and some <= left]
        return max((most(left - {first}), *(found[some] + most(left - some) for some in with_it)))

    return lambda gone: most(frozenset(hand) - {gone})


def _worth(some: Cards, ace: int) -> int:
    """The most that exactly these cards are worth as one meld, 0 if they are none."""
    naturals = [card for card in some if not is_joker(card)]
    jokers = [card for card in some if is_joker(card)]
    if len(jokers) > 1 or (_many(naturals, 0) and _many(naturals, 1)):
        return 0
    shapes = [read(listed) for listed in _listings(naturals, jokers)]
    return max((value(shape, ace) for shape in shapes if shape is not None), default=0)


def _many(naturals: list[HandCard], letter: int) -> bool:
    return len({card[letter] for card in naturals}) > 1


def _listings(naturals: list[HandCard], jokers: list[HandCard]) -> list[Cards]:
    """In the order of a run, the ace low or high, the joker at every place."""
    orders = [sorted(naturals, key=lambda card: places[card[0]]) for places in (ACE_LOW, ACE_HIGH)]
    if not jokers:
        return [tuple(order) for order in orders]
    return [(*order[:at], *jokers, *order[at:]) for order in orders for at in range(len(order) + 1)]
