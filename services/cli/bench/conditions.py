"""Under what a measure runs: how thorough, on which database, with which shuffle key."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

from services.cli.bench.figures import Databases
from services.cli.bench.raw import fresh_database
from services.event_log.sql import file_url


class Conditions(Struct, frozen=True, kw_only=True):
    """`postgres` is the URL of a server on which databases may be made; `database` what is
    measured now.
    """

    folder: Path
    quick: bool
    database: Databases = "sqlite"
    postgres: str | None = None

    def many(self, full: int, quick: int) -> int:
        """How many of something: fewer when it has to be quick."""
        return quick if self.quick else full

    @contextmanager
    def empty_folder(self) -> Iterator[Path]:
        """A folder of one's own; it is gone at the end."""
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            yield Path(folder)

    @contextmanager
    def fresh_log(self) -> Iterator[str]:
        """The URL of a database without a log; it is gone at the end."""
        if self.database == "sqlite":
            with self.empty_folder() as folder:
                yield file_url(folder / "log.db")
        else:
            assert self.postgres is not None, "there is no server to measure PostgreSQL on"
            with fresh_database(self.postgres) as url:
                yield url


def plain_environment() -> dict[str, str]:
    """Ours, without any setting that this machine has for the program."""
    return {name: value for name, value in os.environ.items() if not name.startswith("WARAQ_")}
