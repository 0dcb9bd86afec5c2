"""The verifier's shuffle, written from docs/fair-deal.md alone, is that of the page and ours."""

import json
import re
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from msgspec import Struct

from schemas.cards import HAND_PACK, HOKM_PACK
from services.rules import chance
from services.rules.hand import deal as hand_deal
from tests.verifier.node import Call, call_all

PAGE: Final = Path(__file__).parents[2] / "docs" / "fair-deal.md"
ROUNDS: Final = 1_000
"""Random rounds in which both implementations must agree."""


@pytest.fixture(scope="module")
def vectors() -> dict[str, Any]:
    found = re.search(r"```json\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert found is not None
    vectors: dict[str, Any] = json.loads(found[1])
    return vectors


def test_the_vectors_of_the_page_hold(vectors: dict[str, Any]) -> None:
    one, two = vectors["rounds"]
    secret, match, nonces = vectors["secret"], vectors["match"], vectors["nonces"]
    checks = {
        ("matchSecret", (vectors["master_key"], match)): secret,
        ("sealOf", (secret,)): vectors["seal"],
        ("roundSeed", (secret, match, 1, tuple(nonces))): one["seed"],
        ("roundSeed", (secret, match, 2, tuple(nonces))): two["seed"],
        ("roundSeed", (secret, match, 1, ())): vectors["without_nonces"]["seed"],
        ("sealOf", (one["seed"],)): one["seal"],
        ("sealOf", (two["seed"],)): two["seal"],
        ("firstWords", (one["seed"], "deal", 9)): one["words_of_deal"],
        ("shuffled", (one["seed"], "ace_draw", HOKM_PACK)): one["ace_draw"].split(),
        ("shuffled", (one["seed"], "deal", HOKM_PACK)): one["deal"].split(),
        ("shuffled", (two["seed"], "deal", HOKM_PACK)): two["deal"].split(),
        ("seatDrawn", (one["seed"], "ace_draw", 4)): one["ace_draw_seat"],
    }
    assert call_all(checks) == list(checks.values())


def test_the_vectors_of_hand_hold_for_both(vectors: dict[str, Any]) -> None:
    dealer, deal, stock = vectors["hand_with_the_seed_of_round_1"].values()
    seed, fire = vectors["rounds"][0]["seed"], HAND_PACK[:20]
    drawn = ("seatDrawn", (seed, "first_dealer", 3))
    orders = [("shuffled", (seed, "deal", HAND_PACK)), ("shuffled", (seed, "stock1", fire))]
    assert call_all([drawn, *orders]) == [dealer, deal.split(), stock.split()]
    key = bytes.fromhex(seed)
    assert chance.drawn(key, "first_dealer", 3) == dealer
    assert chance.shuffled(key, "deal", HAND_PACK) == tuple(deal.split())
    assert chance.shuffled(key, "stock1", fire) == tuple(stock.split())


def test_the_packs_start_as_ours_do() -> None:
    assert call_all([("packs", ())]) == [{"hokm": list(HOKM_PACK), "hand": list(HAND_PACK)}]


class Lot(Struct, frozen=True):
    """A random round: everything that its packs follow from."""

    key: bytes
    match: str
    nonces: tuple[str, ...]
    round: int
    label: str
    cards: tuple[str, ...]
    seats: int


def lot(luck: Random) -> Lot:
    label = luck.choice(("ace_draw", "deal", "stock1", "stock2", "stock3"))
    cards = HAND_PACK if label.startswith("stock") else luck.choice((HOKM_PACK, HAND_PACK))
    if label.startswith("stock"):
        cards = tuple(luck.sample(HAND_PACK, luck.randrange(106)))
    return Lot(
        key=luck.randbytes(32),
        match=f"m_{luck.randbytes(16).hex()}",
        nonces=tuple(luck.randbytes(32).hex() for _ in range(luck.randrange(5))),
        round=luck.choice((1, 2, 9, 10, 199, luck.randrange(1, 10**6))),
        label=label,
        cards=cards,
        seats=luck.choice((2, 3, 4)),
    )


def by_us(one: Lot) -> list[Any]:
    secret = chance.match_secret(one.key, one.match)
    sealed = chance.SealedChance(secret, one.match, one.nonces)
    return [
        secret.hex(),
        chance.seal_of(secret),
        sealed.seed(one.round),
        sealed.seal(one.round),
        list(sealed.order(one.round, one.label, one.cards)),
        sealed.seat(one.round, "first_dealer", one.seats),
    ]


def by_the_verifier(one: Lot, ours: list[Any]) -> list[Call]:
    """The calls whose values must be `ours`; each is given what it follows from."""
    secret, _, seed, *_ = ours
    return [
        ("matchSecret", (one.key.hex(), one.match)),
        ("sealOf", (secret,)),
        ("roundSeed", (secret, one.match, one.round, one.nonces)),
        ("sealOf", (seed,)),
        ("shuffled", (seed, one.label, one.cards)),
        ("seatDrawn", (seed, "first_dealer", one.seats)),
    ]


def test_both_agree_on_random_rounds() -> None:
    luck = Random(1)
    lots = [lot(luck) for _ in range(ROUNDS)]
    ours = [by_us(one) for one in lots]
    calls = [call for pair in zip(lots, ours, strict=True) for call in by_the_verifier(*pair)]
    assert call_all(calls) == [value for values in ours for value in values]


def test_a_number_below_a_limit_skips_the_words_that_would_favour_some() -> None:
    limit = 3_000_000_000
    calls = [("belowOf", ([limit, 2**32 - 1, 5], limit)), ("belowOf", ([limit - 1], limit))]
    assert call_all(calls) == [5, limit - 1]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_N4_both_deal_hand_alike(seats: int) -> None:
    calls = [("handDeal", (HAND_PACK, dealer, seats)) for dealer in range(seats)]
    ours = [
        {
            "hands": [list(cards) for cards in hand_deal.hands(HAND_PACK, starter, seats)],
            "stock": list(hand_deal.stock(HAND_PACK, seats)),
        }
        for starter in ((dealer + 1) % seats for dealer in range(seats))
    ]
    assert call_all(calls) == ours
