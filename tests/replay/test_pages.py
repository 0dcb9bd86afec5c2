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
from services.replay.looks import Look, look
from services.replay.pages import WIDTH, page, table
from services.rules import sight
from tests.replay.positions import hand_view, hokm_view
from tests.rules.hand_play import cards
from tests.streams import played
from tests.table import test_hidden, test_hidden_hand
from tests.table.twins import Script

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
        sitting=sitting(len(hands), house=[1]),
        view=view,
        hands=hands,
        deduced=None if judge else deduced(view),
    )


HOKM_PAGE: Final = """\
Hokm, round 1: playing
score        0:0 of 2   tricks 1:1
trump        ♥ H
on the table seat 2: 3C   seat 3: 9C
last trick   seat 2: AD   seat 3: 5D   seat 0: 6D   seat 1: 7S   taken by seat 2

> seat 0  side 0 hakem you         11  ♠ JS QS KS  ♥ 3H KH AH  ♦ 2D KD  ♣ 2C KC AC
  seat 1  side 1            house  11  hidden
  seat 2  side 0                   10  hidden
  seat 3  side 1                   10  hidden

Seat 0 could tell: 31 cards are unseen, 9 of them trumps
suit  left  highest  sure  seat 0  seat 1  seat 2  seat 3  unseen
♠ S   9     KS       3     3       0-6     void    0-6     3S 5S 6S 8S 9S TS
♥ H   12    AH       2     3       0-9     0-9     0-9     4H 5H 6H 7H 8H 9H TH JH QH
♦ D   10    KD       1     2       void    0-8     0-8     3D 4D 7D 8D 9D TD JD QD
♣ C   11    AC       2     3       0-8     0-8     0-8     4C 5C 6C 7C 8C TC JC QC"""

JUDGES_PAGE: Final = """\
Hokm, round 1: the hakem names trump
score        1:0 of 2   tricks 0:0
trump        -
on the table -
last trick   -

> seat 0  side 0 hakem          5  ♠ AS  ♥ 2H KH  ♣ 3C 4C
  seat 1  side 1        house   5  ♦ 2D 3D 4D 5D 6D
  seat 2  side 0                5  ♠ 2S 3S 4S 5S 6S
  seat 3  side 1                5  ♣ TC JC QC KC AC"""

HAND_PAGE: Final = """\
Hand (classic), round 1 of 3: to lay or to throw
totals       seat 0: 0   seat 1: -30   seat 2: 100
dealer       seat 2   bar 51
fire         2C1 8D2 (on top)
stock        60 cards   reshuffles 0
duties       seat 1 owes an opening   seat 1 must place JK2   seat 1 may not throw KH1
melds        id, owner, kind, cards
   1  seat 1  run  9H1 TH1 JH2

  seat 0  not opened you         13  ♠ 2S1 3S1 4S1 6S1 7S1  ♥ 2H1 3H1 4H1 5H1 6H1 7H1 8H1  JK1
> seat 1  opened          house  11  hidden
  seat 2  not opened             14  hidden

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
    assert CARD.findall(unseen)[:4] == ["2S2", "3S2", "4S2", "5S1"]
    assert len(CARD.findall(unseen)) == 86


def test_N27_after_a_reshuffle_what_must_be_in_hands_stands_apart() -> None:
    view = hand_view(fire=("8D2",), reshuffles=1, drawn="2S1")
    found = table(looked(view, view.hand, None, None)).splitlines()
    assert "shuffled     ♠ 5S1  ♣ 2C1" in found
    assert any(line.startswith("in hands     ♠ 2S2 3S2") for line in found)
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
    assert "> seat 1  opened          house   0  -" in found
    assert "  seat 2  not opened             14  hidden" in found


def test_before_the_first_deal_a_page_says_who_sits_where() -> None:
    seats = sitting(3, house=[1])
    seats = (*seats, Sitting(seat=3, player=None, control="owner", level=None))
    found = table(Look(viewer="public", sitting=seats, view=None, hands=(), deduced=None))
    assert found.splitlines() == [
        "Nothing is dealt yet.",
        "  seat 0  u_player000",
        "  seat 1  house (black)",
        "  seat 2  u_player002",
        "  seat 3  free",
    ]


def test_a_page_says_which_moment_it_is_and_what_happened() -> None:
    rows = played(7).rows
    moment = rebuild.at(rows, 12)
    first, second, third, *_ = page(moment, look("seat:2", moment.state), len(rows)).splitlines()
    assert first == f"{moment.match}  version 12 of 199  2026-11-30 00:53:25 UTC  seat:2"
    assert (second, third) == ("> seat 3 plays 8C", "")


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
