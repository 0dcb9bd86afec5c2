"""Which facts are decisions, and which ones change what a match waits for."""

from typing import Final

from schemas.events import (
    CardDiscarded,
    CardDrawn,
    CardLaidOff,
    CardPlayed,
    FireTaken,
    JokerSwapped,
    MatchStarted,
    MeldsLaid,
    RoundEnded,
    RoundScored,
    SeatLeft,
    SeatTaken,
    TrumpChosen,
)

DECISIONS: Final = (
    TrumpChosen,
    CardPlayed,
    CardDrawn,
    FireTaken,
    MeldsLaid,
    CardLaidOff,
    JokerSwapped,
    CardDiscarded,
)
"""What a seat does on its turn: each is one move."""
MID_TURN: Final = (CardDrawn, FireTaken, MeldsLaid, CardLaidOff, JokerSwapped)
"""Decisions after which the same seat goes on."""
MOVES: Final = (*DECISIONS, MatchStarted, RoundEnded, RoundScored, SeatTaken, SeatLeft)
"""The facts after which the next decision is another one."""
WAITS: Final = (*DECISIONS, MatchStarted, RoundEnded, RoundScored)
"""The facts after which the match waits for something else, whoever comes or goes."""
TURNS: Final = tuple(fact for fact in WAITS if fact not in MID_TURN)
"""The facts after which another turn begins: a clock is for a whole one (N50)."""
