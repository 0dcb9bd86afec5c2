"""One PostgreSQL a session, started by the first test that asks; a fresh database a test; logs as
they were.
"""

import logging
from collections.abc import Iterator

import aiohttp  # noqa: F401 before nats-py, so that the tests' own players can speak websocket
import pytest

from tests.postgres import Server, fresh_database, serving


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Server]:
    with serving() as server:
        yield server


@pytest.fixture
def postgres_url(postgres_server: Server) -> Iterator[str]:
    """An empty database: `postgresql://…`."""
    with fresh_database(postgres_server) as url:
        yield url


@pytest.fixture(autouse=True)
def logs_as_before() -> Iterator[None]:
    """A command that is run in this process sets up logs of its own, for good."""
    root = logging.getLogger()
    level, handlers = root.level, list(root.handlers)
    yield
    root.setLevel(level)
    root.handlers[:] = handlers
