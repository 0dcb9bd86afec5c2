"""Does a log hold the history that somebody saw? Whoever kept a head can say if it does not."""

from collections.abc import Mapping, Sequence

from msgspec import Struct, field

from schemas.ids import Hex32


class Seen(Struct, frozen=True, kw_only=True):
    """Heads that a client kept: by version, as a match file has them, or one alone."""

    head: Hex32 | None = None
    heads: Mapping[int, Hex32] = field(default_factory=dict)


class Missing(Struct, frozen=True):
    """The first version at which a history is not the one that was seen."""

    version: int
    reason: str


def missing(heads: Sequence[Hex32], seen: Seen) -> Missing | None:
    """Where `heads`, those of a stream from version 1 on, leave what was seen; None if nowhere."""
    last = len(heads)
    for version in sorted(seen.heads):
        if version > last:
            return Missing(last + 1, f"the log ends here, but version {version} was seen")
        if heads[version - 1] != seen.heads[version]:
            return Missing(version, "another event was seen here")
    if seen.head is not None and seen.head not in heads:
        return Missing(last + 1, "no event up to here has the head that was seen")
    return None
