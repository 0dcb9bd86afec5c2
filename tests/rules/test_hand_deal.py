"""N1 to N5: options, cards, the deal and the starter's turn."""

from typing import Any

import msgspec
import pytest

from schemas.cards import HAND_PACK, HOKM_PACK
from schemas.commands import (
    Discard,
    Draw,
    GameAction,
    HandOptions,
    HokmOptions,
    LayMelds,
    LayOff,
    OpenMatch,
    SwapJoker,
)
from schemas.events import (
    CardDiscarded,
    CardsShuffled,
    HandDealt,
    SeatDrawn,
)
from schemas.refusals import Refusal
from services.rules.hand import GAME
from tests.rules.hand_play import (
    CHANCE,
    VARIANTS,
    begun,
    follow,
    position,
    refusal,
    said,
    scored,
    void_round,
)

STOCK, FIRE = Draw(source="stock"), Draw(source="fire")


@pytest.mark.parametrize("options", VARIANTS)
def test_N1_sound_options(options: HandOptions) -> None:
    assert GAME.sound(options)
    assert GAME.seats(options) == options.seats


@pytest.mark.parametrize(
    "given",
    [
        {"variant": "partnership", "seats": 3},
        {"variant": "partnership", "seats": 2},
        {"variant": "saudi_partnership", "seats": 3},
        {"seats": 1},
        {"seats": 5},
        {"rounds": 1},
        {"rounds": 4},
        {"rounds": 11},
    ],
)
def test_N1_anything_else_is_unsound(given: dict[str, Any]) -> None:
    words: dict[str, Any] = {"variant": "classic", "seats": 4, "rounds": 3}
    assert not GAME.sound(HandOptions(**words | given))


def test_N1_options_of_another_game_are_unsound() -> None:
    assert not GAME.sound(HokmOptions())


@pytest.mark.parametrize("words", ['"rounds":4', '"rounds":"3"', '"seats":5', '"variant":"home"'])
def test_N1_options_out_of_their_lists_do_not_decode(words: str) -> None:
    right = {"variant": '"variant":"classic"', "seats": '"seats":4', "rounds": '"rounds":3'}
    right[words.split('"')[1]] = words
    plan = '[{"seat":0,"filled_by":"owner"},{"seat":1,"filled_by":"anyone"}]'
    options = ",".join(('"game":"hand"', *right.values()))
    text = f'{{"type":"open_match","options":{{{options}}},"seats":{plan}}}'
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(text, type=OpenMatch)


def test_N2_106_cards_two_copies_of_each_and_two_jokers() -> None:
    assert len(set(HAND_PACK)) == len(HAND_PACK) == 106
    assert HAND_PACK[:52] == tuple(card + "1" for card in HOKM_PACK)
    assert HAND_PACK[52:104] == tuple(card + "2" for card in HOKM_PACK)
    assert HAND_PACK[104:] == ("JK1", "JK2")


@pytest.mark.parametrize("options", VARIANTS)
def test_N4_fifteen_for_the_starter_then_fourteen_each_the_rest_is_the_stock(
    options: HandOptions,
) -> None:
    steps = begun(options)
    shuffle, draw, deal = (fact for fact, _ in steps)
    assert isinstance(shuffle.body, CardsShuffled)
    assert (shuffle.body.label, shuffle.body.cards, shuffle.origin) == ("deal", 106, "chance")
    assert shuffle.pack == CHANCE.order(1, "deal", HAND_PACK)
    assert draw.body == SeatDrawn(
        label="first_dealer", seat=CHANCE.seat(1, "first_dealer", options.seats)
    )
    assert deal.body == HandDealt(round=1, dealer=draw.body.seat)
    state = steps[-1][1]
    starter = (draw.body.seat + 1) % options.seats
    assert GAME.turn(state) == starter
    at = 0
    for step in range(options.seats):
        seat, size = (starter + step) % options.seats, 15 if step == 0 else 14
        assert GAME.hand(state, seat) == shuffle.pack[at : at + size]
        at += size
    assert state.stock == shuffle.pack[at:]
    assert state.fire == ()


def test_N4_the_dealer_moves_to_the_right_after_every_round_void_ones_too() -> None:
    ended = void_round(dealer=1)
    bodies = [fact.body for fact, _ in follow(ended, scored(ended))]
    assert bodies[-1] == HandDealt(round=2, dealer=2)
    assert GAME.turn(follow(ended, scored(ended))[-1][1]) == 3


def test_N5_the_starter_throws_one_card_and_does_nothing_else() -> None:
    state = begun()[-1][1]
    starter = state.turn
    assert starter is not None
    hand = state.hands[starter]
    others: tuple[GameAction, ...] = (
        STOCK,
        FIRE,
        LayMelds(melds=(hand[:3],)),
        LayOff(meld=1, card=hand[0]),
        SwapJoker(meld=1, card=hand[0]),
    )
    assert {refusal(state, action, starter) for action in others} == {Refusal.WRONG_PHASE}
    ((fact, then),) = said(state, Discard(card=hand[3]))
    assert fact.body == CardDiscarded(card=hand[3])
    assert (then.fire, GAME.turn(then), then.step) == ((hand[3],), (starter + 1) % 4, "draw")


@pytest.mark.parametrize("step", ["discard_first", "act"])
def test_N5_N24_a_joker_may_be_thrown(step: str) -> None:
    assert refusal(position("JK1 2S1", step=step), Discard(card="JK1")) is None
