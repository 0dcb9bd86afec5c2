"""What an owner takes up in one turn."""

from msgspec import Struct

from services.table.inbox import Said
from services.table.stage import Asked, Heard


class Work(Struct, frozen=True):
    """Deliveries, asks, alarms that rang, and matches to be woken after a take-over."""

    said: tuple[Said, ...]
    asked: tuple[Asked, ...]
    rung: tuple[str, ...]
    swept: tuple[str, ...]

    @property
    def heard(self) -> tuple[Heard, ...]:
        """The commands to be decided."""
        return tuple(heard for heard in self._legible if not heard.advises)

    @property
    def advices(self) -> tuple[Heard, ...]:
        """What bots advise, which decides nothing and stays out of the batch."""
        return tuple(heard for heard in self._legible if heard.advises)

    @property
    def _legible(self) -> tuple[Heard, ...]:
        return tuple(one.heard for one in self.said if one.heard is not None)
