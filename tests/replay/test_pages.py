"""A moment as text: exact pages of fixed positions, and what no page of a viewer may name."""

import re
from collections.abc import Sequence
from typing import Final

import pytest

from schemas.cards import HAND_PACK, Card
from schemas.feed import Sitting
from schemas.ids import Seat
from schemas.views import HandView, HokmView, View
from services.replay import rebuild
from services.replay.deductions import deduced
from services.replay.looks import Look, Stage, look
from services.replay.pages import WIDTH, happened, page, table
from services.replay.pages.layout import LEAST
from services.rules import sight
from tests.replay.positions import hand_view, hokm_view
from tests.rules.hand_play import cards
from tests.streams import played
from tests.table import test_hidden, test_hidden_hand
from tests.table.twins import Script

OWNER: Final = "u_player000"
CARD: Final = re.compile(r"\b(?:[2-9TJQKA][SHDC][12]?|JK[12])\b")
"""A card of either game anywhere in a text."""


def sitting(seats: int, house: Sequence[Seat] = ()) -> tuple[Sitting, ...]:
    return tuple(
        Sitting(
            seat=seat,
            player=None if seat in house else f"u_player{seat:03}",
            control="house" if seat in house else "owner",
            level="black" if seat in house else None,
        )
        for seat in range(seats)
    )


def looked(view: View, *hands: tuple[Card, ...] | None, judge: bool = False) -> Look:
    return Look(
        viewer="judge" if judge else "seat:0",
        owner=OWNER,
        stage="shuffled",
        sitting=sitting(len(hands), house=[1]),
        view=view,
        hands=hands,
        deduced=None if judge else deduced(view),
    )


HOKM_PAGE: Final = """\
Hokm, round 1: seat 0 is to play
score        0:0 of 2   tricks 1:1
trump        ♥ H
on the table seat 2: 3C   seat 3: 9C
last trick   seat 2: AD   seat 3: 5D   seat 0: 6D   seat 1: 7S   to seat 2

> seat 0  side 0 hakem you  u_player000    11  ♠ KS QS JS  ♥ AH KH 3H  ♦ KD 2D  ♣ AC KC 2C
  seat 1  side 1            house (black)  11  hidden
  seat 2  side 0            u_player002    10  hidden
  seat 3  side 1            u_player003    10  hidden

Seat 0 could tell: 31 cards are unseen, 9 of them trumps
suit  left  highest  masters  seat 0  seat 1  seat 2  seat 3  unseen
♠ S   9     KS       3        3       0-6     void    0-6     TS 9S 8S 6S 5S 3S
♥ H   12    AH       2        3       0-9     0-9     0-9     QH JH TH 9H 8H 7H 6H 5H 4H
♦ D   10    KD       1        2       void    0-8     0-8     QD JD TD 9D 8D 7D 4D 3D
♣ C   11    AC       2        3       0-8     0-8     0-8     QC JC TC 8C 7C 6C 5C 4C"""

JUDGES_PAGE: Final = """\
Hokm, round 1: the hakem, seat 0, names trump
score        1:0 of 2   tricks 0:0
trump        -
on the table -
last trick   -

> seat 0  side 0 hakem  u_player000     5  ♠ AS  ♥ KH 2H  ♣ 4C 3C
  seat 1  side 1        house (black)   5  ♦ 6D 5D 4D 3D 2D
  seat 2  side 0        u_player002     5  ♠ 6S 5S 4S 3S 2S
  seat 3  side 1        u_player003     5  ♣ AC KC QC JC TC"""

