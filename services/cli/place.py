"""Where the service is: the data folder of an embedded one, or what the environment names."""

import fcntl
import os
import secrets
import shutil
from collections.abc import Callable, Mapping
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import IO, Any, Final, Literal, NoReturn, TypeVar

import click
import msgspec
from msgspec import Struct
from msgspec.structs import replace

from services.cli.exits import FAILED, NOT_FOUND, UNREACHABLE, USAGE, stop
from services.event_log.port import (
    LogDenied,
    LogError,
    LogMissing,
    LogReadOnly,
    LogUnreachable,
    Reader,
)
from services.event_log.sql import file_url, open_reader
from services.event_log.sqlite import refuse_half_restored as half_restored
from services.messaging.permissions import ROLES, Role
from services.messaging.port import BusError, JetStreamOff, LoginRefused
from services.runtime.key_files import create_key
from services.runtime.settings import Login, SettingMissing, secret, with_urls

ACCESS: Final = "access.json"
LOCK: Final = "up.lock"
PASSWORD_BYTES: Final = 24


class Access(Struct, frozen=True, kw_only=True):
    """What an embedded service's data folder says of it. Readable by its owner only (0600).

    `players_port` is the broker's for websockets; `ops_port` the first of those that operators'
    tools are answered on (`services.cli.ops_ports`).
    """

    port: int | None = None
    passwords: dict[Role, str]
    warden: str = ""
    players_port: int | None = None
    web_port: int | None = None
    ops_port: int | None = None


class Place(Struct, frozen=True):
    """An embedded service's folder; `environ` may name an outside log and broker."""

    data: Path
    environ: Mapping[str, str]

    @property
    def log_url(self) -> str:
        return self.environ.get("WARAQ_LOG_URL") or file_url(self.data / "log.db")

    @property
    def standings_url(self) -> str:
        return self.environ.get("WARAQ_STANDINGS_URL") or file_url(self.standings)

    @property
    def standings(self) -> Path:
        return self.data / f"standings{self._of_log}.db"

    @property
    def log_name(self) -> str:
        """The log as it may be shown: without a password."""
        return shown_url(self.log_url)

    @property
    def key_file(self) -> Path:
        named = self.environ.get("WARAQ_SHUFFLE_KEY_FILE")
        return Path(named) if named else self.data / "shuffle.key"

    @property
    def head_key_file(self) -> Path:
        named = self.environ.get("WARAQ_HEAD_KEY_FILE")
        return Path(named) if named else self.data / "head.key"

    @property
    def session_key_file(self) -> Path:
        named = self.environ.get("WARAQ_SESSION_KEY_FILE")
        return Path(named) if named else self.data / "session.key"

    @property
    def issuer_file(self) -> Path:
        named = self.environ.get("WARAQ_ISSUER_SEED_FILE")
        return Path(named) if named else self.data / "issuer.seed"

    @property
    def profiles(self) -> Path:
        return self.data / "profiles.db"

    @property
    def profiles_url(self) -> str:
        return self.environ.get("WARAQ_PROFILES_URL") or file_url(self.profiles)

    @property
    def broker(self) -> Path:
        return self.data / f"broker{self._of_log}"

    @property
    def _of_log(self) -> str:
        """Streams and standings follow one log: each outside log has its own in the folder."""
        outside = self.environ.get("WARAQ_LOG_URL")
        return f"-{sha256(outside.encode()).hexdigest()[:8]}" if outside else ""

    @property
    def elsewhere(self) -> bool:
        """The service is not this folder's: its log or broker is named, and no `waraq up` has run
        here with that log.
        """
        if not self._of_log:
            return self.outside_broker is not None
        return not (self.broker.is_dir() or self.standings.is_file())

    @property
    def outside_broker(self) -> str | None:
        return self.environ.get("WARAQ_NATS_URL")


def shown_url(url: str) -> str:
    """A URL without the password in it."""
    head, at, host = url.rpartition("@")
    scheme, mark, login = head.partition("://")
    return f"{scheme}{mark}{login.partition(':')[0]}{at}{host}" if at else url


def no_broker(place: Place, error: BusError, *, embedded: bool = False) -> str:
    """What to say, and to do, where the broker is away, refuses us or has no streams; `embedded` as
    of `broker_advice`.
    """
    reason = str(error).partition(": ")[2] or str(error)
    if isinstance(error, JetStreamOff):
        return f"the broker is there, but not its streams ({error}): see `waraq doctor`"
    if isinstance(error, LoginRefused):
        return (
            f"the broker refuses our log-in ({shown_url(reason)}): look at WARAQ_NATS_USER and its"
            f" password; without them, at whose broker is on the port in {place.data / ACCESS}"
        )
    return f"no broker answers ({shown_url(reason)}): {broker_advice(place, embedded=embedded)}"


def broker_advice(place: Place, *, embedded: bool = False) -> str:
    """What to do; `waraq up` beside an outside broker would join whatever service that is of.

    `embedded`: the command can bring a service up for itself.
    """
    if place.outside_broker is not None:
        return "see docs/operations.md#broker-lost"
    here = f"start the service with `waraq up --data {place.data}`"
    return f"{here}, or let the command bring it up with --embedded" if embedded else here


def prepare(place: Place) -> Access:
    """What must be in the data folder before anything starts; call it under the folder's lock."""
    found = read_access(place) or Access(passwords={})
    new = {role: _new_password() for role in ROLES}
    access = replace(found, passwords=new | found.passwords, warden=found.warden or _new_password())
    if access != found:
        write_access(place, access)
    return access


def _new_password() -> str:
    return secrets.token_urlsafe(PASSWORD_BYTES)


