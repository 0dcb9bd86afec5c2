"""What the bot plays on a trick that others have begun."""

from tests.bot.positions import LEFT, ME, PARTNER, card, position

RIGHT_IS_OUT_OF_DIAMONDS = ("3: JD TD 2C 3D",)


class TestTip3NothingIsWastedOnThePartnersTrick:
    def test_the_lowest_card_follows_his_ace(self) -> None:
        assert card(position("KD QD 3D 4H", trump="S", trick="AD 2D")) == "3D"

    def test_the_lowest_card_follows_when_nobody_is_to_come(self) -> None:
        assert card(position("AD KD 3D 4H", trump="S", trick="5D 8D 2D")) == "3D"

    def test_his_sure_trick_is_not_ruffed(self) -> None:
        assert card(position("2S 3S 9H 4C", trump="S", trick="5D 8D 2D")) == "4C"

    def test_his_ruff_is_not_overruffed(self) -> None:
        assert card(position("AS KS 9H 4C", trump="S", trick="5D 2S 8D")) == "4C"

    def test_no_ace_is_thrown_on_it_while_there_is_another_card(self) -> None:
        assert card(position("AH AC KC 2S", trump="S", trick="5D 8D 2D")) == "KC"

    def test_trumps_are_thrown_last_of_all(self) -> None:
        assert card(position("AH 2S", trump="S", trick="5D 8D 2D")) == "AH"
        assert card(position("9S 2S", trump="S", trick="5D 8D 2D")) == "2S"

    def test_his_card_is_sure_once_all_higher_ones_are_mine_or_gone(self) -> None:
        gone = ("1: AD 4D 5D 6D",)
        view = position("KD QD 3D 4H", trump="S", trick="JD 2D", earlier=gone)
        assert card(view) == "3D"

    def test_his_card_is_sure_if_the_fourth_can_neither_follow_nor_ruff(self) -> None:
        out = (*RIGHT_IS_OUT_OF_DIAMONDS, "3: 2S 4S 2H 3S")
        view = position("AD KD 4D 4H", trump="S", trick="5D 2D", earlier=out)
        assert card(view) == "4D"


class TestThePartnerMayBeBeaten:
    def test_a_low_card_of_his_is_covered_by_the_ace(self) -> None:
        assert card(position("AD 3D 4H", trump="S", trick="9D 2D")) == "AD"

    def test_a_king_that_is_worth_the_ace_is_played_for_it(self) -> None:
        assert card(position("AD KD QD 3D", trump="S", trick="9D 2D")) == "QD"

    def test_a_card_that_is_worth_no_more_than_his_is_not_spent(self) -> None:
        gone = ("1: AD KD 5D 6D",)
        view = position("JD 3D 4H", trump="S", trick="TD 2D", earlier=gone)
        assert card(view) == "3D"

    def test_his_queen_is_not_covered_by_a_king_that_may_be_beaten_itself(self) -> None:
        assert card(position("KD 3D 4H", trump="S", trick="QD 2D")) == "3D"

    def test_his_queen_is_covered_by_the_ace(self) -> None:
        assert card(position("AD 3D 4H", trump="S", trick="QD 2D")) == "AD"

    def test_a_card_is_not_spent_where_the_fourth_will_ruff(self) -> None:
        view = position("AD 4D 4H", trump="S", trick="9D 2D", earlier=RIGHT_IS_OUT_OF_DIAMONDS)
        assert card(view) == "4D"

    def test_his_low_card_is_ruffed_over(self) -> None:
        assert card(position("2S 9S 4H", trump="S", trick="9D 2D")) == "2S"

    def test_his_queen_is_not_ruffed(self) -> None:
        assert card(position("2S 9S 4H", trump="S", trick="QD 2D")) == "4H"

    def test_his_queen_is_ruffed_over_if_the_fourth_ruffs_it_anyway(self) -> None:
        view = position("2S 9S 4H", trump="S", trick="QD 2D", earlier=RIGHT_IS_OUT_OF_DIAMONDS)
        assert card(view) == "2S"


