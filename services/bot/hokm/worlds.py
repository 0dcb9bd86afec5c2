"""Where the unseen cards may lie: deals of them to the other three that fit all that was shown.

A world fits the number of cards in each hand, the suits that a seat did not follow, and, as far as
may be, the trump that the hakem named from five cards (H9).
"""

from collections.abc import Sequence
from random import Random
from typing import Final

from services.bot.hokm.bits import BIT, PACK, SUIT, SUIT_OF, Cards, Number, numbers
from services.bot.hokm.position import Position

World = list[Cards]
"""The hands by seat, mine among them."""

CALLS: Final = 8
"""Worlds that are drawn for one in which the hakem would have named this trump."""
FIVES: Final = 2
"""Fives of the hakem's thirteen that are looked at for it."""
DEALS: Final = 200
"""Deals that are begun for one that fits what was shown, before it is made to fit."""
FIRST: Final = 5
"""Cards that the hakem sees when he names trump (H8)."""


class Unseen:
    """What may be dealt, and to whom: `room` by seat, `takers` by card."""

    def __init__(self, position: Position) -> None:
        round_, self.me = position.round, position.me
        self.mine = round_.hands[self.me]
        self.cards = list(numbers(PACK & ~round_.played & ~self.mine))
        self.others = tuple(seat for seat in range(4) if seat != self.me)
        left, on_table = 13 - sum(round_.taken), len(round_.trick)
        self.room = [
            0 if seat == self.me else left - ((seat - round_.leader & 3) < on_table)
            for seat in range(4)
        ]
        void = round_.void
        self.free = not any(void[seat] for seat in self.others)
        self.takers = {
            card: tuple(seat for seat in self.others if not void[seat] >> SUIT_OF[card] & 1)
            for card in self.cards
        }


def worlds(position: Position, luck: Random, count: int) -> list[World]:
    """`count` worlds, drawn with `luck`."""
    unseen = Unseen(position)
    if position.me == position.round.hakem:
        return [_deal(unseen, luck) for _ in range(count)]
    return [_called(position, unseen, luck) for _ in range(count)]


def _called(position: Position, unseen: Unseen, luck: Random) -> World:
    """A world in which the hakem might well have named the trump that he did: one who plays by
    another rule than the guide's is not ruled out, only thought less likely.
    """
    hakem = position.round.hakem
    world = _deal(unseen, luck)
    for _ in range(CALLS):
        thirteen = list(numbers(world[hakem] | position.shown[hakem]))
        fives = (luck.sample(thirteen, FIRST) for _ in range(FIVES))
        if any(longest_suit(five) == position.round.trump for five in fives):
            break
        world = _deal(unseen, luck)
    return world


def longest_suit(cards: Sequence[Number]) -> int:
    """As `services.rules.hokm.house.longest_suit`, on bits."""
    held = sum(BIT[card] for card in cards)
    ranks = [(held & suit) >> 13 * at for at, suit in enumerate(SUIT)]
    return max(range(4), key=lambda suit: (ranks[suit].bit_count(), ranks[suit]))


# Dealing ---------------------------------------------------------------------------------------


def _deal(unseen: Unseen, luck: Random) -> World:
    if unseen.free:
        return _dealt_freely(unseen, luck)
    for _ in range(DEALS):
        world = _dealt_by_room(unseen, luck)
        if world is not None:
            return world
    return _dealt_somehow(unseen)


def _dealt_freely(unseen: Unseen, luck: Random) -> World:
    cards, world, at = unseen.cards[:], [0, 0, 0, 0], 0
    luck.shuffle(cards)
    world[unseen.me] = unseen.mine
    for seat in unseen.others:
        upto = at + unseen.room[seat]
        world[seat] = sum(BIT[card] for card in cards[at:upto])
        at = upto
    return world


def _dealt_by_room(unseen: Unseen, luck: Random) -> World | None:
    """The cards that fewest may hold first, each to one of those by the room that he has left;
    None where somebody has too little.
    """
    cards, room, world = unseen.cards[:], unseen.room[:], [0, 0, 0, 0]
    luck.shuffle(cards)
    cards.sort(key=lambda card: len(unseen.takers[card]))
    world[unseen.me] = unseen.mine
    for card in cards:
        takers = [seat for seat in unseen.takers[card] if room[seat]]
        if not takers:
            return None
        seat = takers[0]
        if len(takers) > 1:
            seat = luck.choices(takers, [room[taker] for taker in takers])[0]
        world[seat] |= BIT[card]
        room[seat] -= 1
    return world


def _dealt_somehow(unseen: Unseen) -> World:
    """One deal that fits, by moving cards on from a seat that is full: there always is one, the
    true one.
    """
    holder: dict[Number, int] = {}
    for card in unseen.cards:
        _place(unseen, holder, card, set())
    world = [0, 0, 0, 0]
    world[unseen.me] = unseen.mine
    for card, seat in holder.items():
        world[seat] |= BIT[card]
    return world


def _place(unseen: Unseen, holder: dict[Number, int], card: Number, tried: set[int]) -> bool:
    """Find `card` a seat, another card of which moves on if it is full (an augmenting path)."""
    for seat in unseen.takers[card]:
        if seat in tried:
            continue
        tried.add(seat)
        held = [other for other, at in holder.items() if at == seat]
        if len(held) < unseen.room[seat] or any(
            _place(unseen, holder, other, tried) for other in held
        ):
            holder[card] = seat
            return True
    return False
