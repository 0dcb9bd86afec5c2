"""What a level does and does not do. The nevers (see `throwing`) hold at every level."""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from schemas.ids import Level


class Habits(Struct, frozen=True, kw_only=True):
    """`opens_from_fire`: takes the fire card for an opening. `swaps`: jokers that it frees at most
    in one plan. `counts`: throws by what may still come and by danger, else the dearest loose card.
    `whims`: the share of discards that are any loose card.
    """

    opens_from_fire: bool
    swaps: int
    counts: bool
    whims: float


HABITS: Final[Mapping[Level, Habits]] = {
    "white": Habits(opens_from_fire=False, swaps=0, counts=False, whims=0.4),
    "black": Habits(opens_from_fire=True, swaps=1, counts=False, whims=0.0),
    "chrome": Habits(opens_from_fire=True, swaps=2, counts=True, whims=0.0),
}
"""A beginner who neither opens from the fire nor frees jokers, and throws at a whim; a sound player
who does not count; one who counts.
"""