class TestAnOpponentHoldsTheTrick:
    def test_the_last_to_play_takes_it_with_the_lowest_card_that_does(self) -> None:
        assert card(position("AD QD 9D 3D", trump="S", trick="8D 2D TD")) == "QD"

    def test_the_last_to_play_ruffs_with_the_lowest_trump(self) -> None:
        assert card(position("AS 9S 3S 4H", trump="S", trick="8D 2D TD")) == "3S"

    def test_the_last_to_play_overruffs_with_the_lowest_trump_that_does(self) -> None:
        assert card(position("AS 9S 3S 4H", trump="S", trick="8D 2D 5S")) == "9S"

    def test_without_a_card_that_takes_it_the_lowest_is_given(self) -> None:
        assert card(position("QD 9D 3D", trump="S", trick="8D 2D KD")) == "3D"
        assert card(position("QD 9D 3D", trump="S", trick="8D 2D 4S")) == "3D"

    def test_a_trump_too_low_to_overruff_is_not_thrown(self) -> None:
        assert card(position("3S 4H", trump="S", trick="8D 2D 5S")) == "4H"

    def test_second_to_play_takes_it_with_the_master(self) -> None:
        assert card(position("AD 9D 3D", trump="S", trick="KD")) == "AD"

    def test_of_cards_worth_the_master_the_lowest_that_takes_the_trick_is_played(self) -> None:
        assert card(position("AD KD 3D", trump="S", trick="QD")) == "KD"
        assert card(position("AD QD 3D", trump="S", trick="KD")) == "AD", "QD does not take it"

    def test_second_to_play_keeps_a_king_that_may_be_beaten(self) -> None:
        assert card(position("KD 9D 3D", trump="S", trick="8D")) == "3D"

    def test_second_to_play_ruffs_low(self) -> None:
        assert card(position("AS 2S 9H", trump="S", trick="8D")) == "2S"

    def test_third_to_play_makes_the_fourth_spend_a_high_card(self) -> None:
        assert card(position("KD 9D 3D", trump="S", trick="2D 8D")) == "KD"
        assert card(position("QD JD 3D", trump="S", trick="2D 8D")) == "JD"


class TestWhatIsThrownAway:
    def test_tip_4_of_equal_cards_that_of_the_shorter_suit(self) -> None:
        assert card(position("3H 7H 9H 3C", trump="S", trick="8D 2D KD")) == "3C"

    def test_a_ten_that_has_become_the_master_is_kept(self) -> None:
        view = position("TH JC", trump="S", trick="8D 2D KD", earlier=("1: AH KH QH JH",))
        assert card(view) == "JC"

    def test_the_lowest_goes_first(self) -> None:
        assert card(position("JH TC", trump="S", trick="8D 2D KD")) == "TC"

    def test_one_out_of_trumps_throws_away_when_they_are_led(self) -> None:
        assert card(position("AH JH TC", trump="S", trick="8S")) == "TC"


class TestTip7MindHakemKot:
    def test_hakems_side_without_a_trick_ruffs_so_that_it_keeps_it(self) -> None:
        view = position(
            "AS 2S 9H",
            trump="S",
            trick="8D",
            hakem=ME,
            tricks=(0, 3),
            earlier=RIGHT_IS_OUT_OF_DIAMONDS,
        )
        assert card(view) == "AS"

    def test_with_a_trick_it_ruffs_low_all_the_same(self) -> None:
        view = position(
            "AS 2S 9H",
            trump="S",
            trick="8D",
            hakem=ME,
            tricks=(1, 3),
            earlier=RIGHT_IS_OUT_OF_DIAMONDS,
        )
        assert card(view) == "2S"

    def test_the_side_against_the_hakem_is_in_no_such_hurry(self) -> None:
        view = position(
            "AS 2S 9H",
            trump="S",
            trick="8D",
            hakem=LEFT,
            tricks=(0, 3),
            earlier=RIGHT_IS_OUT_OF_DIAMONDS,
        )
        assert card(view) == "2S"

    def test_a_trick_that_may_not_be_kept_is_not_bought_with_a_king(self) -> None:
        view = position("KD 9D 3D", trump="S", trick="8D", hakem=PARTNER, tricks=(0, 3))
        assert card(view) == "3D"

    def test_the_partners_ace_saves_it_as_well(self) -> None:
        view = position("AS 2S 9H", trump="S", trick="AD 2D", hakem=PARTNER, tricks=(0, 3))
        assert card(view) == "9H"


class TestTheTrickThatDecides:
    def test_the_seventh_is_ruffed_with_the_trump_that_nobody_beats(self) -> None:
        assert card(position("AS 2S 9H", trump="S", trick="8D", tricks=(6, 2))) == "AS"

    def test_the_seventh_is_made_certain_over_a_partner_who_may_be_ruffed(self) -> None:
        assert card(position("AS 2S 9H", trump="S", trick="AD 2D", tricks=(6, 2))) == "AS"

    def test_a_certain_partner_is_left_alone(self) -> None:
        assert card(position("AS 2S 9H", trump="S", trick="3D AD 2D", tricks=(6, 2))) == "9H"

    def test_a_trump_that_may_be_beaten_makes_the_partners_ace_no_surer(self) -> None:
        assert card(position("KS 2S 9H", trump="S", trick="AD 2D", tricks=(6, 2))) == "9H"

    def test_the_opponents_seventh_is_fought_with_a_king_that_may_be_beaten(self) -> None:
        assert card(position("KD 9D 3D", trump="S", trick="8D", tricks=(2, 6))) == "KD"

    def test_the_master_is_surer_than_a_low_trump_but_costs_no_more_than_it_must(self) -> None:
        view = position("AS KS 9H", trump="S", trick="8D", tricks=(6, 6))
        assert card(view) == "KS", "the ace is mine too, so the king is as sure"


def test_a_single_playable_card_is_played() -> None:
    assert card(position("AD 2S 9H", trump="S", trick="KD")) == "AD"
