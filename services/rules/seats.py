"""Who sits where: chairs, who may take one, and who plays it when its owner does not (H20, H24)."""

from hashlib import sha256
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from schemas.commands import OpenMatch, SeatPlan, TakeSeat
from schemas.events import ControlChanged, SeatLeft, SeatTaken, TurnTimedOut
from schemas.feed import Sitting
from schemas.ids import Control, Hex32, Level, Seat
from schemas.refusals import Refusal

EXPIRIES: Final = 2
"""Time-outs in a row after which the house holds the seat (H24)."""
STAND_IN: Final[Level] = "chrome"
"""The strength at which the house holds a person's seat: a partner's (H20)."""


class Chair(Struct, frozen=True, kw_only=True):
    """`player` owns it; `control` says who plays it; `expiries`: time-outs in a row."""

    plan: SeatPlan
    player: str | None = None
    control: Control = "owner"
    expiries: int = 0
    nonce: bool = False

    @property
    def filled(self) -> bool:
        return self.player is not None or self.control == "house"


class Witness(Struct, frozen=True):
    """Somebody who left a seat after the first deal and so has seen its cards."""

    player: str
    seat: Seat


Chairs = tuple[Chair, ...]


def sound_plan(action: OpenMatch, seats: int) -> bool:
    """The plan names each seat once, in order; only the house has a level; one seat is mine."""
    plan = action.seats
    return (
        [entry.seat for entry in plan] == list(range(seats))
        and all((entry.filled_by == "house") == (entry.level is not None) for entry in plan)
        and sum(entry.filled_by == "owner" for entry in plan) <= 1
        and (action.invitation is not None or all(e.filled_by != "invited" for e in plan))
    )


def chairs_for(plan: tuple[SeatPlan, ...], owner: str) -> Chairs:
    """The chairs at opening: the owner sits in his, the house in its own."""
    return tuple(
        Chair(
            plan=entry,
            player=owner if entry.filled_by == "owner" else None,
            control="house" if entry.filled_by == "house" else "owner",
        )
        for entry in plan
    )


def chair_of(chairs: Chairs, player: str) -> Seat | None:
    """The seat that `player` owns."""
    return next((seat for seat, chair in enumerate(chairs) if chair.player == player), None)


def sitting(chairs: Chairs) -> tuple[Sitting, ...]:
    """The chairs as a client sees them."""
    return tuple(
        Sitting(seat=seat, player=chair.player, control=chair.control, level=level(chair))
        for seat, chair in enumerate(chairs)
    )


def level(chair: Chair) -> Level | None:
    """At which strength the house plays this chair, None while it does not."""
    return (chair.plan.level or STAND_IN) if chair.control == "house" else None


def refuse_seat(
    chairs: Chairs,
    player: str,
    action: TakeSeat,
    *,
    owner: str,
    witnesses: tuple[Witness, ...],
    hash_: Hex32 | None,
) -> Refusal | None:
    """May `player` take this seat? `hash_` is SHA-256 of the invitation's code."""
    chair = chairs[action.seat]
    if chair.player is not None or chair.plan.filled_by == "house":
        return Refusal.SEAT_TAKEN
    if chair.plan.filled_by == "owner" and player != owner:
        return Refusal.NOT_ALLOWED
    if chair.plan.filled_by == "invited" and not _opens(action.code, hash_):
        return Refusal.WRONG_CODE
    if any(w.player == player and w.seat != action.seat for w in witnesses):
        return Refusal.SEEN_CARDS
    return None if chair_of(chairs, player) is None else Refusal.NOT_ALLOWED


def _opens(code: str | None, hash_: Hex32 | None) -> bool:
    return code is not None and sha256(code.encode()).hexdigest() == hash_


def seat_taken(chairs: Chairs, body: SeatTaken) -> Chairs:
    return _with(chairs, body.seat, player=body.player, control="owner", expiries=0)


def seat_left(chairs: Chairs, body: SeatLeft, *, dealt: bool) -> Chairs:
    """Before the start the seat is free again; after it the house plays it to the end."""
    control: Control = "house" if dealt else "owner"
    return _with(chairs, body.seat, player=None, control=control, expiries=0, nonce=False)


def timed_out(chairs: Chairs, body: TurnTimedOut) -> Chairs:
    return _with(chairs, body.seat, expiries=chairs[body.seat].expiries + 1)


def control_changed(chairs: Chairs, body: ControlChanged) -> Chairs:
    return _with(chairs, body.seat, control=body.control, expiries=0)


def acted(chairs: Chairs, seat: Seat) -> Chairs:
    """The owner of `seat` has played by himself: his time-outs are forgotten."""
    return _with(chairs, seat, expiries=0) if chairs[seat].expiries else chairs


def gave_nonce(chairs: Chairs, seat: Seat) -> Chairs:
    return _with(chairs, seat, nonce=True)


def due_autopilot(chairs: Chairs) -> Seat | None:
    """The seat that the house must hold from now on (H24)."""
    for seat, chair in enumerate(chairs):
        if chair.control == "owner" and chair.expiries >= EXPIRIES:
            return seat
    return None


def _with(chairs: Chairs, seat: Seat, **changes: object) -> Chairs:
    return (*chairs[:seat], replace(chairs[seat], **changes), *chairs[seat + 1 :])
