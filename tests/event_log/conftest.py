"""A log in memory, in SQLite and in PostgreSQL, for the same tests."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TypeVar

import pytest

from services.event_log.memory import MemoryLog, MemoryStore
from services.event_log.port import Reader
from services.event_log.sql import file_url, open_log, open_reader
from services.event_log.upgrade import upgrade
from tests.event_log.places import PARTITIONS, Place
from tests.postgres import Server, fresh_database

Handle = TypeVar("Handle", bound=Reader)


@pytest.fixture(scope="session")
def postgres_template(postgres_server: Server) -> Iterator[str]:
    """The name of a database with an empty log, to be copied: faster than migrating each time."""
    with fresh_database(postgres_server) as url:
        upgrade(url, partitions=PARTITIONS)
        yield url.rpartition("/")[2]


@pytest.fixture
def sqlite_log_url(tmp_path: Path) -> str:
    url = file_url(tmp_path / "log.db")
    upgrade(url, partitions=PARTITIONS)
    return url


@pytest.fixture
def postgres_log_url(postgres_server: Server, postgres_template: str) -> Iterator[str]:
    with fresh_database(postgres_server, postgres_template) as url:
        yield url


@pytest.fixture(params=["sqlite", "postgres"])
def log_url(request: pytest.FixtureRequest) -> str:
    """An empty log in SQL."""
    return str(request.getfixturevalue(f"{request.param}_log_url"))


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def place(request: pytest.FixtureRequest) -> Iterator[Place]:
    """An empty log on each adapter."""
    with ExitStack() as stack:
        if request.param == "memory":
            store = MemoryStore(partitions=PARTITIONS)
            yield Place(*[_closing(stack, lambda: MemoryLog(store))] * 2)
        else:
            url = str(request.getfixturevalue(f"{request.param}_log_url"))
            yield Place(
                _closing(stack, lambda: open_log(url)),
                _closing(stack, lambda: open_reader(url)),
            )


def _closing(stack: ExitStack, make: Callable[[], Handle]) -> Callable[[], Handle]:
    def opened() -> Handle:
        handle = make()
        stack.callback(handle.close)
        return handle

    return opened
