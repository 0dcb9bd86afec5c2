"""N18, N22, N23: can the turn still end? The rules' answer against every sequence of moves.

The count of moves below knows cards as text and nothing of the rules' search.
"""

from collections.abc import Iterator
from itertools import islice, permutations, product
from random import Random
from typing import Final

import pytest
from msgspec import Struct
from msgspec.structs import replace

from schemas.cards import HandCard
from schemas.commands import Draw
from schemas.ids import Seat
from services.rules.hand import GAME
from services.rules.hand.ending import Holding, can_end, goes_out
from services.rules.hand.house import house_move
from services.rules.hand.search import highest
from services.rules.hand.state import HandState, Turn
from services.rules.hand.table import with_melds
from tests.rules.hand_brute import MELDS, AnyMeld, families
from tests.rules.hand_play import after, cards, lists, melds, position

PLACES: Final = "A23456789TJQKA"
POSITIONS: Final = 2_000
TAKES: Final = 400
NEAR: Final = tuple(rank + suit + "2" for rank in PLACES[:13] for suit in "SH")


class Spot(Struct, frozen=True):
    """A turn in the middle, as plain text: freed jokers, the card taken, the table."""

    hand: tuple[str, ...]
    freed: tuple[str, ...]
    taken: str | None
    table: tuple[tuple[str, ...], ...]


def ends(spot: Spot, seen: set[Spot]) -> bool:
    """True if some sequence of moves ends the turn: every one is tried."""
    if not spot.hand:
        return True
    if not spot.freed and any(card != spot.taken for card in spot.hand):
        return True
    if spot in seen:
        return False
    seen.add(spot)
    return any(ends(later, seen) for later in everything(spot))


def everything(spot: Spot) -> list[Spot]:
    found = []
    for at, meld in enumerate(spot.table):
        for card in spot.hand:
            grown = [each for each in ((card, *meld), (*meld, card)) if is_meld(each)]
            found += [moved(spot, {card}, at, each) for each in grown]
            if "JK" not in card:
                found += swaps(spot, at, card)
    for size in range(3, len(spot.hand) + 1):
        for new in permutations(spot.hand, size):
            if is_meld(new):
                found.append(moved(spot, set(new), len(spot.table), new))
    return found


def swaps(spot: Spot, at: int, card: str) -> list[Spot]:
    meld = spot.table[at]
    jokers = [old for old in meld if "JK" in old]
    swapped = tuple(card if "JK" in old else old for old in meld)
    if not jokers or not is_meld(swapped):
        return []
    gone = moved(spot, {card}, at, swapped)
    return [replace(gone, hand=(*gone.hand, *jokers), freed=(*gone.freed, *jokers))]


def moved(spot: Spot, gone: set[str], at: int, meld: tuple[str, ...]) -> Spot:
    return Spot(
        hand=tuple(card for card in spot.hand if card not in gone),
        freed=tuple(card for card in spot.freed if card not in gone),
        taken=spot.taken,
        table=(*spot.table[:at], meld, *spot.table[at + 1 :]),
    )


def is_meld(listed: tuple[str, ...]) -> bool:
    naturals = [(at, card) for at, card in enumerate(listed) if "JK" not in card]
    if len(listed) < 3 or len(listed) - len(naturals) > 1:
        return False
    if len({card[0] for _, card in naturals}) == 1:
        return len(listed) <= 4 and len({card[1] for _, card in naturals}) == len(naturals)
    suits = {card[1] for _, card in naturals}
    return len(suits) == 1 and any(
        all(PLACES[low + at] == card[0] for at, card in naturals)
        for low in range(len(PLACES) - len(listed) + 1)
        if len(listed) <= 13
    )


TABLES: Final = (
    "5H1 6H1 JK1",
    "5H1 JK1 7H1",
    "AS1 2S1 3S1 4S1 5S1 6S1 7S1 8S1 9S1 TS1 JS1 QS1 JK1",
    "2S1 3S1 4S1 5S1 6S1 7S1 8S1 9S1 TS1 JS1 QS1 KS1",
    "9S1 9H1 9D1 9C1",
    "9S1 9H1 9D1 JK1",
    "9S1 9H1 JK1",
    "9S1 9H1 9D1",
    "AC1 2C1 3C1",
    "QC1 KC1 AC2",
    "JK1 KC2 AC1",
    "8D1 8C1 8H1, 5H1 6H1 JK1",
)


def random_spot(luck: Random) -> Spot:
    """A tight turn: few cards, most of them near the table's, jokers freed, a card taken."""
    picked = luck.sample(TABLES, luck.randint(1, 2))
    table: list[tuple[str, ...]] = []
    for text in picked:
        for meld in lists(text):
            if not {card for laid in table for card in laid} & set(meld):
                table.append(meld)
    laid = {card for meld in table for card in meld}
    jokers = [joker for joker in ("JK1", "JK2") if joker not in laid]
    freed = tuple(luck.sample(jokers, luck.randint(0, len(jokers))))
    low, suits = luck.randrange(11), luck.sample("SHDC", 2)
    close = [PLACES[low + step] + suit + "1" for step in range(4) for suit in suits]
    far = [rank + luck.choice("SHDC") + "2" for rank in luck.sample("A23456789TJQK", 5)]
    near = [card for card in (*close, *far) if card not in laid]
    hand = [*freed, *luck.sample(near, luck.randint(0 if freed else 1, 3 + len(freed)))]
    rest = [joker for joker in jokers if joker not in freed]
    if rest and luck.random() < 0.2:
        hand.append(rest[0])
    luck.shuffle(hand)
    takeable = [card for card in hand if card not in freed]
    taken = luck.choice(takeable) if takeable and luck.random() < 0.8 else None
    return Spot(hand=tuple(hand), freed=freed, taken=taken, table=tuple(table))


