"""What the page says of cards in Hand is what the rules say, on thousands of lists, melds and
hands: which melds they are, where they fit, how a hand is best put together, whether it opens.
"""

from collections.abc import Iterator
from itertools import permutations
from random import Random
from typing import Any, Final

import pytest
from msgspec.structs import replace

from schemas.cards import HAND_PACK, HandCard
from schemas.commands import HandOptions, LayMelds
from schemas.views import HandView, Meld
from services.rules.hand import GAME
from services.rules.hand.house import house_move
from services.rules.hand.piles import can_open
from services.rules.hand.search import lightest
from services.rules.hand.state import HandState, Turn, low_ace
from services.rules.melds import (
    SetMeld,
    ends_for,
    frees_joker,
    has_joker,
    held_value,
    is_joker,
    read,
    value,
)
from tests.page.hand_asked import Question, answers
from tests.rules.hand_brute import MELDS, random_hand, rich_hand
from tests.rules.hand_play import CLASSIC, position

SAUDI: Final = HandOptions(variant="saudi", seats=4, rounds=3)
BOTH: Final = (CLASSIC, SAUDI)
"""The ace of a run that starts A-2-3 is worth 11 and 1."""
Listed = tuple[HandCard, ...]


def of_cards(faces: tuple[str, ...], luck: Random) -> Listed:
    """Cards of those faces, any copy; JK is either joker."""
    return tuple(face + luck.choice("12") for face in faces)


def lists(luck: Random) -> Iterator[Listed]:
    """Melds as they are listed, and lists that are almost one."""
    for number in range(3_000):
        cards = list(of_cards(luck.choice(MELDS).faces, luck))
        if number % 3 == 1:
            cards[luck.randrange(len(cards))] = luck.choice(HAND_PACK)
        if number % 3 == 2:
            luck.shuffle(cards)
        yield tuple(cards[: luck.choice((2, 3, 4, 5, 13, 14))])


@pytest.mark.parametrize("options", BOTH, ids=lambda each: each.variant)
def test_N8_N12_a_list_is_worth_what_the_rules_say_or_no_meld(options: HandOptions) -> None:
    luck = Random(1)
    listed = list(lists(luck))
    shapes = [read(cards) for cards in listed]
    wanted = [None if shape is None else value(shape, low_ace(options)) for shape in shapes]
    assert 1_000 < sum(worth is None for worth in wanted) < 2_000
    assert answers(Question("valueOf", (cards, options)) for cards in listed) == wanted


def picked(luck: Random) -> Iterator[Listed]:
    """Cards of different places of the pack, as a person picks them: many make a meld."""
    for number in range(400):
        cards = list(dict.fromkeys(of_cards(luck.choice(MELDS).faces[:6], luck)))
        if number % 4 == 0:
            cards[luck.randrange(len(cards))] = luck.choice(HAND_PACK)
        luck.shuffle(cards)
        yield tuple(dict.fromkeys(cards))[: luck.choice((3, 4, 5, 6))]


def every_reading(cards: Listed, options: HandOptions) -> set[tuple[Any, ...]]:
    """All that the cards are in any order: kind, worth, and of a run how it is listed."""
    found: set[tuple[Any, ...]] = set()
    for listed in permutations(cards):
        shape = read(listed)
        if shape is not None:
            worth = value(shape, low_ace(options))
            same = isinstance(shape, SetMeld)
            found.add(("set", worth, ()) if same else ("run", worth, listed))
    return found


@pytest.mark.parametrize("options", BOTH, ids=lambda each: each.variant)
def test_N8_N12_cards_in_any_order_are_read_in_every_way_there_is(options: HandOptions) -> None:
    luck = Random(2)
    tried = list(picked(luck))
    asked = [Question("readings", (cards, options)) for cards in tried]
    several = 0
    for cards, readings in zip(tried, answers(asked), strict=True):
        ours = [
            (one["kind"], one["value"], () if one["kind"] == "set" else tuple(one["cards"]))
            for one in readings
        ]
        assert len(set(ours)) == len(ours)
        assert set(ours) == every_reading(cards, options), cards
        assert [one["value"] for one in readings] == sorted((w for _, w, _ in ours), reverse=True)
        assert all(sorted(one["cards"]) == sorted(cards) for one in readings)
        several += len(ours) > 1
    assert several > 20


def test_N10_why_cards_are_no_meld_is_said_as_the_table_says_it() -> None:
    luck = Random(3)
    tried = [*picked(luck), *(("JK1", "JK2", *cards[:3]) for cards in picked(luck))]
    wanted = [
        "too_many_jokers"
        if sum(map(is_joker, cards)) > 1
        else None
        if every_reading(cards, CLASSIC)
        else "not_a_meld"
        for cards in tried
    ]
    assert set(wanted) == {None, "too_many_jokers", "not_a_meld"}
    assert answers(Question("whyNoMeld", (cards,)) for cards in tried) == wanted


