"""A PostgreSQL laid out as deploy/postgres says, by the commands that an operator runs."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import psycopg
from msgspec import Struct

from tests.deploy.cluster import DEPLOY
from tests.postgres import SUPERUSER, Server, serving

COMMAND_WITHIN: Final = 60
SQL: Final = DEPLOY / "postgres"
ROLES: Final = ("migrator", "table", "scoring", "web", "reader", "analyst")


class Laid(Struct):
    """A server, the databases in it and the passwords of its roles."""

    server: Server
    secrets: Path

    def url(self, role: str, database: str) -> str:
        """`role` and `database` without `waraq_`; as the superuser nobody is asked a password."""
        if role == SUPERUSER:
            return self.server.url(f"waraq_{database}")
        password = (self.secrets / f"postgres-{role}.password").read_text()
        login = f"waraq_{role}:{password}@127.0.0.1:{self.server.port}"
        return f"postgresql://{login}/waraq_{database}"

    def empty(self) -> None:
        """The log as it was when it was made; only a superuser can, past the guards."""
        with psycopg.connect(self.url(SUPERUSER, "log")) as connection:
            connection.execute("set session_replication_role = replica")
            connection.execute("truncate events, open_matches, dead_letters")
            connection.execute("update partitions set position = 0, published = 0")

    def rights_by_superuser(self) -> None:
        self.server.psql((SQL / "rights.sql",), self.server.url())

    def lay(self) -> None:
        """All steps, in their order; they may be taken again at any time."""
        roles, passwords = SQL / "roles.sql", self.secrets / "passwords.sql"
        self.server.psql((roles, passwords), self.server.url())
        waraq("db", "upgrade", WARAQ_LOG_URL=self.url("migrator", "log"))
        waraq("standings", "prepare", WARAQ_STANDINGS_URL=self.url("scoring", "standings"))
        self.server.psql((SQL / "log.sql",), self.url("migrator", "log"))
        self.server.psql((SQL / "standings.sql",), self.url("scoring", "standings"))


def waraq(*words: str, **environment: str) -> str:
    """One command to its end, its output."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("WARAQ_")}
    done = subprocess.run(
        [sys.executable, "-m", "services.cli", *words],
        env=kept | environment | {"PYTHONPATH": str(DEPLOY.parent)},
        capture_output=True,
        encoding="utf-8",
        timeout=COMMAND_WITHIN,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@contextmanager
def laid_out(secrets: Path) -> Iterator[Laid]:
    """A server of its own: roles are the server's, not a database's."""
    with serving() as server:
        server.demand_passwords()
        found = Laid(server, secrets)
        found.lay()
        yield found
