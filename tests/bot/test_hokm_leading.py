"""What the bot leads, tip by tip."""

import pytest

from services.rules.tricks import SUIT_OF
from tests.bot.positions import LEFT, ME, PARTNER, RIGHT, card, position

TRUMPS_OF_BOTH_ARE_OUT = ("0: 2S 5D 3S 6D", "2: 2C 3C 4C 5C")
"""Spades are trump: both opponents threw a diamond on one, the partner followed."""


class TestTip1CountTrumps:
    def test_no_trump_is_drawn_when_only_the_partner_may_hold_one(self) -> None:
        view = position("AS KS QS JS 7H", trump="S", hakem=ME, earlier=TRUMPS_OF_BOTH_ARE_OUT)
        assert card(view) == "7H"

    def test_no_trump_is_drawn_when_all_thirteen_are_accounted_for(self) -> None:
        gone = ("0: 2S 3S 4S 5S", "0: 6S 7S 8S 9S", "0: TS JS QS 2D")
        view = position("AS KS 7H 8H", trump="S", hakem=ME, earlier=gone)
        assert SUIT_OF[card(view)] == "H"

    def test_trumps_are_drawn_while_one_opponent_may_hold_one(self) -> None:
        right_is_out = ("0: 2S 5D 3S 4S",)
        view = position("AS KS QS JS 7H", trump="S", hakem=ME, earlier=right_is_out)
        assert SUIT_OF[card(view)] == "S"

    def test_with_the_opponents_out_of_trumps_the_longest_suit_is_run_from_the_top(self) -> None:
        view = position("KS QH 9H 7H 2D", trump="S", hakem=ME, earlier=TRUMPS_OF_BOTH_ARE_OUT)
        assert card(view) == "QH"


class TestTip2DrawTrumps:
    def test_hakem_with_four_trumps_leads_the_lowest_of_them(self) -> None:
        assert card(position("KS 9S 8S 3S AD 2C", trump="S", hakem=ME)) == "3S"

    def test_hakem_with_three_trumps_and_the_master_leads_the_master(self) -> None:
        assert card(position("AS 9S 3S AD 2C", trump="S", hakem=ME)) == "AS"

    def test_of_masters_that_are_worth_the_same_the_lowest_is_led(self) -> None:
        assert card(position("AS KS QS 3S AD", trump="S", hakem=ME)) == "QS"

    def test_a_card_that_was_played_makes_the_next_one_the_master(self) -> None:
        ace_is_gone = ("1: AS 2S 4S 5S",)
        view = position("KS 9S 3S AD 2C", trump="S", hakem=ME, earlier=ace_is_gone)
        assert card(view) == "KS"

    def test_the_hakems_partner_draws_them_too(self) -> None:
        assert card(position("AS 9S 3S AD 2C", trump="S", hakem=PARTNER)) == "AS"

    def test_with_three_trumps_without_the_master_none_is_drawn(self) -> None:
        assert card(position("KS 9S 3S AD 2C", trump="S", hakem=ME)) == "AD"

    def test_the_side_against_the_hakem_does_not_draw_its_own(self) -> None:
        assert card(position("AS KS QS JS AD 2C", trump="S", hakem=RIGHT)) == "AD"


class TestTip4MakeAVoid:
    def test_the_shortest_side_suit_is_led_from(self) -> None:
        assert card(position("2S 3S 9H JH 4D 6D 8D", trump="S")) == "9H"

    def test_of_two_short_suits_the_lowest_card_is_led(self) -> None:
        assert card(position("2S 9H 3C 4D 6D", trump="S")) == "3C"


class TestTip5ReturnThePartnersSuit:
    PARTNER_LED_CLUBS = ("2: 4C JC 2C 6C", "3: 3H 4H 5H QH", "2: 7D 8D 2D 3D")

    def test_the_suit_of_his_first_lead_is_returned_not_that_of_his_second(self) -> None:
        view = position("2S 9C 8C 7C 4D 6H", trump="S", earlier=self.PARTNER_LED_CLUBS)
        assert card(view) == "7C"

    def test_a_trump_that_he_led_is_not_returned(self) -> None:
        view = position("3S 4S 9H 7H 8D", trump="S", earlier=("2: 2S 5S AS 6S",))
        assert card(view) == "8D"

    def test_it_is_not_returned_into_a_known_ruff(self) -> None:
        left_is_out = ("2: 4C 2H 2C 6C", *self.PARTNER_LED_CLUBS[1:])
        view = position("2S 9C 8C 7C 4D", trump="S", earlier=left_is_out)
        assert card(view) == "4D"


