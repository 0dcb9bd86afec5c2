"""Empty standings on each database."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from services.event_log.sql import file_url
from services.scoring.database import open_engine
from services.scoring.standings import Standings


@pytest.fixture(params=["sqlite", "postgres"])
def standings_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return file_url(tmp_path / "kept.db")
    return str(request.getfixturevalue("postgres_url"))


@pytest.fixture
def engine(standings_url: str) -> Iterator[sa.Engine]:
    found = open_engine(standings_url)
    Standings(found).create()
    yield found
    found.dispose()
