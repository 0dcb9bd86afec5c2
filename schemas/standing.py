"""What a worker says of itself to operators (docs/observing.md); no part of clients' contract."""

from msgspec import Struct, field


class Standing(Struct, frozen=True, kw_only=True):
    """How a worker stands now. `missing`: what it lacks to be of use; `done` and `failed` count its
    work since it began; `numbers` are of what it has before it. Nobody is named, and no card.
    """

    ready: bool
    missing: tuple[str, ...] = ()
    done: int = 0
    failed: int = 0
    numbers: dict[str, int] = field(default_factory=dict)
    owned: tuple[int, ...] = ()
    """Partitions that it serves."""
