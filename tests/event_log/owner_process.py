"""An owner in a process of its own, to be killed: `python -m … URL endless|inside`.

It prints the position of every append that has returned. `endless` appends for ever; `inside`
appends once, then stops in the middle of a second, large transaction and prints `inside`.
"""

import sys
from itertools import count
from typing import Final

from services.event_log.port import EventLog
from services.event_log.sql import locate, open_log
from tests.event_log.places import batch, entries

BATCH: Final = 3
INSIDE: Final = "inside"
HALF_A_TRANSACTION: Final = (
    "update partitions set position = position + 20000 where partition = 0",
    # More than SQLite keeps in memory: its journal holds a part that is not committed.
    """with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 20000)
       insert into events (partition, position, stream, version, type, line, head)
       select 0, n + 3, 'm_half', n, 'card_played', '0123456789012345678901234567890123456789', ''
       from numbers""",
    "insert into open_matches (stream, partition) values ('m_half', 0)",
)


def say(word: object) -> None:
    print(word, flush=True)  # noqa: T201  # its parent reads it


def endless(log: EventLog) -> None:
    claim = log.claim(0, "endless")
    for number in count():
        first = claim.position + number * BATCH + 1
        say(log.append(claim, batch(*entries(first, first + BATCH - 1))))


def inside(log: EventLog, url: str) -> None:
    say(log.append(log.claim(0, INSIDE), batch(*entries(1, BATCH))))
    with locate(url).writing().begin() as connection:
        if connection.dialect.name == "postgresql":  # where an append is one statement
            connection.exec_driver_sql("begin")
        for statement in HALF_A_TRANSACTION:
            connection.exec_driver_sql(statement)
        say(INSIDE)
        sys.stdin.read()


if __name__ == "__main__":
    place, what = sys.argv[1:]
    owner = open_log(place)
    assert owner.hold(0), "the lock is free"
    if what == INSIDE:
        inside(owner, place)
    endless(owner)
