"""What could be told: right, as sharp as it can be, and from the view alone."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.cards import HAND_PACK, HOKM_PACK, Card
from schemas.ids import Seat
from schemas.views import HandView, HokmView, Toss
from services.event_log.port import Row
from services.replay import rebuild
from services.replay.deductions import deduced, hand, hokm
from services.replay.deductions.bounds import Bounds
from services.replay.deductions.hand import HandDeduced, TakenCard
from services.replay.deductions.hokm import HokmDeduced
from services.replay.looks import look
from services.rules import sight
from services.rules.hand import GAME
from services.rules.hand.state import HandState
from services.rules.hokm.state import HokmState
from services.rules.melds import held_value
from tests.replay.positions import hand_view, hokm_view
from tests.rules.hand_play import random_table, round_steps
from tests.table import test_hidden, test_hidden_hand
from tests.table.twins import Script, twin

# Hokm, at a fixed position --------------------------------------------------------------------


def test_H13_who_did_not_follow_has_shown_a_void() -> None:
    found = hokm.deduced(hokm_view())
    assert found.voids == ((), ("D",), ("S",), ())
    spades, _, diamonds, _ = found.suits
    assert spades.held[2] == Bounds(0, 0)
    assert diamonds.held[1] == Bounds(0, 0)


def test_cards_that_are_gone_and_cards_that_are_unseen_are_told_by_suit() -> None:
    found = hokm.deduced(hokm_view())
    spades, hearts, diamonds, clubs = found.suits
    assert spades.played == ("2S", "4S", "7S", "AS")
    assert spades.unseen == ("3S", "5S", "6S", "8S", "9S", "TS")
    assert (hearts.played, clubs.played) == (("2H",), ("3C", "9C"))
    assert len(diamonds.unseen) == 13 - 3 - 2
    assert found.trumps_unseen == len(hearts.unseen) == 13 - 1 - 3
    assert found.undealt == 0


def test_masters_are_ones_own_cards_that_nothing_unseen_of_the_suit_beats() -> None:
    spades, hearts, diamonds, clubs = hokm.deduced(hokm_view()).suits
    assert (spades.masters, spades.highest) == (("JS", "QS", "KS"), "KS")
    assert (hearts.masters, hearts.highest) == (("KH", "AH"), "AH")
    assert (diamonds.masters, diamonds.highest) == (("KD",), "KD")
    assert (clubs.masters, clubs.highest) == (("KC", "AC"), "AC")


def test_a_spectator_is_sure_of_no_hand_and_knows_the_same_voids() -> None:
    found = hokm.deduced(hokm_view(seat=None, hand=(), playable=()))
    assert found.voids == hokm.deduced(hokm_view()).voids
    assert all(one.masters == () for one in found.suits)
    assert [one.highest for one in found.suits] == ["KS", "AH", "KD", "AC"]
    assert sum(len(one.unseen) for one in found.suits) == 42


def test_H10_before_trump_is_named_a_seat_does_not_know_its_own_five() -> None:
    before = {"phase": "choosing_trump", "trump": None, "trick": (), "earlier": ()}
    view = hokm_view(**before, seat=1, hand=(), left=(5, 5, 5, 5), playable=())
    found = hokm.deduced(view)
    assert (found.trumps_unseen, found.undealt) == (None, 32)
    assert found.suits[0].held == (Bounds(0, 5),) * 4
    hakem = hokm.deduced(hokm_view(**before, hand=("AS", "KS", "2H", "2D", "2C"), left=(5,) * 4))
    assert hakem.suits[0].held == (Bounds(2, 2), *(Bounds(0, 5),) * 3)


@pytest.mark.parametrize("seed", range(3))
def test_in_hokm_the_truth_is_always_within_what_could_be_told(seed: int) -> None:
    script = test_hidden.script_of(seed)
    while script.live.state.ended is None:
        script.move()
        state: HokmState = script.live.state.game
        for seat in (0, 1, 2, 3, None):
            view = sight.view(script.live.state, seat)
            assert isinstance(view, HokmView)
            check_hokm(hokm.deduced(view), state, seat)


def check_hokm(found: HokmDeduced, state: HokmState, viewer: Seat | None) -> None:
    for one in found.suits:
        for seat, held in enumerate(one.held):
            count = sum(card[1] == one.suit for card in state.hands[seat])
            assert held.least <= count <= held.most
        others = [held for seat, held in enumerate(state.hands) if seat != viewer]
        assert set(one.unseen) <= {card for held in others for card in held} | set(state.pack)
        if viewer is not None:
            assert set(one.masters) <= set(state.hands[viewer])
    for seat, voids in enumerate(found.voids):
        assert not {card[1] for card in state.hands[seat]} & set(voids)


# Hand, at a fixed position --------------------------------------------------------------------


def test_N28_who_took_what_from_the_fire_and_what_became_of_it() -> None:
    found = hand.deduced(hand_view(fire=("2C1", "5S1", "8D2")))
    assert found.taken == (
        TakenCard(card="JH2", thrown_by=0, taken_by=1, since="placed"),
        TakenCard(card="5S1", thrown_by=1, taken_by=2, since="thrown"),
        TakenCard(card="KD1", thrown_by=0, taken_by=1, since="held"),
    )
    assert found.thrown == (("2C1", "JH2", "KD1", "8D2"), ("5S1",), ("5S1",))
    assert found.held == (hand_view().hand, ("KD1",), ())


def test_what_is_mine_on_the_table_or_in_the_fire_is_impossible_for_another() -> None:
    view = hand_view(fire=("2C1", "5S1", "8D2"))
    found = hand.deduced(view)
    assert set(found.impossible) == {*view.hand, "9H1", "TH1", "JH2", "2C1", "5S1", "8D2"}
    assert set(found.unseen) == set(HAND_PACK) - set(found.impossible) - {"KD1"}
    assert (found.came_back, found.in_hands) == ((), ())


def test_N27_after_a_reshuffle_what_never_lay_in_the_fire_is_in_somebodys_hand() -> None:
    found = hand.deduced(hand_view(fire=("8D2",), reshuffles=1))
    assert found.came_back == ("5S1", "2C1")
    assert set(found.in_hands) == set(found.unseen) - {"2C1", "5S1"}


def test_N22_a_freed_joker_is_with_the_seat_on_turn_whoever_took_it_from_the_fire() -> None:
    tosses = (Toss(0, "2C1", None), Toss(0, "JK2", 2), Toss(1, "8D2", None))
    found = hand.deduced(hand_view(tosses=tosses, must_place=("JK2",)))
    assert found.held[1:] == (("JK2",), ())
    assert found.taken == (TakenCard(card="JK2", thrown_by=0, taken_by=2, since="placed"),)


def test_N41_deadwood_is_what_is_known_and_the_cheapest_and_dearest_rest() -> None:
    found = hand.deduced(hand_view(left=(13, 2, 1)))
    own = sum(map(held_value, hand_view().hand))
    assert found.deadwood == (Bounds(own, own), Bounds(10 + 2, 10 + 15), Bounds(2, 15))


@pytest.mark.parametrize("seed", range(8))
def test_in_hand_the_truth_is_always_within_what_could_be_told(seed: int) -> None:
    for _, state in round_steps(random_table(seed)):
        if state.round == 0:
            continue
        for seat in (*range(len(state.hands)), None):
            view = GAME.view(state, seat)
            assert isinstance(view, HandView)
            check_hand(hand.deduced(view), state, seat)


def check_hand(found: HandDeduced, state: HandState, viewer: Seat | None) -> None:
    hidden = {*state.stock, *(card for cards in state.hands for card in cards)}
    known = {card for cards in found.held for card in cards}
    assert set(found.unseen) == hidden - known
    others = {card for seat, held in enumerate(state.hands) if seat != viewer for card in held}
    assert set(found.in_hands) <= others
    assert not set(found.impossible) & (others | set(state.stock))
    for seat, cards in enumerate(state.hands):
        assert set(found.held[seat]) <= set(cards)
        cost = sum(map(held_value, cards))
        assert found.deadwood[seat].least <= cost <= found.deadwood[seat].most


# From the view alone --------------------------------------------------------------------------


def told_to(rows: list[Row], viewer: str) -> bytes:
    found = look(viewer, rebuild.at(rows).state)
    assert found.deduced is not None
    return msgspec.json.encode(found)


def scripts(seed: int, game: str) -> Script:
    if game == "hokm":
        return test_hidden.script_of(seed)
    options = test_hidden_hand.VARIANTS[seed % len(test_hidden_hand.VARIANTS)]
    return Script(seed, options, HAND_PACK, test_hidden_hand.mover)


def seen_so_far(script: Script, seat: Seat | None) -> set[Card]:
    if isinstance(script.live.state.game, HandState):
        return test_hidden_hand.seen_so_far(script, seat)
    return test_hidden.known(script.live.state, seat)


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    game=st.sampled_from(["hokm", "hand"]),
    moves=st.integers(0, 40),
    seat=st.sampled_from([0, 1, None]),
)
def test_H23_N28_cards_that_are_hidden_change_no_byte_of_what_could_be_told(
    seed: int, game: str, moves: int, seat: Seat | None
) -> None:
    script = scripts(seed, game)
    for _ in range(moves):
        script.move()
    shuffles = sum('"deal"' not in row.entry.line for row in script.rows if row.entry.secret)
    if script.live.state.ended is not None or shuffles > (game == "hokm"):
        return
    viewer = "public" if seat is None else f"seat:{seat}"
    other = twin(script, seen_so_far(script, seat))
    assert told_to(script.rows, viewer) == told_to(other, viewer)


def test_the_same_view_from_its_own_bytes_tells_the_same() -> None:
    for view in (hokm_view(), hand_view()):
        again = msgspec.json.decode(msgspec.json.encode(view), type=type(view))
        assert msgspec.json.encode(deduced(again)) == msgspec.json.encode(deduced(view))


def test_a_judge_sees_all_and_deduces_nothing() -> None:
    script = scripts(1, "hokm")
    script.move()
    found = look("judge", script.live.state)
    assert found.deduced is None
    assert sorted(card for cards in found.hands for card in cards or ()) == sorted(HOKM_PACK)


def test_a_seat_is_shown_its_own_hand_and_the_public_none() -> None:
    script = scripts(1, "hand")
    assert look("seat:1", script.live.state).hands[1] == script.live.state.game.hands[1]
    own = look("seat:1", script.live.state).hands
    assert (own[0], *own[2:]) == (None,) * (len(own) - 1)
    assert set(look("public", script.live.state).hands) == {None}
