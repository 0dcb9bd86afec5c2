"""The sealed shuffle (docs/fair-deal.md): all luck of a match from one secret that is sealed first.

secret = HMAC-SHA-256(master key, match id)
seed   = HMAC-SHA-256(secret, match id | "|" | round | "|" | nonces)
words  = the big-endian 32-bit words of HMAC-SHA-256(seed, label | ":" | block), block 0, 1, …
"""

import hmac
from collections.abc import Iterator
from hashlib import sha256
from itertools import count
from typing import Final

from msgspec import Struct

from schemas.cards import Card
from schemas.ids import Hex32, MatchId, Round, Seat

SHUFFLE: Final = "waraq-shuffle@1"
"""The name that `match_opened` gives this shuffle; its bytes never change under this name."""
_WORDS: Final = 1 << 32
_WORD_BYTES: Final = 4


def seal_of(secret: bytes) -> Hex32:
    """What is shown before: SHA-256 of `secret`, in hex."""
    return sha256(secret).hexdigest()


def match_secret(master: bytes, match: MatchId) -> bytes:
    return hmac.digest(master, match.encode(), "sha256")


def round_seed(secret: bytes, match: MatchId, round_: Round, nonces: tuple[Hex32, ...]) -> bytes:
    """The round's seed; nonces in the order of their events, each as its 64 hex digits."""
    return hmac.digest(secret, f"{match}|{round_}|{''.join(nonces)}".encode(), "sha256")


def words(seed: bytes, label: str) -> Iterator[int]:
    """Uniform 32-bit numbers without end, the same for the same seed and label."""
    for block in count():
        digest = hmac.digest(seed, f"{label}:{block}".encode(), "sha256")
        for start in range(0, len(digest), _WORD_BYTES):
            yield int.from_bytes(digest[start : start + _WORD_BYTES], "big")


def below(numbers: Iterator[int], limit: int) -> int:
    """A uniform number below `limit`: words of the last, partial run of `limit` are rejected."""
    fair = _WORDS // limit * limit
    while (word := next(numbers)) >= fair:
        pass
    return word % limit


def shuffled(seed: bytes, label: str, items: tuple[Card, ...]) -> tuple[Card, ...]:
    """Fisher-Yates from the last item down."""
    order, numbers = list(items), words(seed, label)
    for last in range(len(order) - 1, 0, -1):
        other = below(numbers, last + 1)
        order[last], order[other] = order[other], order[last]
    return tuple(order)


def drawn(seed: bytes, label: str, seats: int) -> Seat:
    """A seat; `seat:` before the label keeps it independent of the shuffle of that name."""
    return below(words(seed, f"seat:{label}"), seats)


class RevealedChance(Struct, frozen=True):
    """`services.rules.decider.Chance` of one round whose seed is known, for whoever checks it."""

    round_seed: bytes

    def order(self, _round: Round, label: str, items: tuple[Card, ...]) -> tuple[Card, ...]:
        return shuffled(self.round_seed, label, items)

    def seat(self, _round: Round, label: str, seats: int) -> Seat:
        return drawn(self.round_seed, label, seats)

    def seal(self, _round: Round) -> Hex32:
        return seal_of(self.round_seed)

    def seed(self, _round: Round) -> Hex32:
        return self.round_seed.hex()

    def secret(self) -> Hex32:
        raise AssertionError("a round does not tell the match's secret")


class SealedChance(Struct, frozen=True):
    """`services.rules.decider.Chance` from a match's secret and its players' nonces."""

    key: bytes
    match: MatchId
    nonces: tuple[Hex32, ...] = ()

    def order(self, round_: Round, label: str, items: tuple[Card, ...]) -> tuple[Card, ...]:
        return shuffled(self._seed(round_), label, items)

    def seat(self, round_: Round, label: str, seats: int) -> Seat:
        return drawn(self._seed(round_), label, seats)

    def seal(self, round_: Round) -> Hex32:
        return seal_of(self._seed(round_))

    def seed(self, round_: Round) -> Hex32:
        return self._seed(round_).hex()

    def secret(self) -> Hex32:
        return self.key.hex()

    def _seed(self, round_: Round) -> bytes:
        return round_seed(self.key, self.match, round_, self.nonces)


class KeyedChance(Struct, frozen=True):
    """`SealedChance` from the master key. Most commands need no luck, and a secret takes longer to
    make than a move to be ruled: it is made when it is asked for.
    """

    master: bytes
    match: MatchId
    nonces: tuple[Hex32, ...] = ()

    def __repr__(self) -> str:
        """Without the key, whoever prints it."""
        return f"KeyedChance({self.match})"

    def order(self, round_: Round, label: str, items: tuple[Card, ...]) -> tuple[Card, ...]:
        return self._sealed().order(round_, label, items)

    def seat(self, round_: Round, label: str, seats: int) -> Seat:
        return self._sealed().seat(round_, label, seats)

    def seal(self, round_: Round) -> Hex32:
        return self._sealed().seal(round_)

    def seed(self, round_: Round) -> Hex32:
        return self._sealed().seed(round_)

    def secret(self) -> Hex32:
        return self._sealed().secret()

    def _sealed(self) -> SealedChance:
        return SealedChance(match_secret(self.master, self.match), self.match, self.nonces)