def table_melds() -> list[Meld]:
    """Every seventh of all melds there are, the last always among them."""
    listed = [of_cards(meld.faces, Random(4)) for meld in MELDS[::-7]]
    return [
        Meld(id=1, owner=0, kind="set" if isinstance(read(cards), SetMeld) else "run", cards=cards)
        for cards in listed
    ]


ALL_FACES: Final = tuple(card for card in HAND_PACK if card.endswith("1"))


def test_N20_every_card_fits_each_meld_at_the_ends_that_the_rules_say() -> None:
    melds = table_melds()
    found = answers(Question("fits", (meld,), ALL_FACES) for meld in melds)
    for meld, ours in zip(melds, found, strict=True):
        shape = read(meld.cards)
        assert shape is not None
        for card, ends in zip(ALL_FACES, ours, strict=True):
            barred = is_joker(card) and has_joker(shape)
            wanted = () if barred else ends_for(shape, card)
            assert ends == list(reversed(wanted)), (meld.cards, card)


def test_N21_every_card_frees_the_joker_where_the_rules_say_so() -> None:
    melds = table_melds()
    for meld, freed in zip(
        melds, answers(Question("swapOf", (meld,), ALL_FACES) for meld in melds), strict=True
    ):
        shape = read(meld.cards)
        assert shape is not None
        for card, joker in zip(ALL_FACES, freed, strict=True):
            wanted = frees_joker(shape, card)
            assert joker == (next(filter(is_joker, meld.cards)) if wanted else None), (meld, card)


# A whole hand ---------------------------------------------------------------------------------


def hands(luck: Random, count: int) -> list[Listed]:
    return [(random_hand, rich_hand)[number % 4 > 0](luck) for number in range(count)]


def left_over(hand: Listed, melds: tuple[Listed, ...] | None) -> int:
    laid = {card for meld in melds or () for card in meld}
    return sum(held_value(card) for card in hand if card not in laid)


@pytest.mark.parametrize("options", BOTH, ids=lambda each: each.variant)
def test_a_hand_is_grouped_so_that_the_least_value_is_left(options: HandOptions) -> None:
    tried = hands(Random(5), 80)
    found = answers(Question("grouped", (hand, options)) for hand in tried)
    for hand, ours in zip(tried, found, strict=True):
        best = lightest(hand, low_ace=low_ace(options), bar=0, allowed=lambda _: True)
        assert ours["left"] == left_over(hand, best), hand
        laid = [card for meld in ours["melds"] for card in meld["cards"]]
        assert sorted([*laid, *ours["loose"]]) == sorted(hand)
        shapes = [read(meld["cards"]) for meld in ours["melds"]]
        worths = [value(shape, low_ace(options)) for shape in shapes if shape is not None]
        assert worths == [meld["value"] for meld in ours["melds"]]
        assert sum(worths) == ours["value"]


def before_the_fire(luck: Random) -> HandState:
    """Seat 0 has not opened and may take the top of the fire: some hands are few cards and hold
    almost nothing but melds, so that nothing could be thrown.
    """
    tight = luck.random() < 0.5
    hand = rich_hand(luck, luck.randrange(6, 10) if tight else 14)
    others = [card for card in HAND_PACK if card not in hand]
    return position(
        " ".join(hand),
        fire=luck.choice(others),
        table="2S1 3S1 JK1, KH1 KD1 KC1" if tight else "",
        opened=False,
        options=luck.choice(BOTH),
        bar=luck.choice((20, 30, 40)) if tight else luck.choice((51, 51, 62, 80)),
        step="draw",
        now=Turn(),
    )


def taken(state: HandState) -> HandView:
    """The view once the top of the fire was taken, be it allowed or not."""
    card = state.fire[-1]
    hands = ((*state.hands[0], card), *state.hands[1:])
    held = replace(state, step="act", hands=hands, fire=(), now=Turn(taken=card))
    view = GAME.view(held, 0)
    assert isinstance(view, HandView)
    return view


def test_N18_a_hand_opens_with_the_fire_card_where_the_rules_say_so() -> None:
    luck = Random(6)
    states = [before_the_fire(luck) for _ in range(300)]
    views = [taken(state) for state in states]
    found = answers(Question("openable", (view.hand, view)) for view in views)
    opens = [can_open(state, 0) for state in states]
    assert 50 < sum(opens) < 250
    assert [ours is not None for ours in found] == opens
    for view, ours in zip(views, found, strict=True):
        if ours is not None:
            house = house_move(view)
            assert isinstance(house, LayMelds)
            assert ours["left"] == left_over(view.hand, house.melds), view.hand
