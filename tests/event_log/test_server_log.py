"""What PostgreSQL may write into its own log: every statement, every parameter, never a secret."""

from contextlib import closing

import psycopg
import pytest

from services.event_log.port import Append, Conflict
from services.event_log.sql import open_log
from services.event_log.upgrade import upgrade
from tests.event_log.places import MATCH, OTHER, batch, entry
from tests.postgres import serving

ORDER = "AS KH 2C 9D"
EVERYTHING = ("log_min_duration_statement = 0", "log_statement = 'all'")


def test_a_server_that_logs_everything_logs_no_packs_order() -> None:
    with serving() as server:
        upgrade(server.url(), partitions=2)
        with psycopg.connect(server.url(), autocommit=True) as superuser:
            for setting in EVERYTHING:
                superuser.execute(f"alter system set {setting}")
            superuser.execute("select pg_reload_conf()")
        with closing(open_log(server.url())) as log:
            claims = [log.claim(partition, "me") for partition in (0, 1)]
            first, second = entry(1, secret=ORDER), entry(1, OTHER, secret=f"{ORDER} 3S")
            log.append(claims[0], batch(first))
            together = (
                Append(claims[0], batch(entry(2))),
                Append(claims[1], batch(second, entry(2, OTHER))),
            )
            assert log.append_together(together) == (2, 2)
            with pytest.raises(Conflict):
                log.append(claims[0], batch(entry(2, secret=ORDER)))
            assert [row.entry.secret for row in log.load(MATCH)] == [ORDER, None]
            assert [row.entry.secret for row in log.load(OTHER)] == [f"{ORDER} 3S", None]
        said = server.said()
        assert said.count("insert into events") >= len(EVERYTHING)
        assert first.line.replace('"', '\\"') in said, "parameters are logged"
        assert ORDER not in said