def forget_other_logs(place: Place) -> None:
    """A log without a match has no events and no standings: what is left of one that was here
    before is removed, for its positions would be taken for those of this one.
    """
    shutil.rmtree(place.broker / "store", ignore_errors=True)
    if "WARAQ_STANDINGS_URL" not in place.environ:
        for file in place.data.glob(f"{place.standings.name}*"):
            file.unlink()


def make_folder(path: Path) -> None:
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not os.access(path, os.W_OK):
            stop(FAILED, f"{path} cannot be written to: name another folder with --data")
    except OSError as error:
        stop(FAILED, f"{path} cannot be made: {error.strerror}; name another folder with --data")


def lock_folder(place: Place, advice: str) -> IO[str]:
    """The folder is ours until this is closed. Two services in one would fight: the second one
    is told so, and what to do.
    """
    descriptor = os.open(place.data / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    file = os.fdopen(descriptor, "a")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        stop(FAILED, f"a service is running in {place.data}: {advice}")
    return file


def refuse_half_restored(place: Place) -> None:
    """Stops the command where a restore into the folder was stopped on the way."""
    try:
        half_restored(place.data)
    except LogError as error:
        stop_for(error)


def is_empty(url: str) -> bool:
    """True for a log without a match; raises as `open_reader`."""
    with closing(open_reader(url)) as log:
        return not log.streams(limit=1)


def has_open_matches(url: str) -> bool:
    """Raises as `open_reader`."""
    with closing(open_reader(url)) as log:
        return any(log.open_streams(partition) for partition in range(log.info().partitions))


def prepare_key(place: Place) -> None:
    """Make a shuffle key, unless a match is open: its deals are sealed with the key it has."""
    if place.key_file.exists() or "WARAQ_SHUFFLE_KEY_FILE" in place.environ:
        return
    if has_open_matches(place.log_url):
        stop(
            FAILED,
            f"the log has open matches, and {place.key_file} is gone: put the key back, for their"
            " deals are sealed with it (or name it in WARAQ_SHUFFLE_KEY_FILE)",
        )
    create_key(place.key_file)


def prepare_head_key(place: Place) -> None:
    """Make a key to sign heads with; unlike the shuffle's, one that is gone may be made anew."""
    if "WARAQ_HEAD_KEY_FILE" not in place.environ:
        create_key(place.head_key_file)


def read_access(place: Place) -> Access | None:
    """What the folder says, None if no service has run there."""
    try:
        return msgspec.json.decode((place.data / ACCESS).read_bytes(), type=Access)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.DecodeError) as error:
        stop(USAGE, f"{place.data / ACCESS} cannot be read: {error}")


def write_access(place: Place, access: Access) -> None:
    """Replace the file in one step, so that nobody reads half of it."""
    new = place.data / f"{ACCESS}.new"
    new.unlink(missing_ok=True)
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(msgspec.json.encode(access))
    new.replace(place.data / ACCESS)


def login(place: Place, role: Role) -> Login:
    """How `role` reaches the broker; stops the command if there is none."""
    if place.outside_broker is not None:
        user = place.environ.get("WARAQ_NATS_USER", role)
        return Login(place.outside_broker, user, _outside_password(place))
    access = read_access(place)
    if access is None or access.port is None:
        stop(UNREACHABLE, f"no service has run in {place.data}: start one with `waraq up`")
    if role not in access.passwords:
        stop(USAGE, f"{place.data / ACCESS} has no password of {role}: move it away, `waraq up`")
    return Login(f"nats://127.0.0.1:{access.port}", role, access.passwords[role])


def _outside_password(place: Place) -> str:
    try:
        return secret(place.environ, "WARAQ_NATS_PASSWORD")
    except SettingMissing as error:
        stop(USAGE, str(error))


def reader(place: Place) -> Reader:
    """The log, to read; stops the command if it is not there."""
    try:
        return open_reader(place.log_url)
    except LogError as error:
        stop_for(error)


Database = Literal["log", "standings", "profiles"]


def denied(database: Database, error: Exception, role: str | None) -> str:
    """What to say, and to do, where a database does not let us; `role` is who may."""
    setting = f"WARAQ_{database.upper()}_URL_FILE"
    to_do = f"name {database}-{role}.url in {setting}" if role else "another role may"
    return (
        f"the database of the {database} does not let this role do it ({error}): {to_do}, see"
        " docs/operations.md#an-operators-shell"
    )


def stop_for(error: LogError, role: str | None = None) -> NoReturn:
    """End the command because of the log; `role`: who may do what we did."""
    if isinstance(error, LogMissing):
        stop(NOT_FOUND, f"{error}, or start the service with `waraq up` (with the same --data)")
    if isinstance(error, LogReadOnly | LogDenied):
        stop(FAILED, denied("log", error, role))
    if isinstance(error, LogUnreachable):
        stop(UNREACHABLE, f"the log's database does not answer: {error}")
    stop(FAILED, str(error))


def _environ() -> Mapping[str, str]:
    try:
        return with_urls(os.environ)
    except SettingMissing as error:
        stop(USAGE, str(error))


F = TypeVar("F", bound=Callable[..., Any])


def at_place(command: F) -> F:
    """The option `--data`, given to the command as a `Place`."""

    def to_place(_context: click.Context, _option: click.Parameter, value: Path) -> Place:
        return Place(value.absolute(), _environ())

    return click.option(
        "--data",
        "place",
        type=click.Path(file_okay=False, path_type=Path),
        envvar="WARAQ_DATA",
        show_envvar=True,
        default=Path("data"),
        show_default="./data",
        callback=to_place,
        help="The embedded service's folder.",
    )(command)


as_json = click.option("--json", "as_json", is_flag=True, help="One JSON object a line on stdout.")
