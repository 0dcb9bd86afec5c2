"""Subjects: who says what where. Identity is the subject, and the broker enforces it.

cmdin.<match>.<voice>    in    stored as cmd.<partition>.<match>.<voice>, stream COMMANDS
ask.<match>.<player>     in    core; the owner acts on it, its reply subject is ignored
feed.<player>.<match>    out   core
event.<p>.<type>         out   stream EVENTS
turn.<match>.<seat>      out   stream TURNS
"""

from typing import Final

from msgspec import Struct

from schemas.ids import MatchId, Seat

COMMANDS_IN: Final = "cmdin.*.*"
ASKS: Final = "ask.*.*"
EVENTS: Final = "event.>"
TURNS: Final = "turn.*.*"

HEAD_HEADER: Final = "Waraq-Head"
MSG_ID_HEADER: Final = "Nats-Msg-Id"

_FNV_OFFSET: Final = 2_166_136_261
_FNV_PRIME: Final = 16_777_619


class Address(Struct, frozen=True):
    """A match and the voice that speaks in it, read from a subject."""

    match: str
    voice: str


def command_in(match: MatchId, voice: str) -> str:
    return f"cmdin.{match}.{voice}"


def command_stored(partition: int, match: str, voice: str) -> str:
    return f"cmd.{partition}.{match}.{voice}"


def commands_of(partition: int) -> str:
    return f"cmd.{partition}.>"


def ask(match: MatchId, player: str) -> str:
    return f"ask.{match}.{player}"


def feed(player: str, match: MatchId) -> str:
    return f"feed.{player}.{match}"


def event(partition: int, tag: str) -> str:
    return f"event.{partition}.{tag}"


def events_of(partition: int) -> str:
    return f"event.{partition}.>"


def turn(match: MatchId, seat: Seat) -> str:
    return f"turn.{match}.{seat}"


def command_address(subject: str) -> Address:
    """Who speaks where, from `cmd.<partition>.<match>.<voice>`; raises ValueError."""
    _, _, match, voice = subject.split(".")
    return Address(match, voice)


def ask_address(subject: str) -> Address:
    """Who asks about which match, from `ask.<match>.<player>`; raises ValueError."""
    _, match, player = subject.split(".")
    return Address(match, player)


def message_id(generation: int, partition: int, position: int) -> str:
    """The `Nats-Msg-Id` of an event: the broker drops a second one within its window."""
    return f"{generation}:{partition}:{position}"


def partition_of(match: str, partitions: int) -> int:
    """The partition of a match: FNV-1a 32 of its id, as the broker's `partition(N,1)`."""
    value = _FNV_OFFSET
    for byte in match.encode():
        value = ((value ^ byte) * _FNV_PRIME) & 0xFFFFFFFF
    return value % partitions
