"""H21: the reason of a hint is told from the card, whoever chose it."""

import pytest

from schemas.advice import HokmWhy, Reason
from schemas.cards import HOKM_PACK, HokmCard
from schemas.views import HokmView
from services.bot.hokm.position import read
from services.bot.hokm.reasons import reason
from services.bot.hokm.sight import Sight
from tests.bot.positions import LEFT, ME, position

PARTNERS_FIRST = "2: 4D 9D 3D KD"
"""He led a diamond first."""


def why(view: HokmView, card: HokmCard) -> Reason:
    at = read(view)
    return reason(Sight(at.round, at.round.legal()), HOKM_PACK.index(card))


@pytest.mark.parametrize(
    ("code", "card", "cards", "view"),
    [
        pytest.param(
            "cash_winner", "AD", ("AD",), position("AD 3D 4H 9S", trump="S"), id="a master led"
        ),
        pytest.param(
            "cash_winner",
            "AD",
            ("AD",),
            position("AD 3D 4H", trump="S", trick="QD"),
            id="a trick taken in the suit led",
        ),
        pytest.param(
            "cash_winner",
            "5D",
            ("5D",),
            position("5D 8D 4H", trump="S", trick="3D 2D 4D"),
            id="a trick that nobody comes after, with a low card",
        ),
        pytest.param(
            "low_card",
            "5D",
            ("5D",),
            position("5D 8D 4H", trump="S", trick="3D"),
            id="above the card led, with higher ones to come",
        ),
        pytest.param(
            "draw_trumps",
            "KS",
            ("KS",),
            position("KS QS 4H", trump="S", hakem=ME),
            id="a trump led",
        ),
        pytest.param(
            "save_for_partner",
            "3D",
            ("AD",),
            position("KD 3D 4H", trump="S", trick="AD 2D"),
            id="low on the partner's ace, which is named",
        ),
        pytest.param(
            "make_void",
            "4H",
            ("4H",),
            position("4H 9S KC QC JC", trump="S"),
            id="the only heart led",
        ),
        pytest.param(
            "make_void",
            "4H",
            ("4H", "5H"),
            position("4H 5H 9S KC QC JC", trump="S", trick="KD", tricks=(3, 3)),
            id="a heart thrown, with trumps to ruff the next",
        ),
        pytest.param(
            "return_suit",
            "5D",
            ("5D",),
            position("5D 8D 9S KC QC", trump="S", earlier=[PARTNERS_FIRST]),
            id="the suit that he led first",
        ),
        pytest.param(
            "ruff",
            "2S",
            ("2S",),
            position("2S 9S 4H", trump="S", trick="KD 2D 5D"),
            id="a trick taken with a trump",
        ),
        pytest.param(
            "save_from_hakem_kot",
            "2S",
            ("2S",),
            position("2S 9S 4H", trump="S", trick="KD 2D 5D", hakem=ME, tricks=(0, 3)),
            id="the hakem's first trick, by a ruff",
        ),
        pytest.param(
            "low_card",
            "3D",
            ("3D",),
            position("9D 3D 4H", trump="S", trick="KD"),
            id="nothing to be done",
        ),
    ],
)
def test_H21_each_reason_has_its_card(
    code: HokmWhy, card: HokmCard, cards: tuple[HokmCard, ...], view: HokmView
) -> None:
    assert why(view, card) == Reason(why=code, cards=cards)


def test_the_partner_who_is_not_hakem_saves_him_too() -> None:
    view = position("AD 3D", trump="S", trick="KD", hakem=2, tricks=(0, 4))
    assert why(view, "AD").why == "save_from_hakem_kot"


def test_an_opponent_of_the_hakem_cashes() -> None:
    view = position("AD 3D", trump="S", trick="KD", hakem=LEFT, tricks=(0, 4))
    assert why(view, "AD").why == "cash_winner"
