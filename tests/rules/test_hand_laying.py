"""N13 to N17: openings and melds, the bar, who has opened."""

from typing import Any

import msgspec
import pytest

from schemas.commands import Discard, HandOptions, LayMelds, LayOff, SwapJoker
from schemas.events import MeldsLaid
from schemas.refusals import Refusal
from schemas.views import Meld
from services.rules.hand import GAME
from services.rules.hand.state import HandState
from tests.rules.hand_play import CLASSIC, after, cards, lay, lists, position, refusal, said

OPENING = "TH1 JH1 QH1 KH1, 4S1 4H1 4D1"
SAUDI = HandOptions(variant="saudi", seats=4, rounds=3)
SAUDI_SIDES = HandOptions(variant="saudi_partnership", seats=4, rounds=3)
SIDES = HandOptions(variant="partnership", seats=4, rounds=3)
SPARE = "2C1 3D1"


def unopened(hand: str, **given: Any) -> HandState:
    return position(f"{hand} {SPARE}", opened=False, **given)


def opened(hand: str, **given: Any) -> HandState:
    return position(f"{hand} {SPARE}", **given)


def table(state: HandState) -> list[str]:
    return [" ".join(meld.cards) for meld in state.melds]


def test_N14_ten_to_king_and_three_fours_are_52_an_opening() -> None:
    state = unopened(OPENING.replace(",", ""))
    ((fact, then),) = said(state, lay(OPENING))
    assert fact.body == MeldsLaid(first_id=1, melds=lists(OPENING), value=52, opening=True)
    assert fact.seat == 0
    assert then.opened == (True, False, False, False)
    assert then.melds == (
        Meld(id=1, owner=0, kind="run", cards=cards("TH1 JH1 QH1 KH1")),
        Meld(id=2, owner=0, kind="set", cards=cards("4S1 4H1 4D1")),
    )
    assert GAME.hand(then, 0) == cards(SPARE)


def test_N14_one_bad_meld_refuses_the_submission_whole() -> None:
    state = unopened(f"{OPENING} 5H1 6D1 7H1".replace(",", ""))
    assert refusal(state, lay(f"{OPENING}, 5H1 6D1 7H1")) == Refusal.NOT_A_MELD


@pytest.mark.parametrize(
    ("melds", "refused"),
    [
        ("KS1 KH1 KD1, 7S1 7H1 7D1", None),  # 51
        ("KS1 KH1 KD1, 5S1 5H1 5D1 5C1", Refusal.OPENING_TOO_LOW),  # 50
    ],
)
def test_N14_the_bar_is_51(melds: str, refused: Refusal | None) -> None:
    assert refusal(unopened(melds.replace(",", "")), lay(melds)) == refused


def test_N14_two_submissions_do_not_add_up() -> None:
    state = unopened("KS1 KH1 KD1 QS1 QH1 QD1")
    assert refusal(state, lay("KS1 KH1 KD1")) == Refusal.OPENING_TOO_LOW
    assert refusal(state, lay("KS1 KH1 KD1, QS1 QH1 QD1")) is None


def test_N14_a_joker_counts_as_the_card_it_stands_for() -> None:
    state = unopened("QD1 JK1 AD1 7S1 7H1 JK2")
    assert refusal(state, lay("QD1 JK1 AD1, 7S1 7H1 JK2")) is None  # 31 + 21 = 52
    assert refusal(unopened("QD1 KD1 JK1 6S1 6H1 JK2"), lay("QD1 KD1 JK1, 6S1 6H1 JK2")) == (
        Refusal.OPENING_TOO_LOW  # 31 + 18 = 49
    )


@pytest.mark.parametrize(
    ("options", "low_run"), [(CLASSIC, None), (SIDES, None), (SAUDI, Refusal.OPENING_TOO_LOW)]
)
def test_N14_the_ace_of_a_low_run_opens_in_classic_only(
    options: HandOptions, low_run: Refusal | None
) -> None:
    melds = "AS1 2S1 3S1, KS1 KH1 KD1 KC1"
    assert refusal(unopened(melds.replace(",", ""), options=options), lay(melds)) == low_run


def test_N15_before_opening_no_lay_off_and_no_swap() -> None:
    state = unopened("8H1 7H1", table="5H1 6H1 JK1")
    assert refusal(state, LayOff(meld=1, card="8H1")) == Refusal.NOT_OPENED
    assert refusal(state, SwapJoker(meld=1, card="7H1")) == Refusal.NOT_OPENED


def test_N15_after_it_all_is_allowed_in_the_same_turn_at_any_value() -> None:
    hand = f"{OPENING} 2S1 2H1 2D1 9H1 7D1".replace(",", "")
    state = unopened(hand, table="6D1 JK1 8D1")
    state = after(state, lay(OPENING), lay("2S1 2H1 2D1"))
    state = after(state, LayOff(meld=2, card="9H1"), SwapJoker(meld=1, card="7D1"))
    state = after(state, LayOff(meld=4, card="JK1"))
    assert table(state) == [
        "6D1 7D1 8D1",
        "9H1 TH1 JH1 QH1 KH1",
        "4S1 4H1 4D1",
        "2S1 2H1 2D1 JK1",
    ]


