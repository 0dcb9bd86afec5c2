"""Cards as they are written on the wire (H3, N1): rank, suit and, in Hand, the copy."""

from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct

from schemas.decoding import decoder

Suit = Literal["S", "H", "D", "C"]
HokmCard = Annotated[str, Meta(pattern="^[2-9TJQKA][SHDC]$", max_length=2)]
"""Rank and suit: `AS`, `TD`, `2C`."""
HandCard = Annotated[str, Meta(pattern="^([2-9TJQKA][SHDC][12]|JK[12])$", max_length=3)]
"""Rank, suit and which of the two copies: `9H1`, `9H2`; or a joker, `JK1`, `JK2`."""
Card = str
AnyCard = Annotated[str, Meta(pattern=r"^([2-9TJQKA][SHDC][12]?|JK[12])$(?!\n)", max_length=3)]
"""A card of either game; a shorter one's pattern would take a line's end as the third sign."""

SUITS: Final[tuple[Suit, ...]] = ("S", "H", "D", "C")
RANKS: Final = "23456789TJQKA"
HOKM_PACK: Final[tuple[HokmCard, ...]] = tuple(rank + suit for suit in SUITS for rank in RANKS)
"""The 52 cards in the order that every shuffle starts from (docs/fair-deal.md)."""
HAND_PACK: Final[tuple[HandCard, ...]] = (
    *(card + copy for copy in "12" for card in HOKM_PACK),
    "JK1",
    "JK2",
)
"""The 106 cards in the order that every deal of Hand is shuffled from: the first copies in the
order of the 52, the second copies likewise, the jokers (N2).
"""


class Pack(Struct, frozen=True):
    """The order of a shuffled pack, top card first: the only secret in the log."""

    order: tuple[Card, ...]


_encode = msgspec.json.Encoder().encode
_decode = decoder(Pack)


def encode_pack(order: tuple[Card, ...]) -> str:
    """A row's secret."""
    return _encode(Pack(order)).decode()


def decode_pack(secret: str) -> tuple[Card, ...]:
    """The order in a row's secret; raises `msgspec.DecodeError`."""
    pack: Pack = _decode(secret)
    return pack.order
