"""Who gets which card of a pack (N4)."""

from typing import Final

from schemas.cards import HandCard
from schemas.ids import Seat

PACKET: Final = 14
"""Cards a seat is dealt; the starter gets one more."""


def hands(
    pack: tuple[HandCard, ...], starter: Seat, seats: int
) -> tuple[tuple[HandCard, ...], ...]:
    """The cards of every seat: fifteen for the starter from the top, then packets of 14 on."""
    rest = pack[PACKET + 1 :]
    packets = (pack[: PACKET + 1], *(rest[PACKET * i : PACKET * (i + 1)] for i in range(seats - 1)))
    return tuple(packets[(seat - starter) % seats] for seat in range(seats))


def stock(pack: tuple[HandCard, ...], seats: int) -> tuple[HandCard, ...]:
    """What is left of a whole pack once `seats` have been dealt, top first."""
    return pack[PACKET * seats + 1 :]