def test_N13_ids_go_on_through_the_round_and_owners_stay() -> None:
    state = opened("2S1 2H1 2D1 9C1", table="9S1 9H1 9D1, 5H1 6H1 7H1")
    state = after(state, lay("2S1 2H1 2D1"), LayOff(meld=1, card="9C1"))
    assert [(meld.id, meld.owner) for meld in state.melds] == [(1, 3), (2, 3), (3, 0)]


def test_N16_saudi_the_bar_is_the_last_accepted_opening_and_one() -> None:
    hand = "KS1 KH1 KD1 QS1 QH1 QD1 9S1 9H1 9D1"
    state = unopened(hand, options=SAUDI, others=hand.replace("1", "2") + " 7C1 2C1")
    state = after(state, lay("KS1 KH1 KD1, QS1 QH1 QD1"))
    assert state.bar == 61
    state = after(state, lay("9S1 9H1 9D1"))
    assert state.bar == 61, "only the opening submission counts"
    state = after(state, Discard(card="2C1"))
    state = msgspec.structs.replace(state, step="act")
    sixty, eighty_seven = "KS2 KH2 KD2, QS2 QH2 QD2", "KS2 KH2 KD2, QS2 QH2 QD2, 9S2 9H2 9D2"
    assert refusal(state, lay(sixty), 1) == Refusal.OPENING_TOO_LOW
    assert after(state, lay(eighty_seven)).bar == 88


@pytest.mark.parametrize(("bar", "refused"), [(61, Refusal.OPENING_TOO_LOW), (60, None)])
def test_N16_a_bar_of_61_refuses_60(bar: int, refused: Refusal | None) -> None:
    state = unopened("KS1 KH1 KD1 QS1 QH1 QD1", options=SAUDI, bar=bar)
    assert refusal(state, lay("KS1 KH1 KD1, QS1 QH1 QD1")) == refused


def test_N16_saudi_61_is_accepted_then_and_the_bar_is_62() -> None:
    state = unopened("KS1 KH1 KD1 QD1 JK1 AD1", options=SAUDI, bar=61)
    assert after(state, lay("KS1 KH1 KD1, QD1 JK1 AD1")).bar == 62


@pytest.mark.parametrize("options", [CLASSIC, SIDES])
def test_N16_elsewhere_the_bar_stays_at_51(options: HandOptions) -> None:
    state = unopened("KS1 KH1 KD1 QS1 QH1 QD1", options=options)
    assert after(state, lay("KS1 KH1 KD1, QS1 QH1 QD1")).bar == 51


@pytest.mark.parametrize(
    ("options", "then"),
    [
        (CLASSIC, (True, False, False, False)),
        (SIDES, (True, False, False, False)),
        (SAUDI, (True, False, False, False)),
        (SAUDI_SIDES, (True, False, True, False)),
    ],
)
def test_N17_who_has_opened(options: HandOptions, then: tuple[bool, ...]) -> None:
    state = unopened("KS1 KH1 KD1 QS1 QH1 QD1", options=options)
    assert after(state, lay("KS1 KH1 KD1, QS1 QH1 QD1")).opened == then


def test_N17_the_team_mate_then_lays_any_value_and_lays_off() -> None:
    state = opened("2S1 2H1 2D1 8H1", options=SAUDI_SIDES, table="5H1 6H1 7H1", bar=99)
    state = after(state, LayOff(meld=1, card="8H1"))
    ((fact, then),) = said(state, lay("2S1 2H1 2D1"))
    assert isinstance(fact.body, MeldsLaid)
    assert fact.body.opening is False
    assert then.bar == 99


def test_lay_melds_is_refused_in_this_order() -> None:
    state = unopened("KS1 KH1 KD1 JK1 JK2 QS1 QH1")
    for text, refused in (
        ("KS1 KH1 KC1, JK1 JK2 KS1, KS1 QH1", Refusal.CARD_NOT_HELD),
        ("KS1 KS1 KH1", Refusal.DUPLICATE_CARD),
        ("KS1 KH1 KD1, KS1 QS1 QH1", Refusal.DUPLICATE_CARD),
        ("KS1 KS1 KH1, JK1 JK2 QS1", Refusal.DUPLICATE_CARD),
        ("JK1 JK2 KS1, QS1 QH1", Refusal.TOO_MANY_JOKERS),
        ("QS1 QH1, KS1 KH1 KD1", Refusal.NOT_A_MELD),
        ("QS1 QH1 JK1", Refusal.OPENING_TOO_LOW),
    ):
        assert refusal(state, lay(text)) == refused, text
    assert refusal(state, LayMelds(melds=((), ("KS1", "KH1", "KD1")))) == Refusal.NOT_A_MELD


@pytest.mark.parametrize("melds", [[], [["KS1"]] * 6])
def test_no_melds_and_more_than_five_are_malformed(melds: list[list[str]]) -> None:
    text = msgspec.json.encode({"type": "lay_melds", "melds": melds})
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(text, type=LayMelds)
