"""Perft: the number of legal continuations from fixed deals, checked in.

Each number was counted twice: by the rules, and by the count of its own below, which knows lists
of integers and nothing of the rules' code.
"""

from collections.abc import Callable

import pytest
from msgspec import Struct

from schemas.cards import HOKM_PACK, RANKS, SUITS, Suit
from schemas.commands import ChooseTrump, GameAction, PlayCard
from schemas.events import FiveDealt
from schemas.ids import Seat
from services.rules.chance import shuffled
from services.rules.decider import Fact
from services.rules.hokm import GAME, PRESETS
from services.rules.hokm.state import HokmState

Steps = list[tuple[Fact, HokmState]]
Position = Callable[..., HokmState]
Follow = Callable[[HokmState, Fact], Steps]

ENDLESS = 52
"""A depth that no round reaches."""


class Ending(Struct, frozen=True):
    """The last cards of a round and the number of ways to play them."""

    hands: tuple[str, str, str, str]
    trump: Suit
    leader: Seat
    tricks: tuple[int, int]
    leaves: int


ENDINGS = [
    Ending(("AS KD 3C", "KS 2D 4C", "QS 3D 5C", "JS 4D 6C"), "S", 0, (5, 5), 6),
    Ending(("AS KD 3C", "KS 2D 4C", "QS 3D 5C", "JS 4D 6C"), "S", 1, (6, 4), 4),
    Ending(("AS KS 3C", "2D 2H 4C", "QS 3D 5C", "JS 4D 6H"), "H", 2, (4, 6), 68),
    Ending(("AS KS QS", "AH KH QH", "AD KD QD", "AC KC QC"), "D", 1, (5, 5), 1_296),
    Ending(("AS KS 3C 4C", "2D 2H 5C 6C", "QS 3D 7C 8D", "JS 4D 6H 9C"), "C", 3, (4, 5), 3_704),
    Ending(("AS 9S 3C AD", "2S 2H 5C KD", "QS 3S 7C 8D", "JS 4D 6H 9C"), "S", 0, (6, 3), 58),
]
FULL_DEALS = [(b"one", 15_936), (b"two", 19_008), (b"three", 18_144)]
"""The key of a pack, and the leaves after trump and five cards: a whole trick and a lead."""
FULL_DEPTH = 6
MOST_LEAVES = 50_000


def actions(state: HokmState) -> list[GameAction]:
    """Every action there is with the cards still held, legal or not."""
    cards: list[GameAction] = [PlayCard(card=card) for hand in state.hands for card in hand]
    return cards + [ChooseTrump(suit=suit) for suit in SUITS]


def perft(state: HokmState, depth: int, follow: Follow) -> int:
    """Leaves of the tree of accepted actions; the end of a round is a leaf, however deep."""
    seat = GAME.turn(state)
    if depth == 0 or seat is None:
        return 1
    leaves = 0
    for action in actions(state):
        if GAME.refuse(state, seat, action) is None:
            fact = Fact(body=GAME.act(state, seat, action), origin="player", seat=seat)
            leaves += perft(follow(state, fact)[-1][1], depth - 1, follow)
            assert leaves <= MOST_LEAVES, "a tree without end: something may be done for ever"
    return leaves


def count(
    hands: list[list[int]], trump: int, trick: list[int], seat: int, won: list[int], depth: int
) -> int:
    """The same by brute force: a card is suit * 13 + rank, suits in the order of SUITS."""
    if depth == 0 or 7 in won:
        return 1
    if len(trick) == 4:
        powers = [
            200 + c if c // 13 == trump else 100 + c if c // 13 == trick[0] // 13 else c
            for c in trick
        ]
        taker = (seat + powers.index(max(powers))) % 4
        won = [won[0] + 1 - taker % 2, won[1] + taker % 2]
        return count(hands, trump, [], taker, won, depth)
    mine = hands[seat]
    led = [c for c in mine if trick and c // 13 == trick[0] // 13]
    leaves = 0
    for card in led or mine:
        rest = [[c for c in held if c != card] for held in hands]
        leaves += count(rest, trump, [*trick, card], (seat + 1) % 4, won, depth - 1)
    return leaves


def number(card: str) -> int:
    return SUITS.index(card[1]) * 13 + RANKS.index(card[0])


@pytest.mark.parametrize("ending", ENDINGS)
def test_perft_of_endings(ending: Ending, position: Position, follow: Follow) -> None:
    state = position(ending.hands, ending.trump, leader=ending.leader, tricks=ending.tricks)
    numbers = [[number(card) for card in cards.split()] for cards in ending.hands]
    trump = SUITS.index(ending.trump)
    counted = count(numbers, trump, [], ending.leader, list(ending.tricks), ENDLESS)
    assert perft(state, ENDLESS, follow) == counted == ending.leaves


@pytest.mark.parametrize(("key", "leaves"), FULL_DEALS)
def test_perft_of_full_deals(key: bytes, leaves: int, follow: Follow) -> None:
    pack = shuffled(key, "deal", HOKM_PACK)
    state = HokmState(options=PRESETS["home"], step="deal", hakem=1, pack=pack)
    five = Fact(body=FiveDealt(round=1, hakem=1), origin="rule")
    numbers = [[number(card) for card in cards_of(pack, (seat - 1) % 4)] for seat in range(4)]
    counted = sum(count(numbers, trump, [], 1, [0, 0], FULL_DEPTH - 1) for trump in range(4))
    assert perft(follow(state, five)[-1][1], FULL_DEPTH, follow) == counted == leaves


def cards_of(pack: tuple[str, ...], place: int) -> tuple[str, ...]:
    five, four, last = 5 * place, 20 + 4 * place, 36 + 4 * place
    return pack[five : five + 5] + pack[four : four + 4] + pack[last : last + 4]