HAND_PAGE: Final = """\
Hand (classic), round 1 of 3: seat 1 is to lay or to throw
  seat 0  not opened you  u_player000    13
    ♠ 7S1 6S1 4S1 3S1 2S1  ♥ 8H1 7H1 6H1 5H1 4H1 3H1 2H1  JK1
> seat 1  opened          house (black)  11  hidden
  seat 2  not opened      u_player002    14  hidden

fire         2C1 8D2 (on top)
duties       seat 1 owes an opening   seat 1 must place JK2   seat 1 may not throw KH1
stock        60 cards   reshuffles 0
totals       seat 0: 0   seat 1: -30   seat 2: 100
dealer       seat 2   bar 51
melds        id, owner, kind, cards
   1  seat 1  run  9H1 TH1 JH2

Seat 0 could tell: 86 cards are unseen
seat 1 holds ♦ KD1  JK2
  threw      5S1
  took       JH2 of seat 0 (placed), KD1 of seat 0 (held)
seat 2 holds nothing that is known
  threw      5S1
  took       5S1 of seat 1 (thrown)
deadwood     seat 0: 72-72   seat 1: 47-123   seat 2: 40-148
"""


def test_hokms_table_as_a_seat_sees_it() -> None:
    view = hokm_view()
    assert table(looked(view, view.hand, None, None, None)) == HOKM_PAGE


def test_hokms_table_as_a_judge_sees_it_before_trump_is_named() -> None:
    fives = ("KH AS 2H 4C 3C", "2D 3D 4D 5D 6D", "6S 5S 4S 3S 2S", "TC JC QC KC AC")
    before = {"phase": "choosing_trump", "trump": None, "trick": (), "earlier": ()}
    counts = {"tricks": (0, 0), "score": (1, 0), "left": (5, 5, 5, 5)}
    view = hokm_view(**before, **counts, seat=None, hand=(), playable=())
    assert table(looked(view, *map(cards, fives), judge=True)) == JUDGES_PAGE


def test_hands_table_as_a_seat_sees_it() -> None:
    duties = {"phase": "act", "must_place": ("JK2",), "taken": "KH1", "must_open": True}
    view = hand_view(**duties, totals=(0, -30, 100))
    found = table(looked(view, view.hand, None, None))
    text, _, unseen = found.partition("unseen       ")
    assert text == HAND_PAGE
    assert CARD.findall(unseen)[:4] == ["AS1", "AS2", "KS1", "KS2"]
    assert len(CARD.findall(unseen)) == 86


def test_N27_after_a_reshuffle_what_must_be_in_hands_stands_apart() -> None:
    view = hand_view(fire=("8D2",), reshuffles=1, drawn="2S1")
    found = table(looked(view, view.hand, None, None)).splitlines()
    assert "shuffled     ♠ 5S1  ♣ 2C1" in found
    assert any(line.startswith("in hands     ♠ AS1 AS2") for line in found)
    assert "stock        60 cards   reshuffles 1" in found
    assert "duties       drawn: 2S1" in found


def test_no_line_ends_between_a_suit_and_its_first_card() -> None:
    view = hand_view()
    for line in table(looked(view, view.hand, None, None)).splitlines():
        assert not line.endswith(("♠", "♥", "♦", "♣"))


def test_of_a_long_fire_the_top_is_shown() -> None:
    fire = cards("2S1 3S1 4S1 5S2 6S1 7S1 8S1 9S1 TS1 JS1 QS1 KS1 AS1 2D1")
    found = table(looked(hand_view(fire=fire), None, None, None)).splitlines()
    top = "4S1 5S2 6S1 7S1 8S1 9S1 TS1 JS1 QS1 KS1 AS1 2D1"
    assert f"fire         2 more, {top} (on top)" in found


def test_a_hand_without_cards_hides_nothing() -> None:
    view = hand_view(left=(13, 0, 14))
    found = table(looked(view, view.hand, None, None)).splitlines()
    assert "> seat 1  opened          house (black)   0  -" in found
    assert "  seat 2  not opened      u_player002    14  hidden" in found


def waiting(stage: Stage, *seats: Sitting) -> list[str]:
    """The page of a match without cards."""
    seen = Look(
        viewer="public", owner=OWNER, stage=stage, sitting=seats, view=None, hands=(), deduced=None
    )
    return table(seen).splitlines()


