"""Which facts are decisions, and which ones change what a match waits for."""

from typing import Final

from schemas.events import (
    CardDiscarded,
    CardDrawn,
    CardLaidOff,
    CardPlayed,
    CardsShuffled,
    ControlChanged,
    FireTaken,
    JokerSwapped,
    MatchAbandoned,
    MatchEnded,
    MatchStarted,
    MeldsLaid,
    NonceAdded,
    RoundEnded,
    RoundRevealed,
    RoundScored,
    SeatLeft,
    SeatTaken,
    TrumpChosen,
    TurnTimedOut,
    Wire,
)

Kinds = frozenset[type[Wire]]
"""Kinds of facts, to be asked with `type(body)`: every stored event is asked each time it is
folded, and `isinstance` with a dozen kinds takes longer than the fold of a card.
"""

MID_TURN: Final[Kinds] = frozenset({CardDrawn, FireTaken, MeldsLaid, CardLaidOff, JokerSwapped})
"""Decisions after which the same seat goes on."""
DECISIONS: Final[Kinds] = MID_TURN.union((TrumpChosen, CardPlayed, CardDiscarded))
"""What a seat does on its turn: each is one move."""
WAITS: Final[Kinds] = DECISIONS.union((MatchStarted, RoundEnded, RoundScored))
"""The facts after which the match waits for something else, whoever comes or goes."""
TURNS: Final[Kinds] = WAITS - MID_TURN
"""The facts after which another turn begins: a clock is for a whole one (N50)."""
MOVES: Final[Kinds] = WAITS.union((SeatTaken, SeatLeft))
"""The facts after which the next decision is another one."""
AROUND: Final[Kinds] = frozenset(
    {
        MatchStarted,
        CardsShuffled,
        RoundEnded,
        RoundRevealed,
        RoundScored,
        MatchEnded,
        MatchAbandoned,
        NonceAdded,
        SeatTaken,
        SeatLeft,
        TurnTimedOut,
        ControlChanged,
    }
)
"""The facts that change the match around its game; any other is the game's own."""
