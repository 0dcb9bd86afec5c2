"""The table worker of production with short clocks: `python -m tests.service.hurried_table`."""

from typing import Final, NoReturn

from services.rules.hand import play as hand
from services.rules.hokm import play as hokm
from services.runtime.worker import run_worker
from services.table import waits
from services.table.__main__ import work

CLOCK: Final = 1.0
"""Seconds of every turn, instead of 25, 45 and 60."""
LOBBY: Final = 5.0
"""Seconds until a match that nobody starts is abandoned, instead of half an hour."""
CLOCKS: Final = ((hokm, "TRUMP_CLOCK"), (hokm, "CARD_CLOCK"), (hand, "TURN_CLOCK"))


def hurry() -> None:
    for module, name in (*CLOCKS, (hand, "DUTY_CLOCK")):
        assert isinstance(getattr(module, name), float)
        setattr(module, name, CLOCK)
    assert waits.LOBBY > LOBBY
    waits.LOBBY = LOBBY  # type: ignore[misc] # a test's: not even a clock of hours is changed here


def main() -> NoReturn:
    hurry()
    run_worker("table", work)


if __name__ == "__main__":
    main()
