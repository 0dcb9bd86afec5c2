"""Who becomes hakem and who gets which card of a pack (H5, H8)."""

from typing import Final

from schemas.cards import HokmCard
from schemas.events import HakemDrawn
from schemas.ids import Seat
from services.rules.hokm.state import SEATS

FIRST_PACKET: Final = 5
"""Cards a seat gets before trump is named."""
LATER_PACKET: Final = 4
"""Cards a seat gets each of the two times after it."""

Hands = tuple[tuple[HokmCard, ...], ...]


def turn_up(pack: tuple[HokmCard, ...], first: Seat) -> HakemDrawn:
    """Cards face up round the table, `first` getting the first, until somebody has an ace (H5)."""
    ace = next(at for at, card in enumerate(pack) if card.startswith("A"))
    return HakemDrawn(shown=pack[: ace + 1], hakem=(first + ace) % SEATS)


def fives(pack: tuple[HokmCard, ...], hakem: Seat) -> Hands:
    """The first five of every seat, from the top of a whole pack."""
    return _packets(pack, hakem, FIRST_PACKET)


def after_fives(pack: tuple[HokmCard, ...]) -> tuple[HokmCard, ...]:
    """What is left of a whole pack once the fives are dealt."""
    return pack[SEATS * FIRST_PACKET :]


def rest(pack: tuple[HokmCard, ...], hakem: Seat) -> Hands:
    """The other eight of every seat, four and four, from what the fives left (H8)."""
    fours = _packets(pack, hakem, LATER_PACKET)
    last = _packets(pack[SEATS * LATER_PACKET :], hakem, LATER_PACKET)
    return tuple(four + more for four, more in zip(fours, last, strict=True))


def _packets(pack: tuple[HokmCard, ...], hakem: Seat, size: int) -> Hands:
    starts = (size * ((seat - hakem) % SEATS) for seat in range(SEATS))
    return tuple(pack[start : start + size] for start in starts)
