"""A gate before thoughts of `tests.bot.slow_thinker`: the test sees who thinks, and opens it."""

from pathlib import Path
from typing import Final

from tests.waiting import until

WITHIN: Final = 20.0
"""Seconds until a thought must have begun, in a process that may be to be started first."""


class Gate:
    """Shut at first; in `folder`, for processes of any parent."""

    def __init__(self, folder: Path) -> None:
        self._gate, self._count = folder / "gate", folder / "count"

    @property
    def words(self) -> tuple[str, str]:
        """What the slow thinker is started with."""
        return str(self._gate), str(self._count)

    def open(self) -> None:
        self._gate.touch()

    def thinkers(self) -> list[int]:
        """The process of each thought that was begun."""
        text = self._count.read_text() if self._count.exists() else ""
        return [int(line) for line in text.split()]

    async def begun(self, count: int) -> None:
        what = f"{count} thoughts begun"
        await until(lambda: len(self.thinkers()) >= count, what, within=WITHIN)
