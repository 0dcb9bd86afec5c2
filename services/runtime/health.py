"""What a worker needs to be of use, each with a name: what is missing is said, and nothing else."""

from collections.abc import Callable

Check = Callable[[], bool]
"""True while it is there. Called on the worker's loop: it only looks, and waits for nothing."""


class Health:
    """Not ready before it has begun; from then on while all that it needs is there."""

    def __init__(self) -> None:
        self._needs: dict[str, Check] = {}
        self._begun = False

    def needs(self, name: str, check: Check) -> None:
        """`name` is what an operator reads where `check` says no."""
        self._needs[name] = check

    def begin(self) -> None:
        """The work has begun."""
        self._begun = True

    def names(self) -> tuple[str, ...]:
        """All that it may miss."""
        return ("begun", *self._needs)

    def missing(self) -> tuple[str, ...]:
        """The names of what is not there now; empty: ready."""
        begun = () if self._begun else ("begun",)
        return begun + tuple(name for name, check in self._needs.items() if not check())
