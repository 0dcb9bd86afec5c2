"""Long lines of the table in a narrow terminal."""

import pytest

from schemas.commands import HandOptions
from services.cli.join.arrival import Wishes
from services.cli.join.fitting import fitted
from services.cli.join.speech import ISOLATE, POP
from tests.cli.joining import Paper, Seat, house, lines, of_bots
from tests.table.hall import Hall

OFFERS = "You may play: 1) 2S   2) 3S   3) TS   4) JS   5) QS   6) KS   7) AS   8) 2H   9) 3H"


@pytest.mark.parametrize("columns", range(16, 100, 7))
def test_a_line_is_broken_between_cards_and_nothing_of_it_is_lost(columns: int) -> None:
    parts = fitted(OFFERS, columns)
    assert max(map(len, parts)) <= columns
    assert " ".join(parts).split() == OFFERS.split()


def test_what_fits_is_left_as_it_is_and_so_is_all_where_there_is_no_terminal() -> None:
    assert fitted(OFFERS, len(OFFERS)) == fitted(OFFERS, None) == fitted(OFFERS, 1) == [OFFERS]


def test_a_word_that_is_longer_than_the_terminal_stays_whole() -> None:
    assert fitted("m_" + "0" * 32, 20) == ["m_" + "0" * 32]


def test_a_line_with_a_direction_of_its_own_is_never_broken() -> None:
    line = f"{ISOLATE}{OFFERS}{POP}"
    assert fitted(line, 30) == [line]


async def test_the_table_is_shown_in_the_terminals_width() -> None:
    hand = HandOptions(variant="classic", seats=4, rounds=3)
    async with Hall() as hall, house(hall):
        paper = Paper(lines("y", "show"))
        paper.columns = 40
        await Seat(hall).play(paper, Wishes(opening=of_bots(hand).action))
    shown = [line for line in paper.lines if line.startswith(("Your cards (", "Cards:"))]
    assert shown
    assert max(map(len, shown)) <= 40
