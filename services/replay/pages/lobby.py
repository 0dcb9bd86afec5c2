"""A match without cards as text: what it waits for, and who sits where."""

from typing import assert_never

from services.replay.looks import Look
from services.replay.pages.layout import Line, plays


def lines(look: Look) -> list[Line]:
    seats = (Line(f"  seat {one.seat}  {plays(one)}") for one in look.sitting)
    return [Line(_waits(look)), *seats]


def _waits(look: Look) -> str:
    match look.stage:
        case "lobby":
            return _before_the_start(look)
        case "started":
            return "Started: the cards are to be shuffled."
        case "shuffled":
            return "Shuffled: nothing is dealt yet."
        case "over":
            return "Over before anything was dealt."
        case _:
            assert_never(look.stage)


def _before_the_start(look: Look) -> str:
    free = [f"seat {one.seat}" for one in look.sitting if one.player is None and one.level is None]
    waits = f"{', '.join(free)} to be taken" if free else f"{look.owner} to start it"
    return f"Not started: the match waits for {waits}."
