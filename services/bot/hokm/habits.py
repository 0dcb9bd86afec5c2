"""What a level does and does not do. The nevers (see `nevers`) hold at every level above white."""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from schemas.ids import Level


class Habits(Struct, frozen=True, kw_only=True):
    """`remembers`: what was played before this trick. `proper`: keeps to the nevers. `whims`: the
    share of cards that are any card. `worlds`: in how many a card is weighed; with none the rules
    of thumb decide alone.
    """

    remembers: bool
    proper: bool
    whims: float
    worlds: int


WORLDS: Final = 60
"""The master's; the price of a decision is worlds times cards, and no clock ends it (design §9)."""
WHITE: Final = Habits(remembers=False, proper=False, whims=0.4, worlds=0)
BLACK: Final = Habits(remembers=True, proper=True, whims=0.15, worlds=0)
CHROME: Final = Habits(remembers=True, proper=True, whims=0.0, worlds=WORLDS)
RULE: Final = Habits(remembers=True, proper=True, whims=0.0, worlds=0)
"""No level: the rules of thumb as they are, to measure the levels by."""
HABITS: Final[Mapping[Level, Habits]] = {"white": WHITE, "black": BLACK, "chrome": CHROME}
