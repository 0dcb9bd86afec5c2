"""How many rows each table must get: counted from the lines of the log, without the rules.

What is written is held against this, so that a row which the fold lost or doubled is found.
"""

from collections import Counter
from typing import Final

from schemas.events import (
    ControlChanged,
    Event,
    MatchOpened,
    MatchStarted,
    MeldsLaid,
    RoundRevealed,
    RoundScored,
    SeatLeft,
    SeatTaken,
    decode_event,
    tag_of,
)
from schemas.ids import Seat
from services.analytics.told import Told

ACTIONS: Final = frozenset(
    {
        "trump_chosen",
        "card_played",
        "card_drawn",
        "fire_taken",
        "melds_laid",
        "card_laid_off",
        "joker_swapped",
        "card_discarded",
    }
)
"""The events that are decisions of a seat."""


def counts(told: Told) -> Counter[str]:
    """Rows by table."""
    tally = _Tally()
    for entry in told.entries:
        tally.take(decode_event(entry.line))
    return tally.rows


class _Tally:
    def __init__(self) -> None:
        self.rows = Counter(matches=1)
        self._seats = 0
        self._started = False
        self._house: set[Seat] = set()

    def take(self, event: Event) -> None:
        tag = tag_of(event.body)
        if tag in ACTIONS:
            self.rows["plays"] += 1
            self.rows["bot_decisions"] += event.origin == "player" and event.seat in self._house
        match event.body:
            case MeldsLaid(melds=melds):
                self.rows["melds"] += len(melds)
            case RoundRevealed():
                self.rows["rounds"] += 1
                self.rows["deals"] += self._seats
            case RoundScored(totals=totals):
                self.rows["scores"] += len(totals)
            case _:
                self._sit(event)

    def _sit(self, event: Event) -> None:
        """Which seats the house plays."""
        match event.body:
            case MatchOpened(seats=plan):
                self._seats = len(plan)
                self._house = {entry.seat for entry in plan if entry.filled_by == "house"}
            case MatchStarted():
                self._started = True
            case SeatTaken(seat=seat):
                self._house.discard(seat)
            case SeatLeft(seat=seat) if self._started:
                self._house.add(seat)
            case ControlChanged(seat=seat, control=control):
                (self._house.add if control == "house" else self._house.discard)(seat)
            case _:
                pass
