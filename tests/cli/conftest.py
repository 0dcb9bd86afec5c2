"""Empty logs on SQLite and on PostgreSQL, each with its place."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from services.event_log.sql import file_url
from services.event_log.upgrade import upgrade
from tests.cli.logs import Log, with_key
from tests.postgres import Server, fresh_database

PARTITIONS = 3


@pytest.fixture(params=["sqlite", "postgres"])
def new_log(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], Log]]:
    """Each call makes another empty log; all share one head key."""
    key = with_key(tmp_path)
    with ExitStack() as stack:
        numbers = iter(range(100))

        def make() -> Log:
            data = tmp_path / f"data{next(numbers)}"
            data.mkdir(mode=0o700)
            if request.param == "sqlite":
                return embedded(data, key)
            server: Server = request.getfixturevalue("postgres_server")
            url = stack.enter_context(fresh_database(server))
            upgrade(url, partitions=PARTITIONS)
            return Log(url, key | {"WARAQ_DATA": str(data), "WARAQ_LOG_URL": url})

        yield make


def embedded(data: Path, key: dict[str, str]) -> Log:
    url = file_url(data / "log.db")
    upgrade(url)
    return Log(url, key | {"WARAQ_DATA": str(data)})


@pytest.fixture
def log(new_log: Callable[[], Log]) -> Log:
    return new_log()


@pytest.fixture
def sqlite_log(tmp_path: Path) -> Log:
    data = tmp_path / "data"
    data.mkdir(mode=0o700)
    return embedded(data, with_key(tmp_path))
