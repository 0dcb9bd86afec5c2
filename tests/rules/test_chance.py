"""The sealed shuffle is the one that docs/fair-deal.md writes down, and it is a fair one."""

import hmac
import json
import re
from collections import Counter
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from schemas.cards import HOKM_PACK
from services.rules import chance

PAGE = Path(__file__).parents[2] / "docs" / "fair-deal.md"


@pytest.fixture(scope="module")
def vectors() -> dict[str, Any]:
    found = re.search(r"```json\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert found is not None
    vectors: dict[str, Any] = json.loads(found[1])
    return vectors


def by_the_page(seed: bytes, label: str, items: list[str]) -> list[str]:
    """The shuffle as the page says it, written a second time from the page alone."""
    blocks, bits = 0, b""

    def word() -> int:
        nonlocal blocks, bits
        if not bits:
            bits = hmac.new(seed, label.encode() + b":" + str(blocks).encode(), sha256).digest()
            blocks += 1
        number, bits = int.from_bytes(bits[:4], "big"), bits[4:]
        return number

    for last in range(len(items) - 1, 0, -1):
        number = word()
        while number >= 2**32 // (last + 1) * (last + 1):
            number = word()
        other = number % (last + 1)
        items[last], items[other] = items[other], items[last]
    return items


def test_the_vectors_of_the_page_hold(vectors: dict[str, Any]) -> None:
    secret = chance.match_secret(bytes.fromhex(vectors["master_key"]), vectors["match"])
    assert secret.hex() == vectors["secret"]
    assert chance.seal_of(secret) == vectors["seal"]
    sealed = chance.SealedChance(secret, vectors["match"], tuple(vectors["nonces"]))
    for one in vectors["rounds"]:
        number = one["round"]
        assert (sealed.seed(number), sealed.seal(number)) == (one["seed"], one["seal"])
        assert " ".join(sealed.order(number, "deal", HOKM_PACK)) == one["deal"]
    first = vectors["rounds"][0]
    assert " ".join(sealed.order(1, "ace_draw", HOKM_PACK)) == first["ace_draw"]
    assert sealed.seat(1, "ace_draw", 4) == first["ace_draw_seat"]
    words = chance.words(bytes.fromhex(first["seed"]), "deal")
    assert list(islice(words, 9)) == first["words_of_deal"]
    plain = chance.round_seed(secret, vectors["match"], 1, ())
    assert plain.hex() == vectors["without_nonces"]["seed"]


@pytest.mark.parametrize("number", range(20))
def test_the_page_alone_gives_the_same_shuffle(number: int) -> None:
    seed = sha256(str(number).encode()).digest()
    again = by_the_page(seed, "deal", list(HOKM_PACK))
    assert again == list(chance.shuffled(seed, "deal", HOKM_PACK))


def test_the_pack_is_the_52_cards_in_the_order_of_the_page() -> None:
    assert HOKM_PACK[0] == "2S"
    assert HOKM_PACK[12:14] == ("AS", "2H")
    assert HOKM_PACK[51] == "AC"
    assert len(set(HOKM_PACK)) == 52


def test_a_number_below_a_limit_skips_the_words_that_would_favour_some() -> None:
    limit = 3_000_000_000
    assert chance.below(iter([limit, 4_294_967_295, 5]), limit) == 5
    assert chance.below(iter([limit - 1]), limit) == limit - 1


def test_labels_rounds_nonces_and_matches_give_shuffles_of_their_own() -> None:
    secret = b"s" * 32
    orders = {
        chance.SealedChance(secret, match, nonces).order(number, label, HOKM_PACK)
        for match in ("m_" + "0" * 32, "m_" + "1" * 32)
        for nonces in ((), ("ab" * 32,), ("ab" * 32, "cd" * 32), ("cd" * 32, "ab" * 32))
        for number in (1, 2)
        for label in ("ace_draw", "deal")
    }
    assert len(orders) == 2 * 4 * 2 * 2


def chi_square(counts: Counter[Any], cells: int) -> float:
    expected = counts.total() / cells
    return sum((counts[key] - expected) ** 2 / expected for key in counts)


def test_H6_the_seat_drawn_is_uniform_and_independent_of_its_shuffle() -> None:
    """16 cells: the seat, and where the ace draw's last card came from; 15 degrees, p = 0.001."""
    counts: Counter[tuple[int, int]] = Counter()
    for number in range(8_000):
        seed = sha256(str(number).encode()).digest()
        last = chance.shuffled(seed, "ace_draw", HOKM_PACK)[51]
        counts[chance.drawn(seed, "ace_draw", 4), HOKM_PACK.index(last) % 4] += 1
    assert len(counts) == 16
    assert chi_square(counts, 16) < 37.7


def test_a_shuffle_puts_every_card_everywhere_alike() -> None:
    """No comparator, no bias: each of 52 cards at the first and at the last place, p = 0.001."""
    first: Counter[str] = Counter()
    last: Counter[str] = Counter()
    for number in range(8_000):
        order = chance.shuffled(sha256(str(number).encode()).digest(), "deal", HOKM_PACK)
        first[order[0]] += 1
        last[order[51]] += 1
    assert chi_square(first, 52) < 86.7
    assert chi_square(last, 52) < 86.7
