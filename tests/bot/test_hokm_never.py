"""What players complain of first in a partner: never, in whatever position a round gets into.

The judgements here are made anew from the view, by other means than the bot's own.
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from schemas.cards import HOKM_PACK, HokmCard, Suit
from schemas.commands import HokmOptions
from schemas.ids import Seat
from schemas.views import HokmView, Play
from services.bot.hokm.habits import BLACK, CHROME
from services.rules.tricks import SUIT_OF, winner
from tests.bot.positions import card, position
from tests.bot.rounds import Player, card_turns, player_by, rule

rounds = st.integers(0, 2**32)
thorough = settings(max_examples=100, deadline=None)
above_white = pytest.mark.parametrize(
    "player",
    [
        pytest.param(rule, id="the rules of thumb"),
        pytest.param(player_by(BLACK), id="black"),
        pytest.param(player_by(replace(BLACK, whims=1.0)), id="nothing but black's whims"),
        pytest.param(player_by(replace(CHROME, worlds=2)), id="a master who errs"),
    ],
)
"""The levels, and the worst of them: a search of two worlds takes much for better than it is."""


@above_white
@thorough
@given(seed=rounds)
def test_a_partner_who_cannot_be_beaten_is_not_ruffed_or_overtaken_unless_forced(
    seed: int, player: Player
) -> None:
    for view in card_turns(seed):
        if partner_keeps_it(view) and any(not takes(view, other) for other in view.playable):
            assert not takes(view, card(view, player)), view


@above_white
@thorough
@given(seed=rounds)
def test_no_ace_is_thrown_on_the_partners_sure_trick_unless_only_aces_or_trumps_are_left(
    seed: int, player: Player
) -> None:
    for view in card_turns(seed):
        others = [c for c in view.playable if c[0] != "A" and SUIT_OF[c] != view.trump]
        if partner_keeps_it(view) and others:
            assert card(view, player)[0] != "A", view


@above_white
@thorough
@given(seed=rounds)
def test_nobody_leads_into_a_known_ruff_with_a_safe_lead_in_hand(seed: int, player: Player) -> None:
    for view in card_turns(seed):
        if not view.trick and not all(into_known_ruff(view, c) for c in view.hand):
            assert not into_known_ruff(view, card(view, player)), view


@above_white
@thorough
@given(seed=rounds)
def test_trumps_are_not_drawn_when_no_opponent_can_hold_one(seed: int, player: Player) -> None:
    for view in card_turns(seed):
        no_trick_yet = view.tricks[side(view)] == 0 and view.hakem % 2 == side(view)
        pressing = 6 in view.tricks or no_trick_yet
        side_suits = [c for c in view.hand if SUIT_OF[c] != view.trump]
        needed = pressing and not any(takes_for_certain(view, c) for c in side_suits)
        if not view.trick and side_suits and not needed and opponents_have_no_trumps(view):
            assert SUIT_OF[card(view, player)] != view.trump, view


@above_white
@thorough
@given(seed=rounds)
def test_the_trick_that_makes_seven_is_taken_where_it_is_certain(seed: int, player: Player) -> None:
    for view in card_turns(seed):
        if view.tricks[side(view)] != 6 or partner_keeps_it(view):
            continue
        if any(takes_for_certain(view, c) for c in view.playable):
            assert takes_for_certain(view, card(view, player)), view


@above_white
@thorough
@given(seed=rounds)
def test_the_hakems_side_takes_its_first_trick_where_it_is_certain(
    seed: int, player: Player
) -> None:
    for view in card_turns(seed):
        without = view.hakem % 2 == side(view) and view.tricks[side(view)] == 0
        if not without or (view.trick and holder(view.trick, view) % 2 == side(view)):
            continue
        if any(takes_for_certain(view, c) for c in view.playable):
            assert takes_for_certain(view, card(view, player)), view


def test_against_a_hakem_kot_the_last_trick_is_not_left_to_a_partner_who_may_lose_it() -> None:
    """He holds it with a queen; one ruff is certain. Whims of many scores would play any card."""
    view = position("AS 2S 9H 8H 7H 6H 5H", trump="S", trick="QD 3D", hakem=0, tricks=(0, 6))
    assert not partner_keeps_it(view)
    for points in range(20):
        asked = replace(view, score=(points, 0), options=HokmOptions(target=100))
        assert card(asked, player_by(replace(BLACK, whims=1.0))) == "AS"


def side(view: HokmView) -> int:
    assert view.seat is not None
    return view.seat % 2


def takes(view: HokmView, played: HokmCard) -> bool:
    """The trick is mine as soon as I play that card."""
    assert view.seat is not None
    return holder((*view.trick, Play(view.seat, played)), view) == view.seat


def holder(trick: tuple[Play, ...], view: HokmView) -> Seat:
    assert view.trump is not None
    return winner(trick, view.trump).seat


def partner_keeps_it(view: HokmView) -> bool:
    """He holds the trick, and no card that an opponent may hold takes it from him."""
    return (
        bool(view.trick) and holder(view.trick, view) % 2 == side(view) and kept(view.trick, view)
    )


def takes_for_certain(view: HokmView, played: HokmCard) -> bool:
    assert view.seat is not None
    return takes(view, played) and kept((*view.trick, Play(view.seat, played)), view)


def kept(trick: tuple[Play, ...], view: HokmView) -> bool:
    """No card that an opponent may hold takes the trick as it lies, void shown or not."""
    to_come = [(trick[-1].seat + step) % 4 for step in range(1, 5 - len(trick))]
    return not any(
        holder((*trick, Play(seat, other)), view) == seat
        for seat in to_come
        if seat % 2 != side(view)
        for other in unseen(view)
        if not is_void(view, seat, SUIT_OF[other])
    )


def unseen(view: HokmView) -> list[HokmCard]:
    seen = {play.card for trick in (*view.earlier, view.trick) for play in trick} | {*view.hand}
    return [c for c in HOKM_PACK if c not in seen]


def is_void(view: HokmView, seat: Seat, suit: Suit) -> bool:
    """He did not follow it once, or nobody else can have it."""
    shown = any(
        play.seat == seat and SUIT_OF[trick[0].card] == suit != SUIT_OF[play.card]
        for trick in (*view.earlier, view.trick)
        for play in trick
    )
    return shown or all(SUIT_OF[c] != suit for c in unseen(view))


def opponents(view: HokmView) -> list[Seat]:
    return [seat for seat in range(4) if seat % 2 != side(view)]


def opponents_have_no_trumps(view: HokmView) -> bool:
    assert view.trump is not None
    return all(is_void(view, seat, view.trump) for seat in opponents(view))


def into_known_ruff(view: HokmView, led: HokmCard) -> bool:
    assert view.trump is not None
    suit = SUIT_OF[led]
    return suit != view.trump and any(
        is_void(view, seat, suit) and not is_void(view, seat, view.trump)
        for seat in opponents(view)
    )
