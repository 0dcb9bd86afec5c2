"""What a round of Hokm gives besides its score: XO points, at a masked table (H22)."""

import re

import pytest

from schemas.commands import HokmOptions, HokmScore
from schemas.events import Event, RoundScored
from schemas.feed import Happened
from schemas.ids import Seat as SeatNumber
from services.cli.join.arrival import Wishes
from services.cli.join.news import Ears, told
from services.cli.join.speech import speech
from tests.cli.joining import Paper, Seat, first, house, of_bots
from tests.table.hall import MATCH, Hall

GIVEN = "This round gives you 10 XO points."
SCORED = Happened(
    event=Event(
        match=MATCH,
        version=60,
        time=0,
        origin="rule",
        seat=None,
        body=RoundScored(round=1, score=HokmScore(side=0, kind="kot", points=2), totals=(2, 0)),
    ),
    head="0" * 64,
)
"""Side 0 has won a round."""


@pytest.mark.parametrize(
    ("me", "masked", "given"),
    [(0, True, True), (2, True, True), (1, True, False), (0, False, False), (None, True, False)],
)
def test_H22_xo_points_are_told_to_who_gets_them(
    me: SeatNumber | None, *, masked: bool, given: bool
) -> None:
    text = told(Ears(speech("en"), HokmOptions(), me, masked), SCORED)
    assert text is not None
    assert text.startswith("Kot (")
    assert text.endswith("\n" + GIVEN) is given
    assert (GIVEN in text) is given


async def test_H22_each_round_that_was_won_at_a_masked_table_tells_its_points() -> None:
    async with Hall() as hall, house(hall):
        paper = Paper(first)
        await Seat(hall).play(paper, Wishes(opening=of_bots(HokmOptions(target=7)).action))
    mine = re.findall(r"^\S+.* \(we\): \+[123]\. Score: .*\n(.*)", paper.text, re.MULTILINE)
    assert mine == [GIVEN] * len(mine)
    assert paper.text.count(GIVEN) == len(mine)
