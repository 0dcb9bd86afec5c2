"""A table that a person opens: options, who may sit where, the friend's code; and a rematch."""

import secrets
from collections.abc import Mapping
from hashlib import sha256
from typing import Final, get_args

from msgspec import Struct

from schemas.commands import OpenMatch, Options, SeatPlan
from schemas.events import MatchOpened
from schemas.ids import Level, Seat
from services.cli.wanted import wanted
from services.rules.games import GAMES, ruleset_of
from services.rules.hokm.masks import MASKS

LEVELS: Final[tuple[Level, ...]] = get_args(Level)
FRIEND: Final = "friend"
ANYONE: Final = "anyone"
OTHERS: Final = (*LEVELS, ANYONE, FRIEND)
"""Who may be asked to a seat."""
PARTNER: Final[Level] = "chrome"
"""The strength of the house's partner in Hokm (H20)."""
CODE_SIGNS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
"""Those that are not taken for one another when a code is read out."""
CODE_LENGTH: Final = 14
"""69 bits: nobody guesses one."""


class Opening(Struct, frozen=True):
    """`code` opens the invited seats; the table knows only its hash."""

    options: Options
    plan: tuple[SeatPlan, ...]
    code: str | None

    @property
    def action(self) -> OpenMatch:
        hash_ = None if self.code is None else sha256(self.code.encode()).hexdigest()
        return OpenMatch(options=self.options, seats=self.plan, invitation=hash_)


def opening(
    game: str, words: Mapping[str, object], *, seat: Seat, others: tuple[str, ...]
) -> Opening:
    """The table that the command's words ask for; raises ValueError with what is wrong."""
    options = wanted(game, words)
    seats = GAMES[ruleset_of(options)].seats(options)
    if seat >= seats:
        raise ValueError(f"this table has seats 0 to {seats - 1}")
    return _opening(options, _plan(game, seats, seat, others))


def again(opened: MatchOpened, me: Seat) -> Opening:
    """The same table once more, opened by who sat at `me`: house and friend as before, the seats
    of other people for anybody.
    """
    return _opening(opened.options, tuple(_again(entry, me) for entry in opened.seats))


def _again(entry: SeatPlan, me: Seat) -> SeatPlan:
    if entry.seat == me:
        return SeatPlan(seat=me, filled_by="owner")
    return entry if entry.filled_by != "owner" else SeatPlan(seat=entry.seat, filled_by="anyone")


def _opening(options: Options, plan: tuple[SeatPlan, ...]) -> Opening:
    invited = any(entry.filled_by == "invited" for entry in plan)
    return Opening(options, plan, _new_code() if invited else None)


def _new_code() -> str:
    return "".join(secrets.choice(CODE_SIGNS) for _ in range(CODE_LENGTH))


def _plan(game: str, seats: int, mine: Seat, others: tuple[str, ...]) -> tuple[SeatPlan, ...]:
    free = [seat for seat in range(seats) if seat != mine]
    if len(others) == 1:
        masked = game == "hokm" and others[0] in LEVELS
        if masked and mine in MASKS:
            raise ValueError("masks have the seats 1 and 3: sit at 0 or 2, or say each seat's word")
        partner = (mine + 2) % seats if masked else None
        sits = {seat: PARTNER if seat == partner else others[0] for seat in free}
    elif len(others) == len(free):
        sits = dict(zip(free, others, strict=True))
    else:
        raise ValueError(f"{len(free)} other seats: say {len(free)} words, or one for all")
    planned = {mine: SeatPlan(seat=mine, filled_by="owner")}
    planned |= {seat: _seat(seat, word) for seat, word in sits.items()}
    return tuple(planned[seat] for seat in range(seats))


def _seat(seat: Seat, word: str) -> SeatPlan:
    if word == FRIEND:
        return SeatPlan(seat=seat, filled_by="invited")
    if word == ANYONE:
        return SeatPlan(seat=seat, filled_by="anyone")
    level = next(level for level in LEVELS if level == word)
    return SeatPlan(seat=seat, filled_by="house", level=level)
