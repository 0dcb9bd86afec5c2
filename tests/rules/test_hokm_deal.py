"""H1 to H11: the table, the first hakem, the deal and trump."""

from collections import Counter
from collections.abc import Callable

import msgspec
import pytest

from schemas.cards import HOKM_PACK, SUITS, HokmCard, Suit
from schemas.commands import ChooseTrump, GameAction, HokmOptions, PlayCard
from schemas.events import (
    CardsShuffled,
    FiveDealt,
    HakemDrawn,
    RestDealt,
    SeatDrawn,
    TrumpChosen,
)
from schemas.refusals import Refusal
from services.rules.chance import SealedChance
from services.rules.decider import Fact
from services.rules.hokm import GAME, PRESETS
from services.rules.hokm.deal import turn_up
from services.rules.hokm.state import HokmState, next_seat, side_of

Say = Callable[[HokmState, int, GameAction], list[tuple[Fact, HokmState]]]

MATCH = "m_" + "0" * 32
SORTED_HANDS = (
    "2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS",
    "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH",
    "2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD",
    "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC",
)


def opening(key: int) -> list[Fact]:
    """All facts from the start of a match to the first five."""
    chance = SealedChance(key=key.to_bytes(4, "big"), match=MATCH)
    state, facts = GAME.initial_state(PRESETS["hakem"]), []
    while (fact := GAME.consequence(state, chance)) is not None:
        facts.append(fact)
        state = GAME.evolve(state, fact)
    return facts


def test_H1_four_seats_and_partners_sit_opposite() -> None:
    assert GAME.seats(PRESETS["hakem"]) == 4
    assert [side_of(seat) for seat in range(4)] == [0, 1, 0, 1]


def test_H2_play_goes_to_the_right_hand_neighbour() -> None:
    assert [next_seat(seat) for seat in range(4)] == [1, 2, 3, 0]


def test_H3_the_pack_is_52_different_cards_without_jokers() -> None:
    assert len(set(HOKM_PACK)) == 52
    assert all(len(card) == 2 and card[1] in "SHDC" for card in HOKM_PACK)


@pytest.mark.parametrize("code", ["KD1", "DK", "10D", "1D", "kd", "JK1", "K", "", "KD\n", "ZZ", 7])
def test_H3_a_card_outside_its_list_is_malformed(code: object) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(code, HokmCard)


def test_H5_the_first_seat_to_get_an_ace_is_hakem_and_all_cards_shown_are_public() -> None:
    pack = ("9C", "TD", "2H", "3S", "4C", "AC", "AS", "AD")
    assert turn_up(pack, 0) == HakemDrawn(shown=pack[:6], hakem=1)


def test_H5_an_ace_on_top_ends_the_draw_at_once() -> None:
    assert turn_up(("AH", "AS"), 2) == HakemDrawn(shown=("AH",), hakem=2)


def test_H6_the_same_pack_makes_any_seat_hakem_by_who_gets_the_first_card() -> None:
    pack = ("9C", "TD", "AH")
    assert [turn_up(pack, first).hakem for first in range(4)] == [2, 3, 0, 1]


def test_H6_the_first_seat_is_drawn_by_chance_and_decides_the_hakem() -> None:
    for key in range(40):
        shuffled, seat, hakem, *_ = opening(key)
        assert isinstance(seat.body, SeatDrawn)
        assert seat.origin == "chance"
        assert shuffled.pack is not None
        assert hakem.body == turn_up(shuffled.pack, seat.body.seat)


def test_H6_every_seat_is_first_hakem_about_equally_often() -> None:
    """A fixed first seat would be hakem 28 % of the time, the one before it 22 %."""
    matches = 2_000
    hakems = [
        fact.body.hakem
        for key in range(matches)
        for fact in opening(key)[-1:]
        if isinstance(fact.body, FiveDealt)
    ]
    counts = Counter(hakems)
    assert sum(counts.values()) == matches
    assert all(0.225 < counts[seat] / matches < 0.275 for seat in range(4)), counts


def test_H7_the_ace_draw_leaves_nothing_behind() -> None:
    first, _, _, second, five = opening(3)
    assert isinstance(first.body, CardsShuffled)
    assert isinstance(second.body, CardsShuffled)
    assert (first.body.label, second.body.label) == ("ace_draw", "deal")
    assert first.pack is not None
    assert second.pack is not None
    assert sorted(first.pack) == sorted(second.pack) == sorted(HOKM_PACK)
    assert first.pack != second.pack
    assert isinstance(five.body, FiveDealt)


def test_H5_the_opening_facts_come_in_order_with_their_origins() -> None:
    facts = opening(0)
    assert [(type(fact.body), fact.origin) for fact in facts] == [
        (CardsShuffled, "chance"),
        (SeatDrawn, "chance"),
        (HakemDrawn, "rule"),
        (CardsShuffled, "chance"),
        (FiveDealt, "rule"),
    ]
    assert [fact.seat for fact in facts] == [None] * 5


