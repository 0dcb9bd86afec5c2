"""Naming trump: the guide's rule and its two examples."""

from itertools import permutations

import pytest

from schemas.advice import Reason
from schemas.commands import ChooseTrump, HokmOptions, Suggestion
from schemas.ids import Level
from schemas.views import BotTurn, HokmView
from services.bot.policy import suggest
from tests.bot.rounds import MATCH


def five(hand: str) -> HokmView:
    cards = tuple(hand.split())
    return HokmView(
        options=HokmOptions(),
        phase="choosing_trump",
        round=1,
        hakem=2,
        trump=None,
        turn=2,
        trick=(),
        earlier=(),
        tricks=(0, 0),
        score=(0, 0),
        left=(5, 5, 5, 5),
        seat=2,
        hand=cards,
        playable=(),
        winner=None,
    )


@pytest.mark.parametrize(
    ("hand", "suit"),
    [
        pytest.param("AS KS 9S 5D 3C", "S", id="the guide's easy example"),
        pytest.param("AD KC 8H 6H 3H", "H", id="the guide's harder example"),
        pytest.param("2D 3D 4D AS KS", "D", id="length before height"),
        pytest.param("QH 2H JC TC AS", "H", id="of equal suits that with the highest card"),
        pytest.param("AH 2H AC 3C KS", "C", id="then that with the next highest"),
        pytest.param("AH KH QH JH TH", "H", id="five of a suit"),
    ],
)
def test_H24_the_guides_rule_names_the_trump_in_whatever_order_the_five_came(
    hand: str, suit: str
) -> None:
    for order in permutations(hand.split()):
        assert suggested(" ".join(order)).actions == (ChooseTrump(suit=suit),)  # type: ignore[arg-type]


@pytest.mark.parametrize("level", ["white", "black", "chrome"])
def test_every_level_names_it_so_and_tells_the_suits_cards(level: Level) -> None:
    said = suggested("5D AS 9S 3C KS", level)
    assert said == suggested("AS KS 9S 5D 3C")
    assert said.reason == Reason(why="long_suit", cards=("9S", "AS", "KS"))
    assert said.candidates == ()


def suggested(hand: str, level: Level = "chrome") -> Suggestion:
    asked = BotTurn(match=MATCH, seat=2, move=1, level=level, task="advise", view=five(hand))
    return suggest(asked)
