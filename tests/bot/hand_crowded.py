"""Positions of Hand drawn from a seed alone, such as few rounds come to: rich hands, crowded tables
and a next seat whose cards are known.
"""

from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import Final

from msgspec.structs import replace

from schemas.cards import HAND_PACK, HandCard
from schemas.views import Meld, Toss
from services.rules.hand.search import candidates, pool_of, spell
from services.rules.hand.state import HandState, Turn, low_ace
from services.rules.hand.table import with_melds
from tests.rules.hand_brute import ACES, faces, families, rich_hand
from tests.rules.hand_play import VARIANTS, position

SEATS: Final = 4
SHOWN: Final = 3
"""The most cards that the next seat is known to hold: what can go down is tried in every order."""
Cards = tuple[HandCard, ...]


def rich(luck: Random) -> HandState:
    """Seat 0 of four, not open, has to throw one of fifteen cards that make many melds."""
    options = luck.choice([each for each in VARIANTS if each.seats == SEATS])
    held = " ".join(luck.sample(hand := rich_hand(luck), len(hand)))
    return position(held, opened=False, fire="", options=options, bar=luck.choice((51, 62, 80)))


def most(hand: Cards, state: HandState) -> int:
    """The most that melds of `hand` are worth together, by counting every way to lay them."""
    at = ACES.index(low_ace(state.options))
    return max(sum(meld.values[at] for meld in way) for way in families(hand))


def most_left(state: HandState) -> Mapping[HandCard, int]:
    """By card of seat 0, the most that its melds are worth once that card is thrown: of the ways to
    lay them those that leave one of its face in the hand.
    """
    hand, at = state.hands[0], ACES.index(low_ace(state.options))
    found: Counter[str] = Counter()
    for way in families(hand):
        worth = sum(meld.values[at] for meld in way)
        left = faces(hand) - Counter(face for meld in way for face in meld.faces)
        found |= Counter(dict.fromkeys(left, worth))
    return {gone: found[gone[:2]] for gone in hand}


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
