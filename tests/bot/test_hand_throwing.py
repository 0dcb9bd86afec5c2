"""What Hand's bots throw: habits first, then the nevers in single positions."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from schemas.cards import HAND_PACK, HandCard
from schemas.commands import HandOptions
from schemas.ids import Level
from schemas.views import HandView, Toss
from services.bot.hand import gifts
from services.bot.hand.reading import Reading, read
from services.bot.hand.worth import danger
from services.rules.hand import GAME
from services.rules.hand.ending import Holding, moves
from services.rules.hand.search import highest
from services.rules.hand.state import HandState, Turn
from tests.bot.hand_positions import facing, thrown
from tests.bot.hand_rounds import LEVELS
from tests.rules.hand_play import cards, melds, position

every_level = pytest.mark.parametrize("level", LEVELS)
sound = pytest.mark.parametrize("level", ["black", "chrome"])
counting = pytest.mark.parametrize("level", ["chrome"])
CHANCES = range(60)
"""Positions that differ in nothing but the totals: enough for every whim."""
BAR = 51


def closed(hand: str, **given: Any) -> HandState:
    stated: dict[str, Any] = {"opened": False, "fire": ""} | given
    return position(hand, **stated)


def by_chance(state: HandState, chance: int) -> HandState:
    """The same for all but a whim."""
    return replace(state, totals=(chance, *state.totals[1:]))


# Live outs ------------------------------------------------------------------------------------


@counting
def test_a_card_with_no_mate_goes_before_cards_that_wait_for_a_third(level: Level) -> None:
    assert thrown(closed("KS1 KC1 8H1 9H1 3D1"), level) == "3D1"
    assert thrown(closed("4S1 4C1 8H1 TH1 KD1"), level) == "KD1"


@counting
def test_a_pair_whose_outs_are_all_gone_is_no_better_than_single_cards(level: Level) -> None:
    """Kings of hearts and diamonds lie in the fire, both copies."""
    fire = "KH1 KH2 KD1 KD2 9C2"
    assert thrown(closed("KS1 KC1 8H1 9H1 4S1 4C1", fire=fire), level) in {"KS1", "KC1"}


@counting
def test_outs_on_the_table_and_in_the_hands_of_others_are_gone_as_well(level: Level) -> None:
    state = closed("KS1 KC1 8H1 9H1 4S1 4C1")
    table = melds("KH1 KD1 JK1, QD2 KD2 AD1")
    seen = (Toss(seat=1, card="KH2", taken_by=3),)
    state = replace(state, melds=table, tosses=seen, opened=(False, False, False, True))
    assert thrown(state, level) in {"KS1", "KC1"}


@counting
def test_what_a_reshuffle_took_out_of_the_fire_may_come_again(level: Level) -> None:
    tosses = tuple(Toss(seat=3, card=card, taken_by=None) for card in cards("KH1 KH2 KD1 KD2"))
    state = closed("KS1 KC1 8H1 TH1 4S1 4C1", fire="9C2", tosses=tosses, reshuffles=1)
    assert thrown(state, level) not in {"KS1", "KC1"}


@counting
def test_before_opening_a_high_pair_is_kept_rather_than_a_low_one(level: Level) -> None:
    """100 are due anyway (N42), and kings reach the bar."""
    assert thrown(closed("KS1 KC1 3S1 3C1"), level) in {"3S1", "3C1"}


@sound
def test_once_opened_the_dear_card_goes_first(level: Level) -> None:
    assert thrown(position("3S1 5H1 KD1 8C1", fire=""), level) == "KD1"


@counting
def test_a_second_copy_is_dead_weight(level: Level) -> None:
    assert thrown(closed("QS1 QS2 JD1"), level) in {"QS1", "QS2"}
    assert thrown(closed("QS1 2D1"), level) == "2D1"


@every_level
def test_melds_in_the_hand_are_kept_before_opening(level: Level) -> None:
    assert thrown(closed("2S1 3S1 4S1 KS1 KC1 QC1"), level) in {"KS1", "KC1", "QC1"}


@every_level
def test_a_joker_is_thrown_only_if_there_is_nothing_else(level: Level) -> None:
    assert thrown(closed("JK1 3D1"), level) == "3D1"
    state = closed("JK1 JK2", step="discard_first", now=Turn())
    assert thrown(state, level) in {"JK1", "JK2"}


def test_black_throws_its_dearest_loose_card_and_white_does_when_it_thinks() -> None:
    state = closed("2S1 3S1 4S1 KC1 9C1 8H1")
    assert thrown(state, "black") == "KC1"
    seen = [thrown(by_chance(state, chance), "white") for chance in CHANCES]
    assert max(set(seen), key=seen.count) == "KC1"
    assert set(seen) == {"KC1", "9C1", "8H1"}


def test_four_in_ten_of_whites_discards_are_whims() -> None:
    """A whim hits the card that was meant once in ten."""
    hand = "2S1 4H1 6D1 8C1 9S1 3H1 3D2 5C2 7S2 KD2"
    state = closed(hand)
    seen = [thrown(by_chance(state, chance), "white") for chance in range(1000)]
    assert 310 <= len(seen) - seen.count("KD2") <= 410
    assert set(seen) == set(hand.split())


@sound
def test_nobody_above_white_has_whims(level: Level) -> None:
    state = closed("2S1 4H1 6D1 8C1 TS1 QH1")
    assert len({thrown(by_chance(state, chance), level) for chance in CHANCES}) == 1


# Danger ---------------------------------------------------------------------------------------


@counting
@pytest.mark.parametrize(
    ("table", "safe"), [("5H1 6H1 7H1", "8S1"), ("5S1 6S1 7S1", "8H1"), ("8C1 8D1 8H2", "8H1")]
)
def test_of_two_equal_cards_the_one_that_the_next_seat_could_lay_off_is_kept(
    table: str, safe: HandCard, level: Level
) -> None:
    state = with_table(closed("8H1 8S1"), table)
    assert thrown(facing(state, "2C2 3C2 4C2 9C1"), level) == safe


@counting
def test_a_card_near_one_that_the_next_seat_took_and_holds_is_kept(level: Level) -> None:
    state = closed("8H1 8S1")
    assert thrown(facing(state, "2C2 3C2 4C2", shown="9H2"), level) == "8S1"
    assert thrown(facing(state, "2C2 3C2 4C2", shown="9S2"), level) == "8H1"


@counting
def test_what_it_took_and_laid_by_now_is_no_danger(level: Level) -> None:
    state = facing(closed("8H1 8S1"), "2C2 3C2 4C2", shown="9S2")
    assert thrown(state, level) == "8H1"
    assert thrown(replace(state, melds=melds("9S2 9C1 9D1", 1)), level) == "8S1"


# Never: break an opening ----------------------------------------------------------------------


@every_level
def test_the_starter_never_breaks_an_opening_that_it_holds(level: Level) -> None:
    for seed in range(20):
        state = starter(rich_hand(seed))
        for chance in range(8):
            gone = thrown(by_chance(state, chance), level)
            left = [card for card in state.hands[0] if card != gone]
            assert highest(left, low_ace=11) >= BAR, (state.hands[0], gone)


@every_level
def test_of_fifteen_cards_that_are_all_needed_one_is_thrown_all_the_same(level: Level) -> None:
    state = starter(cards("2S1 3S1 4S1 2H1 3H1 4H1 2D1 3D1 4D1 2C1 3C1 4C1 5S2 6S2 7S2"))
    assert highest(state.hands[0], low_ace=11) == 54
    assert thrown(state, level) in state.hands[0]


def starter(hand: Sequence[HandCard]) -> HandState:
    return closed(" ".join(hand), step="discard_first", now=Turn())


def rich_hand(seed: int) -> tuple[HandCard, ...]:
    """Fifteen cards that hold an opening which the right discard does not break."""
    luck = Random(seed)
    hands = (tuple(luck.sample(HAND_PACK, 15)) for _ in iter(int, 1))
    return next(hand for hand in hands if keeps(hand))


def keeps(hand: tuple[HandCard, ...]) -> bool:
    return any(highest([card for card in hand if card != gone], low_ace=11) >= BAR for gone in hand)


# Never: let the next seat out -----------------------------------------------------------------

RUN = "5H1 6H1 7H1"


@every_level
@pytest.mark.parametrize(
    ("table", "left", "shown", "gift"),
    [
        (RUN, "2C2", "", "8H1"),
        (RUN, "2C2", "", "4H1"),
        ("8S1 8C1 8D1", "2C2", "", "8H1"),
        ("7H1 JK1 9H1", "2C2", "", "8H1"),
        (RUN, "2C2", "9H2", "8H1"),
        (RUN, "", "9H2 TH2 2C2", "8H1"),
        ("", "2C2", "8S2 8D2", "8H1"),
        ("", "", "9H2 TH2 2C2", "8H1"),
        ("TH1 JK1 QH1", "2C2", "JH2 KS2 KD2", "KC1"),
    ],
)
def test_a_card_that_lets_the_next_seat_out_is_not_thrown(
    table: str, left: str, shown: str, gift: HandCard, level: Level
) -> None:
    """It lies in the hand as the dearest and least useful card."""
    state = with_table(closed(f"{gift} 2S1 2D1 3S1 3D1"), table)
    assert thrown(state, "black") == gift
    facing_one_who_waits = facing(state, left, shown=shown)
    for chance in CHANCES:
        assert thrown(by_chance(facing_one_who_waits, chance), level) != gift


@pytest.mark.parametrize(
    ("table", "left", "shown"),
    [
        (RUN, "2C2 3C2", ""),
        (RUN, "2C2", "JH2"),
        (RUN, "2C2 3C2", "9H2"),
        ("", "2C2", "8S2"),
        ("9S1 9C1 9D1", "2C2", ""),
    ],
)
def test_one_who_could_not_surely_go_out_is_given_what_is_of_no_use(
    table: str, left: str, shown: str
) -> None:
    state = facing(with_table(closed("KC1 2S1 2D1 3S1 3D1"), table), left, shown=shown)
    assert thrown(state, "black") == "KC1"


@every_level
def test_where_every_card_lets_the_next_seat_out_one_is_thrown(level: Level) -> None:
    state = facing(with_table(closed("8H1 4H1"), RUN), "2C2")
    assert thrown(state, level) in {"8H1", "4H1"}


@every_level
def test_a_seat_that_goes_out_itself_need_not_care(level: Level) -> None:
    state = position("9H1", table="", now=Turn(drawn="9H1"), fire="")
    assert thrown(facing(state, "2C2"), level) == "9H1"


def with_table(state: HandState, table: str) -> HandState:
    return replace(state, melds=melds(table), opened=(*state.opened[:3], bool(table)))


# What a neighbour shows ------------------------------------------------------------------------

CROWDED = (
    "3H1 4H1 5H1, 3H2 4H2 5H2, 3S1 4S1 5S1, 9H1 TH1 JH1, 9S1 TS1 JS1, QD1 QC1 QH1,"
    " 6D1 6C1 6S2, 7D1 7C1 7S2"
)


@pytest.mark.parametrize("level", LEVELS)
def test_however_much_the_next_seat_shows_only_so_many_positions_are_looked_at(
    level: Level, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is known of a hand is its owner's doing: else he chose how long the bots think."""
    looked = []

    def counted(held: Holding) -> Iterator[Holding]:
        looked.append(held)
        return moves(held)

    monkeypatch.setattr(gifts, "moves", counted)
    hand = "8S1 QS1 8H1 QH2 2H1 2S1 7H2 TD1"
    for shown in ("6H1 7H1 6S1", "6H1 7H1 6S1 JK1", "6H1 7H1 6S1 JK1 6H2 7S1"):
        looked.clear()
        thrown(facing(position(hand, table=CROWDED, opened=False), "2D2", shown=shown), level)
        assert 0 < len(looked) <= gifts.LOOKED * len(hand.split())


