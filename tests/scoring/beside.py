"""Scoring and web as processes that begin together on one database.

    python -m tests.scoring.beside create|give URL

`create` makes the tables as the scoring worker does. `give` asks for tickets as the web worker does
until it has got one for each of `WANTED` matches, and prints how often it was told to wait.
"""

import sys
from collections.abc import Callable
from typing import Final

from services.runtime.signing_keys import Keys
from services.scoring.database import StandingsError, faults, open_engine, open_shared
from services.scoring.standings import Standings
from services.scoring.tickets import Given, TicketOffice, WantedTicket, give

KEYS: Final = Keys(b"k" * 32)
PLAYER: Final = "u_owner0000"
NOW: Final = 1_796_040_000_000
WANTED: Final = 3
TRIES: Final = 100_000


def create(url: str) -> None:
    with faults():
        Standings(open_engine(url)).create()


def give_all(url: str) -> None:
    office, waited = TicketOffice(open_shared(url), KEYS), 0
    for number in range(WANTED):
        while not _given(office, number):
            waited += 1
            assert waited < TRIES, "there were never any tables"
    sys.stdout.write(f"{waited}\n")


def _given(office: TicketOffice, number: int) -> bool:
    wanted = WantedTicket(match=f"m_{number:032x}", offset=0)
    try:
        found = give(office, PLAYER, wanted, NOW)
    except StandingsError:
        return False
    return isinstance(found, Given)


WHAT: Final[dict[str, Callable[[str], None]]] = {"create": create, "give": give_all}


def main() -> None:
    """Begins when it is told to, on stdin."""
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.readline()
    WHAT[sys.argv[1]](sys.argv[2])


if __name__ == "__main__":
    main()
