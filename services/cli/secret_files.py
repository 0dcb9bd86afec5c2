"""`waraq secrets`: makes every secret of a deployment, each in a file of its own (0600)."""

import os
import secrets as random
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import click
from msgspec import Struct

from services.auth.nkeys import SEED_BYTES, NotASeed, account_key, seed_text
from services.cli import say
from services.cli.exits import FAILED, USAGE, stop
from services.cli.place import as_json
from services.cli.scram import verifier
from services.messaging.outside import routes_config, secrets_config
from services.messaging.permissions import ROLES, WARDEN
from services.runtime.key_files import KEY_BYTES, create_key_file

KEYS: Final = ("shuffle.key", "head.key", "session.key", "ticket.key")
ISSUER: Final = "issuer.seed"
BROKER_USERS: Final = (*ROLES, WARDEN)
ROUTES: Final = "nats-routes.password"
SUPERUSER: Final = "postgres"
OURS: Final = "waraq_"
DATABASE_ROLES: Final = (SUPERUSER, "migrator", "table", "scoring", "web", "reader", "analyst")
"""Those of deploy/postgres/roles.sql, where they have `waraq_` before, and PostgreSQL's first."""
NODES: Final = ("nats-0:6222", "nats-1:6222", "nats-2:6222")
"""Where the nodes of a broker's cluster wait for each other, if nothing is said."""
DATABASES: Final[Mapping[str, tuple[str, ...]]] = {
    "log": ("migrator", "table", "scoring", "reader", "analyst"),
    "standings": ("scoring", "web", "reader", "analyst"),
    "profiles": ("web",),
}
"""Who has a URL of which."""
POSTGRES: Final = "postgres:5432"
PASSWORD_BYTES: Final = 24


class Made(Struct, frozen=True, kw_only=True):
    """A file of the folder; `new`: it was not there before."""

    file: str
    new: bool


class Database(Struct, frozen=True):
    """Where the databases are; `ca`: a file that workers check PostgreSQL's certificate with."""

    place: str
    ca: str | None

    def url(self, role: str, password: str, name: str) -> str:
        url = f"postgresql://{OURS}{role}:{password}@{self.place}/{OURS}{name}"
        return url if self.ca is None else f"{url}?sslmode=verify-full&sslrootcert={self.ca}"


@click.command()
@click.option(
    "--out",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    help="The folder to write into; it is made if it is not there (0700).",
)
@click.option(
    "--node",
    "nodes",
    metavar="HOST:PORT",
    multiple=True,
    default=NODES,
    show_default=True,
    help="Where a node of the broker's cluster waits for the others; name each.",
)
@click.option(
    "--postgres",
    metavar="HOST:PORT",
    default=POSTGRES,
    show_default=True,
    help="Where the databases are.",
)
@click.option(
    "--postgres-ca",
    "ca",
    metavar="FILE",
    help="Where workers find the certificate that PostgreSQL's must be signed by; without it"
    " passwords and rows go over the network as they are.",
)
@as_json
def secrets(
    out: Path, nodes: tuple[str, ...], postgres: str, ca: str | None, *, as_json: bool
) -> None:
    """Make what is missing of a deployment's keys and passwords, each in a file of its own.

    A key or password that is there is kept; the files that only repeat them are written again.
    """
    try:
        out.mkdir(mode=0o700, parents=True, exist_ok=True)
        made = tuple(_make(out))
        _repeat(out, nodes, Database(postgres, ca))
    except OSError as error:
        stop(FAILED, f"{error.filename or out}: {error.strerror}; name another folder with --out")
    except NotASeed as error:
        stop(USAGE, f"{out / ISSUER}: {error}")
    for one in made:
        say.result(one, f"{'made' if one.new else 'kept'} {one.file}", as_json=as_json)


def _make(out: Path) -> Iterator[Made]:
    wanted: dict[str, bytes] = {name: os.urandom(KEY_BYTES) for name in KEYS}
    wanted[ISSUER] = seed_text(os.urandom(SEED_BYTES)).encode("ascii")
    for name in (*map(_of_broker, BROKER_USERS), ROUTES, *map(_of_database, DATABASE_ROLES)):
        wanted[name] = new_password().encode("ascii")
    for name, secret in wanted.items():
        new = not (out / name).exists()
        create_key_file(out / name, secret)
        yield Made(file=str(out / name), new=new)


def _repeat(out: Path, nodes: tuple[str, ...], database: Database) -> None:
    """Write the files that say the same secrets to nats-server, psql and workers."""
    broker = {user: (out / _of_broker(user)).read_text() for user in BROKER_USERS}
    issuer = account_key((out / ISSUER).read_text()).public
    _write(out / "secrets.conf", secrets_config(broker, issuer))
    _write(out / "routes.conf", routes_config(nodes, (out / ROUTES).read_text()))
    said = {role: (out / _of_database(role)).read_text() for role in DATABASE_ROLES}
    _write(out / "passwords.sql", _passwords_sql(said))
    _write(out / "postgres.pgpass", f"*:*:*:{SUPERUSER}:{said[SUPERUSER]}\n")
    for name, roles in DATABASES.items():
        for role in roles:
            _write(out / f"{name}-{role}.url", database.url(role, said[role], name))


def new_password() -> str:
    """Letters and digits, a letter first: no configuration takes it for a number or a sign."""
    return f"w{random.token_hex(PASSWORD_BYTES)}"


def _passwords_sql(passwords: Mapping[str, str]) -> str:
    """Sets them without saying them: the server may write what it is told into its log."""
    return "".join(
        f"alter role {OURS}{role} password '{verifier(password)}';\n"
        for role, password in passwords.items()
        if role != SUPERUSER
    )


def _of_broker(user: str) -> str:
    return f"nats-{user}.password"


def _of_database(role: str) -> str:
    return f"{SUPERUSER}.password" if role == SUPERUSER else f"{SUPERUSER}-{role}.password"


def _write(path: Path, text: str) -> None:
    """Replace the file in one step; only its owner can read it."""
    new = path.with_name(f"{path.name}.new")
    new.unlink(missing_ok=True)
    create_key_file(new, text.encode("ascii"))
    new.replace(path)
