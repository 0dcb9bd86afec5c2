"""What a card in the hand is good for: the cards still to come that would make a meld of it."""

from collections.abc import Iterator
from typing import Final

from schemas.cards import SUITS, HandCard
from services.bot.hand.reading import Reading, live
from services.rules.melds import LAST_PLACE, REACH, RUN_RANKS, VALUE_OF, is_joker, places

DEAR: Final = 0.05
"""What each point of a card adds to the worth of its outs: dear melds reach the bar."""


def outs(reading: Reading, card: HandCard) -> float:
    """The live cards that make a meld of `card` and one more of the hand, an out of each such pair,
    worth more for a dearer card. A joker is not asked about.
    """
    faces = {held[:2] for held in reading.held.hand if not is_joker(held)}
    found = (*_of_sets(card, faces), *_of_runs(card, faces))
    return sum(live(reading, face) for face in found) * (1 + DEAR * VALUE_OF[card[0]])


def _of_sets(card: HandCard, faces: set[str]) -> Iterator[str]:
    rank = [card[0] + suit for suit in SUITS]
    if sum(face in faces for face in rank) > 1:
        yield from (face for face in rank if face not in faces)


def _of_runs(card: HandCard, faces: set[str]) -> Iterator[str]:
    for place in places(card):
        for other in range(max(0, place - REACH), min(LAST_PLACE, place + REACH) + 1):
            if other != place and RUN_RANKS[other] + card[1] in faces:
                low, high = sorted((place, other))
                joining = (low + 1,) if high - low == REACH else (low - 1, high + 1)
                yield from (RUN_RANKS[p] + card[1] for p in joining if 0 <= p <= LAST_PLACE)