@pytest.mark.parametrize("hakem", range(4))
def test_H8_packets_of_five_then_four_and_four_from_the_hakem(hakem: int, say: Say) -> None:
    d = HOKM_PACK
    dealt = HokmState(options=PRESETS["hakem"], step="deal", hakem=hakem, pack=d)
    dealt = GAME.evolve(dealt, Fact(body=FiveDealt(round=1, hakem=hakem), origin="rule"))
    full = say(dealt, hakem, ChooseTrump(suit="S"))[-1][1]
    for place in range(4):
        seat = (hakem + place) % 4
        five, four, last = 5 * place, 20 + 4 * place, 36 + 4 * place
        assert dealt.hands[seat] == d[five : five + 5]
        assert full.hands[seat] == d[five : five + 5] + d[four : four + 4] + d[last : last + 4]
    assert full.pack == ()


def test_H8_the_rest_is_dealt_at_once_when_trump_is_named(
    fives_dealt: Callable[..., HokmState], say: Say
) -> None:
    state = fives_dealt(SORTED_HANDS, 2)
    facts = [fact for fact, _ in say(state, 2, ChooseTrump(suit="H"))]
    assert facts == [
        Fact(body=TrumpChosen(suit="H"), origin="player", seat=2),
        Fact(body=RestDealt(), origin="rule"),
    ]


@pytest.mark.parametrize("suit", SUITS)
def test_H9_any_suit_may_be_named_even_one_that_the_hakem_does_not_hold(
    suit: Suit, fives_dealt: Callable[..., HokmState], say: Say
) -> None:
    named = say(fives_dealt(SORTED_HANDS), 0, ChooseTrump(suit=suit))
    assert named[-1][1].trump == suit


def test_H9_only_the_hakem_names_trump(fives_dealt: Callable[..., HokmState]) -> None:
    state = fives_dealt(SORTED_HANDS, 1)
    answers = [GAME.refuse(state, seat, ChooseTrump(suit="S")) for seat in range(4)]
    assert answers == [Refusal.NOT_YOUR_TURN, None, Refusal.NOT_YOUR_TURN, Refusal.NOT_YOUR_TURN]


def test_H9_no_card_is_played_before_trump(fives_dealt: Callable[..., HokmState]) -> None:
    state = fives_dealt(SORTED_HANDS)
    for seat in range(4):
        card = state.hands[seat][0]
        assert GAME.refuse(state, seat, PlayCard(card=card)) == Refusal.WRONG_PHASE


def test_H10_before_trump_only_the_hakem_sees_cards(fives_dealt: Callable[..., HokmState]) -> None:
    state = fives_dealt(SORTED_HANDS, 1)
    seen = [GAME.hand(state, seat) for seat in range(4)]
    assert seen == [(), ("2H", "3H", "4H", "5H", "6H"), (), ()]
    views = [msgspec.to_builtins(GAME.view(state, seat)) for seat in range(4)]
    assert [view["hand"] for view in views] == seen
    assert all(view["left"] == (5, 5, 5, 5) for view in views)


def test_H10_with_show_five_before_trump_each_sees_its_own_five_and_no_more(
    fives_dealt: Callable[..., HokmState],
) -> None:
    state = fives_dealt(SORTED_HANDS, 1, HokmOptions(show_five_before_trump=True))
    assert [GAME.hand(state, seat) for seat in range(4)] == list(state.hands)
    assert {len(cards) for cards in state.hands} == {5}


def test_H10_the_option_is_off_unless_asked_for() -> None:
    assert not HokmOptions().show_five_before_trump


def test_H10_a_match_abandoned_before_trump_still_hides_the_fives(
    fives_dealt: Callable[..., HokmState], abandoned: Fact
) -> None:
    state = GAME.evolve(fives_dealt(SORTED_HANDS), abandoned)
    assert [GAME.hand(state, seat) for seat in (1, 2, 3)] == [(), (), ()]


def test_H10_the_hand_grows_at_its_end_so_that_new_cards_can_be_told(
    fives_dealt: Callable[..., HokmState], say: Say
) -> None:
    state = fives_dealt(SORTED_HANDS)
    named, rest = (after for _, after in say(state, 0, ChooseTrump(suit="C")))
    for seat in range(4):
        before, five, all_ = (GAME.hand(at, seat) for at in (state, named, rest))
        assert five[: len(before)] == before
        assert len(five) == 5
        assert all_[:5] == five
        assert len(all_) == 13


def test_H11_the_worst_five_are_not_dealt_again(fives_dealt: Callable[..., HokmState]) -> None:
    low = "2S 2H 2D 2C 3S"
    rest = [card for card in HOKM_PACK if card not in low.split()]
    hands = (low + " " + " ".join(rest[:8]), *(" ".join(rest[at : at + 13]) for at in (8, 21, 34)))
    state = fives_dealt(hands)
    chance = SealedChance(key=b"", match=MATCH)
    assert GAME.consequence(state, chance) is None
    assert GAME.turn(state) == 0


@pytest.mark.parametrize("suit", ["N", "NT", "", "s", None, "pass"])
def test_H11_there_is_no_pass_and_no_no_trump(suit: object) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"type": "choose_trump", "suit": suit}, ChooseTrump)


def test_H11_trump_is_public_as_soon_as_it_is_named(
    fives_dealt: Callable[..., HokmState], say: Say
) -> None:
    state = say(fives_dealt(SORTED_HANDS), 0, ChooseTrump(suit="D"))[-1][1]
    spectator = msgspec.to_builtins(GAME.view(state, None))
    assert spectator["trump"] == "D"
