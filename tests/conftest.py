"""One PostgreSQL a session, started by the first test that asks; a fresh database a test; logs as
they were; the longest files first; no deadline for what hypothesis tries.
"""

import logging
from collections.abc import Iterator
from typing import Final

import aiohttp  # noqa: F401 before nats-py, so that the tests' own players can speak websocket
import pytest
from hypothesis import settings

from tests.postgres import Server, fresh_database, serving

settings.register_profile("waraq", deadline=None)  # no test measures time
settings.load_profile("waraq")

LONGEST: Final = (
    "tests/page/test_rummy.py",
    "tests/drills/test_operations_page.py",
    "tests/service/test_up.py",
    "tests/service/test_backup.py",
    "tests/drills/test_upgrade.py",
    "tests/drills/test_postgres_restore.py",
    "tests/page/test_invitation.py",
    "tests/page/test_browser.py",
    "tests/cli/test_bench.py",
    "tests/chaos/test_chaos.py",
    "tests/deploy/test_whole.py",
    "tests/page/test_onlooker.py",
    "tests/page/test_lists.py",
    "tests/service/test_kills.py",
    "tests/service/test_service.py",
    "tests/service/test_join_players.py",
    "tests/service/test_hand.py",
    "tests/service/test_four.py",
    "tests/service/test_events_consumer.py",
    "tests/service/test_vanished.py",
    "tests/service/test_join.py",
    "tests/test_readme.py",
    "tests/service/test_lobby.py",
    "tests/service/test_players.py",
)
"""Files of slow tests that take longest, in that order. Of several that run at once the last should
not be a long one, for which all others wait.
"""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    assert all((config.rootpath / name).exists() for name in LONGEST)
    places = {name: place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: places.get(item.nodeid.partition("::")[0], len(places)))


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
