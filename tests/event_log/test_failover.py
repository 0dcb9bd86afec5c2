"""The primary is found among the hosts that a log's URL names, as docs/operations.md says it."""

import re
from contextlib import closing
from pathlib import Path

import pytest

from services.event_log.sql import open_log, open_reader
from services.event_log.upgrade import upgrade
from tests.postgres import Server, fresh_database

pytestmark = pytest.mark.slow
PAGE = (Path(__file__).parents[2] / "docs" / "operations.md").read_text()


def test_a_host_that_is_away_is_passed_by(postgres_server: Server) -> None:
    shown = re.search(r"`postgresql://waraq_table@/waraq_log(\?[^`]+)`", PAGE)
    assert shown is not None
    hosts = shown[1].replace("db-0:5432", "127.0.0.1:9")
    hosts = hosts.replace("db-1:5432", f"127.0.0.1:{postgres_server.port}")
    with fresh_database(postgres_server) as url:
        several = f"postgresql://postgres@/{url.rpartition('/')[2]}{hosts}"
        upgrade(several)
        with closing(open_log(several)) as log, closing(open_reader(several)) as reader:
            assert log.hold(0)
            assert reader.info().partitions == 16
