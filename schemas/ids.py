"""Ids and small words. A pattern ends in a length, because `$` also matches before a newline."""

from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

MatchId = Annotated[str, Meta(pattern="^m_[0-9a-f]{32}$", max_length=34)]
"""Made by the client: `m_` and the 32 hex digits of a UUIDv7."""
PlayerId = Annotated[str, Meta(pattern=r"^u_[0-9a-z]{8,28}$(?!\n)", max_length=30)]
"""Opaque. Names live elsewhere, so that erasing a player breaks no proof."""
Name = Annotated[str, Meta(pattern=r"^[a-z0-9._-]{1,32}(@[0-9]{1,9})?$(?!\n)", max_length=42)]
"""What the service calls its rulesets, shuffles, keys and policies: no person writes one."""
CommandId = Annotated[str, Meta(pattern=r"^[0-9A-Za-z_-]{16,36}$(?!\n)", max_length=36)]
"""Made by whoever speaks, at random: nobody may guess it. In a match it is accepted once."""
Voice = Annotated[
    str, Meta(pattern=r"^(u_[0-9a-z]{8,28}|house[0-3]|scoring|ops)$(?!\n)", max_length=30)
]
"""Who speaks on a command subject: a player, the house for one seat, scoring or an operator."""
Hex32 = Annotated[str, Meta(pattern="^[0-9a-f]{64}$", max_length=64)]
"""32 bytes in hex: a hash, a seal, a seed, a nonce, a secret."""
Seat = Annotated[int, Meta(ge=0, le=3)]
"""A place at the table; the next one to play has the next number (H2)."""
LATEST: Final = 253_402_300_799_999
"""The latest time, in Unix ms: the end of the year 9999."""
Time = Annotated[int, Meta(ge=0, le=LATEST)]
"""Unix milliseconds."""
Points = Annotated[int, Meta(ge=1, le=100)]
MeldId = Annotated[int, Meta(ge=1, le=99)]
Move = Annotated[int, Meta(ge=0, le=2**53 - 1)]
Round = Annotated[int, Meta(ge=1, le=9_999)]

Origin = Literal["player", "chance", "rule", "ops"]
Level = Literal["white", "black", "chrome"]
Control = Literal["owner", "house"]
AbandonReason = Literal["operator", "fault", "expired"]
Outcome = Literal["ended", "operator", "fault", "expired"]
"""How a match came to its end: played out, or abandoned and why."""

SCORING: Final = "scoring"
OPS: Final = "ops"
HOUSES: Final = ("house0", "house1", "house2", "house3")


def matches(value: str, kind: object) -> bool:
    """True if `value` has the form of `kind`, one of the annotated strings above."""
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError:
        return False
    return True


def house_voice(seat: Seat) -> str:
    """The voice of the house at `seat`."""
    return HOUSES[seat]


def house_seat(voice: str) -> Seat | None:
    """The seat that a house voice speaks for, or None for any other voice."""
    return HOUSES.index(voice) if voice in HOUSES else None
