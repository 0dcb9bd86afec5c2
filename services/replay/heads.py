"""Does a log hold the history that somebody saw? Whoever kept a head can say if it does not."""

from collections.abc import Sequence

from msgspec import Struct

from schemas.ids import CommandId, Hex32


class Seen(Struct, frozen=True, kw_only=True):
    """Heads that somebody kept: one alone, or as a match file has them, from version 1 on."""

    head: Hex32 | None = None
    heads: tuple[Hex32, ...] = ()
    commands: tuple[CommandId | None, ...] = ()
    """Of a judge's file: no head seals them."""


class Missing(Struct, frozen=True):
    """The first version at which a history is not the one that was seen."""

    version: int
    reason: str


def missing(heads: Sequence[Hex32], seen: Seen) -> Missing | None:
    """Where `heads`, those of a stream from version 1 on, leave what was seen; None if nowhere."""
    last = len(heads)
    for version, (ours, theirs) in enumerate(zip(heads, seen.heads, strict=False), 1):
        if ours != theirs:
            return Missing(version, "another event was seen here")
    if last < len(seen.heads):
        return Missing(last + 1, f"the log ends here, but version {len(seen.heads)} was seen")
    if seen.head is not None and seen.head not in heads:
        return Missing(last + 1, "no event up to here has the head that was seen")
    return None


def other_command(commands: Sequence[CommandId | None], seen: Seen) -> Missing | None:
    """The first event that answers another command than the one that was seen; None if none."""
    pairs = enumerate(zip(commands, seen.commands, strict=False), 1)
    other = next((version for version, (ours, theirs) in pairs if ours != theirs), None)
    return None if other is None else Missing(other, "another command's id was seen here")