class TestTip6NoLoneAceIsHeldLong:
    def test_it_is_cashed_before_anybody_is_void(self) -> None:
        assert card(position("9S AD 3H 4H 2C", trump="S")) == "AD"

    def test_of_two_aces_that_of_the_suit_which_the_others_hold_most_of_goes_first(self) -> None:
        assert card(position("9S AD KD 4D AH 2C", trump="S")) == "AH"

    def test_a_king_is_cashed_when_the_ace_is_gone(self) -> None:
        view = position("9S KD 4D 3H 2C", trump="S", earlier=("1: AD 5D 2D 6D",))
        assert card(view) == "KD"

    def test_a_king_is_not_cashed_while_the_ace_is_out(self) -> None:
        assert card(position("9S KD 4D 3H", trump="S")) == "3H"

    def test_a_nine_is_cashed_when_only_the_partner_may_hold_a_higher_one(self) -> None:
        both_are_out = (*TRUMPS_OF_BOTH_ARE_OUT, "2: 2H 7D 3H 8D")
        view = position("9H KD 4D 3D", trump="S", earlier=both_are_out)
        assert card(view) == "9H"


class TestTip7MindHakemKot:
    def test_hakems_side_without_a_trick_takes_a_certain_one(self) -> None:
        view = position("AS 2S AD 3H", trump="S", hakem=PARTNER, tricks=(0, 4))
        assert card(view) == "AS"

    def test_with_a_trick_the_ace_of_trumps_is_kept(self) -> None:
        view = position("AS 2S AD 3H", trump="S", hakem=PARTNER, tricks=(1, 4))
        assert card(view) == "AD"

    def test_an_ace_that_may_be_ruffed_is_not_called_certain(self) -> None:
        view = position("KS AD 3H", trump="S", hakem=PARTNER, tricks=(0, 4))
        assert card(view) == "AD", "nothing is certain here: the ordinary rules lead the ace"
        view = position("AS AD 3H", trump="S", hakem=PARTNER, tricks=(0, 4))
        assert card(view) == "AS"


class TestTheSeventhTrick:
    @pytest.mark.parametrize("tricks", [(6, 3), (3, 6)], ids=["ours", "theirs"])
    def test_a_certain_card_is_led_when_the_trick_decides(self, tricks: tuple[int, int]) -> None:
        view = position("AS AD KD 3H", trump="S", tricks=tricks)
        assert card(view) == "AS"

    def test_of_certain_cards_a_side_suits_is_led_before_a_trump(self) -> None:
        view = position("AS AD 3H", trump="S", tricks=(6, 3), earlier=TRUMPS_OF_BOTH_ARE_OUT)
        assert card(view) == "AD"


class TestNeverIntoAKnownRuff:
    RIGHT_IS_OUT_OF_DIAMONDS = ("3: AD 4D 2C 3D",)

    def test_an_ace_is_kept_when_an_opponent_would_ruff_it(self) -> None:
        view = position("9S KD QD 3H", trump="S", earlier=self.RIGHT_IS_OUT_OF_DIAMONDS)
        assert card(view) == "3H"

    def test_an_opponent_without_trumps_ruffs_nothing(self) -> None:
        out = (*self.RIGHT_IS_OUT_OF_DIAMONDS, "3: 2S 5S 2H 3S")
        view = position("9S KD QD 3H 4H 5H", trump="S", earlier=out)
        assert card(view) == "KD"

    def test_a_suit_of_which_nothing_is_unseen_is_ruffed_by_anybody(self) -> None:
        gone = ("0: 2D 3D 4D 5D", "0: 6D 7D 8D 9D", "0: TD JD QD KD")
        view = position("9S AD 3H", trump="S", earlier=gone)
        assert card(view) == "3H"

    def test_a_trump_is_led_when_every_side_suit_would_be_ruffed(self) -> None:
        view = position("9S 5S KD QD", trump="S", earlier=self.RIGHT_IS_OUT_OF_DIAMONDS)
        assert card(view) == "5S"

    def test_with_nothing_else_left_the_lowest_card_goes_into_it(self) -> None:
        view = position("KD QD", trump="S", earlier=self.RIGHT_IS_OUT_OF_DIAMONDS)
        assert card(view) == "QD"


class TestGiveTheRuff:
    def test_the_partners_void_is_led_if_no_opponent_shares_it(self) -> None:
        partner_is_out = ("3: KD 4D 5D 2C",)
        view = position("9D 8D 7D 2H", trump="S", earlier=partner_is_out)
        assert card(view) == "7D"

    def test_it_is_not_led_if_an_opponent_ruffs_too(self) -> None:
        both_are_out = ("3: KD 4D 2H 2C",)
        view = position("9D 8D 7D JH TH", trump="S", earlier=both_are_out)
        assert card(view) == "TH"

    def test_it_is_not_led_if_the_partner_has_no_trump(self) -> None:
        partner_is_out = ("3: KD 4D 5D 2C", "3: 2S 3S 4S 3C")
        view = position("9D 8D 7D 2H", trump="S", earlier=partner_is_out)
        assert card(view) == "2H"


def test_the_last_trumps_are_led_from_the_master() -> None:
    assert card(position("AS 3S", trump="S", hakem=LEFT)) == "AS"
    assert card(position("KS 3S", trump="S", hakem=LEFT)) == "3S"
