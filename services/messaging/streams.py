"""The three streams and their limits (docs/architecture.md, Messages)."""

from typing import Final

from msgspec.structs import replace

from schemas import subjects
from schemas.commands import COMMAND_BYTES
from services.messaging.port import ConsumerSpec, StreamSpec

COMMANDS: Final = "COMMANDS"
EVENTS: Final = "EVENTS"
TURNS: Final = "TURNS"

QUOTA: Final = 16
"""Commands of one voice in one match that may wait; the broker discards more."""
WAITING_COMMANDS: Final = 200_000
"""Commands of all voices that may wait."""
EVENTS_AGE: Final = 7 * 24 * 3600.0
"""Seconds that EVENTS keeps a message; the log keeps it for ever."""
EVENTS_BYTES: Final = 1 << 30
"""Bytes that EVENTS keeps at most: on a busy day less than `EVENTS_AGE`. Who reads and is further
behind reads the log (docs/operations.md).
"""
WAITING_TURNS: Final = 100_000
TURNS_BYTES: Final = 512 << 20
TURNS_AGE: Final = 600.0
"""Seconds that TURNS keeps a turn: while its match waits for it the table puts it there again, so
that what bots find after a long outage is what is still wanted.
"""
COMMAND_ACK_WAIT: Final = 30.0
"""Seconds: above the longest transaction, so that a living owner sees no message twice."""
TURN_ACK_WAIT: Final = 5.0
"""Seconds a bot may think before another one is given the turn."""
EVENT_ACK_WAIT: Final = 5.0


def commands(partitions: int) -> StreamSpec:
    """Players' commands: no schedules, rollup or TTL, and nobody is answered (rule 4)."""
    return StreamSpec(
        name=COMMANDS,
        subjects=(subjects.COMMANDS_IN,),
        retention="workqueue",
        discard="new",
        max_per_subject=QUOTA,
        max_messages=WAITING_COMMANDS,
        max_message_bytes=COMMAND_BYTES,
        duplicate_window=0.1,
        no_ack=True,
        transform=(
            subjects.COMMANDS_IN,
            f"cmd.{{{{partition({partitions},1)}}}}.{{{{wildcard(1)}}}}.{{{{wildcard(2)}}}}",
        ),
    )


def events() -> StreamSpec:
    """The log's lines, for whoever follows. Position is the order, arrival is not."""
    return StreamSpec(
        name=EVENTS,
        subjects=(subjects.EVENTS,),
        retention="limits",
        discard="old",
        max_bytes=EVENTS_BYTES,
        max_age=EVENTS_AGE,
    )


def turns() -> StreamSpec:
    """What the bots have to decide; a later view of a seat replaces the earlier one."""
    return StreamSpec(
        name=TURNS,
        subjects=(subjects.TURNS,),
        retention="workqueue",
        discard="old",
        max_per_subject=1,
        max_messages=WAITING_TURNS,
        max_bytes=TURNS_BYTES,
        max_age=TURNS_AGE,
    )


def all_streams(partitions: int, *, replicas: int = 1) -> tuple[StreamSpec, ...]:
    """`replicas`: 1, or 3 or 5 where the broker is a cluster of as many nodes."""
    specs = (commands(partitions), events(), turns())
    return tuple(replace(spec, replicas=replicas) for spec in specs)


def fill(spec: StreamSpec, *, messages: int, size: int) -> float:
    """The part of its limit that is used, of messages or bytes, whichever is the nearer one."""
    limits = ((messages, spec.max_messages), (size, spec.max_bytes))
    return max((used / most for used, most in limits if most > 0), default=0.0)


def owner(partition: int, epoch: int) -> ConsumerSpec:
    """The one consumer of a partition's commands; a new epoch replaces the old one's."""
    return ConsumerSpec(
        stream=COMMANDS,
        name=f"p{partition}-e{epoch}",
        filter=subjects.commands_of(partition),
        ack_wait=COMMAND_ACK_WAIT,
    )


def bots() -> ConsumerSpec:
    return ConsumerSpec(
        stream=TURNS, name="bots", filter=subjects.TURNS, group="bots", ack_wait=TURN_ACK_WAIT
    )


def ended_rounds() -> ConsumerSpec:
    return ConsumerSpec(
        stream=EVENTS,
        name="scoring",
        filter="event.*.round_ended",
        group="scoring",
        ack_wait=EVENT_ACK_WAIT,
    )
