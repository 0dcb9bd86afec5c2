"""What a level does and does not do. The nevers (see `throwing`) hold at every level."""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from schemas.ids import Level


class Habits(Struct, frozen=True, kw_only=True):
    """`opens_from_fire`: takes the fire card for an opening. `swaps`: jokers that it frees at most
    in one plan. `counts`: throws by live outs and danger, else the dearest card. `whims`: the share
    of discards that are any card, melds and jokers included.
    """

    opens_from_fire: bool
    swaps: int
    counts: bool
    whims: float


WHITE: Final = Habits(opens_from_fire=False, swaps=0, counts=False, whims=0.4)
BLACK: Final = Habits(opens_from_fire=True, swaps=2, counts=True, whims=0.0)
HABITS: Final[Mapping[Level, Habits]] = {"white": WHITE, "black": BLACK, "chrome": BLACK}
"""By level. For now chrome plays as black."""