def holding(spot: Spot, seat: Seat = 0) -> Holding:
    return Holding(
        seat=seat,
        hand=spot.hand,
        must_place=spot.freed,
        taken=spot.taken,
        melds=with_melds((), 3, spot.table),
    )


def test_the_answer_is_that_of_every_sequence_of_moves() -> None:
    luck = Random(11)
    answers = []
    for _ in range(POSITIONS):
        spot = random_spot(luck)
        answers.append(can_end(holding(spot)))
        assert answers[-1] == ends(spot, set()), spot
    assert 0.1 < sum(answers) / len(answers) < 0.9, "positions that are all alike prove nothing"


def test_N50_wherever_a_turn_can_end_the_house_ends_it() -> None:
    luck = Random(12)
    ended = 0
    for _ in range(POSITIONS):
        spot = random_spot(luck)
        if can_end(holding(spot)):
            ended += 1
            assert_the_house_ends(spot)
    assert ended > POSITIONS / 10


def random_take(luck: Random) -> HandState:
    """A seat that may just open with the fire card, and then may have that card left alone."""
    hand: list[HandCard] = []
    for meld in luck.sample(MELDS, luck.choice((1, 2, 2))):
        free = [face + copy for face in meld.faces[:5] for copy in "12"]
        hand += [card for card in free[luck.choice((0, 1)) :: 2] if card not in hand]
    hand += luck.sample([card for card in NEAR if card not in hand], luck.randint(0, 1))
    table = [meld for meld in luck.sample(TABLES, 2) if not set(hand) & set(meld.split())][:1]
    card = luck.choice(hand)
    return position(
        " ".join(held for held in hand if held != card),
        melds=melds(table[0] if table else ""),
        fire=f"2C2 {card}",
        opened=False,
        step="draw",
        bar=luck.randint(15, 60),
        now=Turn(),
    )


def can_open(state: HandState) -> bool:
    """Every opening in every choice of copies, and every sequence of moves after it."""
    card, table = state.fire[-1], tuple(meld.cards for meld in state.melds)
    hand = (*state.hands[0], card)
    for way in families(hand):
        if way and sum(meld.values[0] for meld in way) >= state.bar:
            for laid in in_cards(way, hand):
                gone = {card for meld in laid for card in meld}
                left = tuple(held for held in hand if held not in gone)
                if ends(Spot(left, (), card, (*table, *laid)), set()):
                    return True
    return False


def in_cards(
    way: tuple[AnyMeld, ...], hand: tuple[HandCard, ...]
) -> Iterator[tuple[tuple[HandCard, ...], ...]]:
    """`way` in every choice of copies."""
    wanted = [face for meld in way for face in meld.faces]
    for chosen in product(*([card for card in hand if card[:2] == face] for face in wanted)):
        if len(set(chosen)) == len(chosen):
            rest = iter(chosen)
            yield tuple(tuple(islice(rest, len(meld.faces))) for meld in way)


def test_N18_the_fire_card_may_be_taken_exactly_if_some_opening_lets_the_turn_end() -> None:
    luck = Random(13)
    answers, alone = [], 0
    for _ in range(TAKES):
        state = random_take(luck)
        answers.append(GAME.refuse(state, 0, Draw(source="fire")) is None)
        assert answers[-1] == can_open(state), state
        hand = (*state.hands[0], state.fire[-1])
        alone += answers[-1] != (highest(hand, low_ace=11) >= state.bar)
    assert 0.1 < sum(answers) / len(answers) < 0.9, "positions that are all alike prove nothing"
    assert alone > 0, "nobody could have opened and been left with the fire card alone"


def assert_the_house_ends(spot: Spot) -> None:
    state: HandState = position(
        " ".join(spot.hand),
        melds=with_melds((), 3, spot.table),
        opened=True,
        now=Turn(taken=spot.taken, must_place=spot.freed),
    )
    for _ in range(2 * len(spot.hand) + 4):
        if GAME.turn(state) != 0:
            return
        state = after(state, house_move(GAME.view(state, 0)))
    raise AssertionError(f"the house does not come to an end: {spot}")


# How much is looked at ------------------------------------------------------------------------

SEEN_AT_MOST = 300
"""States of the search for a way to go out; the number must not grow with what lies on the table
and concerns no card of the hand."""


def crowded(runs: int) -> str:
    """A table of sets with both jokers' places taken by kings, and so many runs of three."""
    ranks = "A23456789TJQK"
    found = [
        ",".join(
            " ".join(f"{ranks[low + step]}{suit}{copy}" for step in range(3)) for suit in "SHDC"
        )
        for copy in "12"
        for low in (1, 4, 7)
    ]
    return ",".join(",".join(found).split(",")[:runs])


@pytest.mark.parametrize("hand", ["KD2 JK1 JK2", "KD2 JK1", "KD2 QS1 JK1 JK2", "2H1 JK1 JK2"])
@pytest.mark.parametrize("runs", [4, 12, 24])
def test_a_crowded_table_makes_the_answer_no_dearer(hand: str, runs: int) -> None:
    held = cards(hand)
    seen: set[Holding] = set()
    holding = Holding(
        seat=0,
        hand=held,
        must_place=tuple(card for card in held if card.startswith("JK")),
        taken=held[0],
        melds=melds(crowded(runs)),
    )
    goes_out(holding, seen)
    assert len(seen) <= SEEN_AT_MOST
