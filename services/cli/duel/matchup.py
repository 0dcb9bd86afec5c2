"""Who plays whom, at which table; light enough for the command to start fast."""

from collections.abc import Mapping
from hashlib import sha256
from typing import Final, Literal, get_args

from msgspec import Struct

from schemas.commands import HandOptions, Options
from schemas.ids import Level, MatchId, Seat
from services.rules.chance import SealedChance
from services.rules.games import GAMES, game_name, ruleset_of

Name = Literal[Level, "rule", "house"]
"""Three levels; Hokm's rules of thumb without search or whims; what the house plays when a seat's
time is up.
"""
Who = Literal["a", "b"]
NAMES: Final[tuple[Name, ...]] = get_args(Name)
ONLY_IN: Final[Mapping[Name, str]] = {"rule": "hokm"}
"""Contenders that know one game only."""
MATCH: Final[MatchId] = "m_" + "0" * 32
ROUNDS: Final = 2
"""Of each deal."""
_LABEL: Final = "waraq-duel"


class Matchup(Struct, frozen=True, kw_only=True):
    """All luck of its deals follows from `seed`."""

    a: Name
    b: Name
    options: Options
    seed: int


def sound(matchup: Matchup) -> None:
    """Raises `ValueError` with what cannot be played so."""
    options, game = matchup.options, game_name(matchup.options)
    for name in (matchup.a, matchup.b):
        if ONLY_IN.get(name, game) != game:
            raise ValueError(f"{name} plays {ONLY_IN[name]} only: name one of the levels")
    if not GAMES[ruleset_of(options)].sound(options):
        raise ValueError("the partnership variants have 4 seats (N1)")
    if isinstance(options, HandOptions) and options.seats % ROUNDS:
        raise ValueError("three seats cannot be shared out evenly: a duel has 2 seats or 4")


def who(seat: Seat, turned: int) -> Who:
    """Who sits there in a deal's first round (`turned` 0) or its second (1): neighbours are never
    of one contender, partners always are.
    """
    return "a" if (seat + turned) % ROUNDS == 0 else "b"


def luck_of_deal(seed: int, deal: int) -> SealedChance:
    """Cards, hakem, dealer and every later shuffle of deal number `deal`, in both its rounds."""
    key = sha256(f"{_LABEL}|{seed}|{deal}".encode()).digest()
    return SealedChance(key=key, match=MATCH)
