"""The scripts of deploy/drills with the roles of deploy/postgres: each database is copied and put
back by its owner, and everybody may afterwards what he could before.
"""

import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from services.event_log.port import Batch, LogError
from services.event_log.sql import open_log, open_reader
from services.web.profiles import Profile, Profiles
from tests.deploy.databases import SQL, Laid, laid_out
from tests.deploy.secrets import make_secrets
from tests.drills.test_postgres_restore import DRILLS, programs
from tests.service.up_process import CHECKOUT
from tests.streams import played

pytestmark = pytest.mark.slow
OWNERS = {"LOG": "migrator", "STANDINGS": "scoring", "PROFILES": "web"}


def script(laid: Laid, name: str, copy: Path) -> str:
    urls = {
        f"WARAQ_{database}_URL": laid.url(role, database.lower())
        for database, role in OWNERS.items()
    }
    waraq = f"{sys.executable} -m services.cli"
    path = f"{programs()}:{os.environ['PATH']}"
    done = subprocess.run(
        ["sh", DRILLS / name, copy],
        env={**os.environ, **urls, "PATH": path, "WARAQ": waraq, "PYTHONPATH": str(CHECKOUT)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stderr


def lose(laid: Laid) -> None:
    with psycopg.connect(laid.server.url(), autocommit=True) as connection:
        for database in OWNERS:
            connection.execute(f"drop database waraq_{database.lower()} with (force)".encode())
    roles = (SQL / "roles.sql", laid.secrets / "passwords.sql")
    laid.server.psql(roles, laid.server.url())


def test_owners_copy_and_put_back_and_every_right_is_as_before(tmp_path: Path) -> None:
    with laid_out(make_secrets(tmp_path / "secrets")) as laid:
        first, second = played(1).rows, played(2).rows
        with closing(open_log(laid.url("table", "log"))) as log:
            log.append(log.claim(0, "me"), Batch(entries=tuple(row.entry for row in first)))
        named = Profiles(laid.url("web", "profiles"))
        named.create()
        named.put(Profile("u_anne0000", "Anne"), 1)
        named.close()
        script(laid, "backup.sh", tmp_path / "copy")
        lose(laid)
        script(laid, "restore.sh", tmp_path / "copy")

        with closing(open_reader(laid.url("reader", "log"))) as log:
            kept = [row.entry for row in log.load(first[0].entry.stream)]
            assert kept == [row.entry for row in first]
            assert log.info().generation == 2
        with closing(open_log(laid.url("table", "log"))) as log:
            log.append(log.claim(0, "me"), Batch(entries=tuple(row.entry for row in second)))
        for role in ("scoring", "reader"):
            with closing(open_log(laid.url(role, "log"))) as log, pytest.raises(LogError):
                log.claim(0, "intruder")
        with (
            psycopg.connect(laid.url("table", "log")) as connection,
            pytest.raises(psycopg.errors.InsufficientPrivilege),
        ):
            connection.execute("delete from events")
        with (
            psycopg.connect(laid.url("analyst", "log")) as connection,
            pytest.raises(psycopg.errors.InsufficientPrivilege),
        ):
            connection.execute("select secret from events")
        again = Profiles(laid.url("web", "profiles"))
        assert again.named(["u_anne0000"]) == (Profile("u_anne0000", "Anne"),)
        again.close()
        with psycopg.connect(laid.url("web", "standings")) as connection:
            connection.execute("select * from tickets")
