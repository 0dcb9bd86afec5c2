"""What a worker needs to be of use, each with a name: what is missing is said, and nothing else."""

from collections.abc import Callable

from services.runtime.shutdown import tell_ready

Check = Callable[[], bool]
"""True while it is there. Called on the worker's loop: it only looks, and waits for nothing."""


class Health:
    """Not ready before it has begun; from then on while all that it needs is there. `ready`: the
    descriptor on which a supervisor hears that it has begun, None without one.
    """

    def __init__(self, *, ready: int | None = None) -> None:
        self._ready = ready
        self._needs: dict[str, Check] = {}
        self._begun = False

    def needs(self, name: str, check: Check) -> None:
        """`name` is what an operator reads where `check` says no."""
        self._needs[name] = check

    def begin(self) -> None:
        """The work has begun: call it once."""
        self._begun = True
        tell_ready(self._ready)

    def names(self) -> tuple[str, ...]:
        """All that it may miss."""
        return ("begun", *self._needs)

    def missing(self) -> tuple[str, ...]:
        """The names of what is not there now; empty: ready."""
        begun = () if self._begun else ("begun",)
        return begun + tuple(name for name, check in self._needs.items() if not check())