def test_a_neighbour_of_a_high_ace_is_near_it() -> None:
    """Q-K-A is a run (N8): what the next seat took tells what it wants."""
    hand = "KH1 KD1 8C1 8S2 2D2"
    plain = facing(closed(hand), "2C2 3C2 4C2 5C2 6C2 7C2")
    wanting = facing(closed(hand), "2C2 3C2 4C2 5C2 6C2 7C2", shown="AH1")
    reading, wanted = read_turn(plain), read_turn(wanting)
    assert danger(wanted, "KH1") > danger(reading, "KH1")
    assert danger(wanted, "KD1") == danger(reading, "KD1")


def test_what_fits_only_the_partners_own_melds_is_no_danger() -> None:
    """Of seats 0 and 2, which are one side, seat 2 has opened and nobody else."""
    sides = HandOptions(variant="partnership", seats=4, rounds=3)
    state = position("8H1 KD1 2C1", options=sides, opened=False, table="5H1 6H1 7H1")
    alone = replace(state, opened=(False, False, True, False))
    rival = replace(state, opened=(False, False, False, True))
    assert danger(read_turn(alone), "8H1") < danger(read_turn(rival), "8H1")


def read_turn(state: HandState) -> Reading:
    view = GAME.view(state, 0)
    assert isinstance(view, HandView)
    return read(view)
