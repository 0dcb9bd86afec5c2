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
PASSWORD_BYTES: Final = 24


class Made(Struct, frozen=True, kw_only=True):
    """A file of the folder; `new`: it was not there before."""

    file: str
    new: bool


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
@as_json
def secrets(out: Path, nodes: tuple[str, ...], *, as_json: bool) -> None:
    """Make what is missing of a deployment's keys and passwords, each in a file of its own.

    A key or password that is there is kept; the files that only repeat them are written again.
    """
    try:
        out.mkdir(mode=0o700, parents=True, exist_ok=True)
        made = tuple(_make(out, nodes))
    except OSError as error:
        stop(FAILED, f"{error.filename or out}: {error.strerror}; name another folder with --out")
    except NotASeed as error:
        stop(USAGE, f"{out / ISSUER}: {error}")
    for one in made:
        say.result(one, f"{'made' if one.new else 'kept'} {one.file}", as_json=as_json)


def _make(out: Path, nodes: tuple[str, ...]) -> Iterator[Made]:
    """Yields what is a secret itself; writes, at the end, what follows from those."""
    broker = {user: f"nats-{user}.password" for user in BROKER_USERS}
    database = {_role(name): f"{_stem(name)}.password" for name in DATABASE_ROLES}
    wanted: dict[str, bytes] = {name: os.urandom(KEY_BYTES) for name in KEYS}
    wanted[ISSUER] = seed_text(os.urandom(SEED_BYTES)).encode("ascii")
    for name in (*broker.values(), ROUTES, *database.values()):
        wanted[name] = new_password().encode("ascii")
    for name, secret in wanted.items():
        new = not (out / name).exists()
        create_key_file(out / name, secret)
        yield Made(file=str(out / name), new=new)
    said = {name: (out / name).read_text() for name in wanted if name not in KEYS}
    issuer = account_key(said[ISSUER]).public
    _write(out / "secrets.conf", secrets_config({u: said[broker[u]] for u in broker}, issuer))
    _write(out / "routes.conf", routes_config(nodes, said[ROUTES]))
    passwords = {role: said[database[role]] for role in database}
    _write(out / "passwords.sql", _passwords_sql(passwords))
    for role, password in passwords.items():
        _write(out / f"{_stem(_name(role))}.pgpass", f"*:*:*:{role}:{password}\n")


def new_password() -> str:
    """Letters and digits, a letter first: no configuration takes it for a number or a sign."""
    return f"w{random.token_hex(PASSWORD_BYTES)}"


def _passwords_sql(passwords: Mapping[str, str]) -> str:
    """Sets them without saying them: the server may write what it is told into its log."""
    return "".join(
        f"alter role {role} password '{verifier(password)}';\n"
        for role, password in passwords.items()
        if role != SUPERUSER
    )


def _role(name: str) -> str:
    return name if name == SUPERUSER else f"{OURS}{name}"


def _name(role: str) -> str:
    return role.removeprefix(OURS)


def _stem(name: str) -> str:
    return name if name == SUPERUSER else f"{SUPERUSER}-{name}"


def _write(path: Path, text: str) -> None:
    """Replace the file in one step; only its owner can read it."""
    new = path.with_name(f"{path.name}.new")
    new.unlink(missing_ok=True)
    create_key_file(new, text.encode("ascii"))
    new.replace(path)
