"""Masks: the house's two opponents of whoever plays as the guide has it (H20)."""

from collections.abc import Sequence
from typing import Final

from schemas.commands import HokmOptions, SeatPlan
from schemas.events import MatchOpened
from schemas.ids import Level, Seat

MASKS: Final[tuple[Seat, ...]] = (1, 3)
"""The seats that masks have: a table where others have them is an open one."""


def masks(plan: Sequence[SeatPlan]) -> Level | None:
    """The level of both masks where the house has their seats at one level, else None: such a
    table of Hokm, and no other one, gives XO points (H22).
    """
    levels = {plan[seat].level for seat in MASKS}
    return levels.pop() if len(levels) == 1 else None


def gives_xo(opened: MatchOpened) -> bool:
    """True for a masked table of Hokm (H20, H22)."""
    return isinstance(opened.options, HokmOptions) and masks(opened.seats) is not None