def test_before_the_first_deal_a_page_says_who_sits_where_and_what_it_waits_for() -> None:
    free = Sitting(seat=3, player=None, control="owner", level=None)
    assert waiting("lobby", *sitting(3, house=[1]), free) == [
        "Not started: the match waits for seat 3 to be taken.",
        "  seat 0  u_player000",
        "  seat 1  house (black)",
        "  seat 2  u_player002",
        "  seat 3  free",
    ]
    first, *_ = waiting("lobby", *sitting(4, house=[1]))
    assert first == "Not started: the match waits for u_player000 to start it."


def test_each_step_before_the_first_deal_has_words_of_its_own() -> None:
    rows = played(7).rows
    found = [table(look("public", rebuild.at(rows, at).state)).splitlines()[0] for at in (1, 4, 5)]
    assert found == [
        "Not started: the match waits for seat 2 to be taken.",
        "Started: the cards are to be shuffled.",
        "Shuffled: nothing is dealt yet.",
    ]
    assert waiting("over", *sitting(2))[0] == "Over before anything was dealt."


def test_H24_a_seat_that_the_house_holds_for_somebody_names_both() -> None:
    away = Sitting(seat=0, player=OWNER, control="house", level="chrome")
    assert waiting("lobby", away)[1] == "  seat 0  house for u_player000"


def test_a_page_says_which_moment_it_is_and_what_happened() -> None:
    rows = played(7).rows
    moment = rebuild.at(rows, 12)
    first, second, third, *_ = page(moment, look("seat:2", moment.state), len(rows)).splitlines()
    assert first == f"seat:2  version 12 of 199  {moment.match}  2026-11-30 00:53:25 UTC"
    assert (second, third) == ("> seat 3 plays 8C", "")


def test_the_end_says_whether_a_side_or_a_seat_wins() -> None:
    rows = played(7).rows
    assert happened(rebuild.at(rows, len(rows))) == "the match ends: side 0 wins with 2:1"


@pytest.mark.parametrize("width", [78, 40, 1])
def test_a_narrow_page_holds_what_a_wide_one_does(width: int) -> None:
    for seen in (hokm_view(), hand_view()):
        hands = (seen.hand, *[None] * (len(seen.left) - 1))
        wide, narrow = table(looked(seen, *hands)), table(looked(seen, *hands), width)
        assert narrow.split() == wide.split() or width == 1
        assert max(map(len, narrow.splitlines())) <= max(width, LEAST)


def test_in_eighty_columns_a_hand_is_under_its_seat_and_not_broken() -> None:
    lines = table(looked(hand_view(), hand_view().hand, None, None), 78).splitlines()
    at = lines.index("  seat 0  not opened you  u_player000    13")
    assert lines[at + 1] == "    ♠ 7S1 6S1 4S1 3S1 2S1  ♥ 8H1 7H1 6H1 5H1 4H1 3H1 2H1  JK1"


# Every page -----------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("game", ["hokm", "hand"])
def test_no_page_names_a_hidden_card_as_anybodys_or_is_too_wide(seed: int, game: str) -> None:
    """Above what could be told a page names only cards that its viewer sees."""
    script = test_hidden.script_of(seed) if game == "hokm" else hand_script(seed)
    while script.live.state.ended is None and len(script.rows) < 150:
        script.move()
        seats = len(script.live.state.chairs)
        for seat in (*range(seats), None):
            viewer = "public" if seat is None else f"seat:{seat}"
            text = table(look(viewer, script.live.state))
            assert max(map(len, text.splitlines())) <= WIDTH
            shown = set(CARD.findall(text.partition("could tell")[0]))
            assert shown <= visible(sight.view(script.live.state, seat))


def hand_script(seed: int) -> Script:
    variants = test_hidden_hand.VARIANTS
    return Script(seed, variants[seed], HAND_PACK, test_hidden_hand.mover)


def visible(view: View | None) -> set[Card]:
    """What lies open, and the viewer's own."""
    if isinstance(view, HokmView):
        tricks = (*view.earlier, view.trick)
        return {play.card for trick in tricks for play in trick} | set(view.hand)
    assert isinstance(view, HandView)
    laid = {card for meld in view.melds for card in meld.cards}
    return laid | set(view.fire) | set(view.hand) | set(view.must_place) | {view.taken or ""}
