"""A log in PostgreSQL, by psycopg."""

import math
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Lock
from typing import Any, Final

from sqlalchemy import URL, Connection, Engine, NullPool, create_engine, text
from sqlalchemy.engine.interfaces import IsolationLevel
from sqlalchemy.exc import SQLAlchemyError

from services.event_log import postgres_append
from services.event_log.database import POOL_SECONDS, DriverConnection, Locks, faults
from services.event_log.port import LIFELESS, Append, Crew

# No call may hang for ever, whichever end or cable dies.
CONNECT_SECONDS: Final = 5
STATEMENT_SECONDS: Final = 10
LOCK_SECONDS: Final = 5
"""How long a statement waits for a row, such as a partition that another owner appends to."""
IDLE_TRANSACTION_SECONDS: Final = 10
"""After which the server drops who stopped within a transaction; an append is one statement."""
UPGRADE_LOCK_SECONDS: Final = 120
"""How long an upgrade waits for another one."""
KEEPALIVE_IDLE_SECONDS: Final = 5
KEEPALIVE_INTERVAL_SECONDS: Final = 2
KEEPALIVE_COUNT: Final = 3
UNACKNOWLEDGED_SECONDS: Final = 15
"""How long what was sent may stay unacknowledged by the other end's kernel."""
POOL_CONNECTIONS: Final = 20

LOCK_NAMESPACE: Final = 0x57617271
"""First key of our advisory locks; the second is the partition."""
UPGRADE_LOCK: Final = -1
"""Second key of the lock that an upgrade takes."""
STEADY_SECONDS: Final = 2.0
"""Since our own latest answer: within it the server cannot have stood still for `LIFELESS`."""
CREW_LOCK: Final = 0x7FFFFFFF
"""Second key of the lock that all workers share: its holders are counted."""
GUARDS: Final = frozenset({"events_no_update", "events_no_delete", "events_no_truncate"})

_LIMITS: Final = (
    f"-c statement_timeout={STATEMENT_SECONDS}s"
    f" -c lock_timeout={LOCK_SECONDS}s"
    f" -c idle_in_transaction_session_timeout={IDLE_TRANSACTION_SECONDS}s"
    f" -c tcp_keepalives_idle={KEEPALIVE_IDLE_SECONDS}"
    f" -c tcp_keepalives_interval={KEEPALIVE_INTERVAL_SECONDS}"
    f" -c tcp_keepalives_count={KEEPALIVE_COUNT}"
)
"""The server's half: so it also gives up the locks of an owner whose machine is gone."""
_UPGRADE_LIMITS: Final = f"-c lock_timeout={UPGRADE_LOCK_SECONDS}s"
_LIBPQ: Final[dict[str, str | int]] = {
    "application_name": "waraq",
    "client_encoding": "utf8",
    "connect_timeout": CONNECT_SECONDS,
    "keepalives_idle": KEEPALIVE_IDLE_SECONDS,
    "keepalives_interval": KEEPALIVE_INTERVAL_SECONDS,
    "keepalives_count": KEEPALIVE_COUNT,
    "tcp_user_timeout": UNACKNOWLEDGED_SECONDS * 1000,
}
"""Our half."""

_TRY_LOCK: Final = text("select pg_try_advisory_lock(:namespace, :key)")
_JOIN: Final = text("select pg_advisory_lock_shared(:namespace, :key)")
_SESSIONS: Final = """
    from pg_locks join pg_stat_activity holder using (pid)
    where locktype = 'advisory' and granted
        and classid = :namespace and objid = :key and objsubid = 2
        and database = (select oid from pg_database where datname = current_database())"""
"""Who holds the lock of this key."""
# Never our own session: after a pause of this very process it may look lifeless to itself.
_LIFELESS: Final = """
    holder.pid <> pg_backend_pid() and holder.state = 'idle'
    and holder.state_change < now() - make_interval(secs => :seconds)"""
_CREW: Final = text(f"""
    select count(*), count(*) filter (where holder.pid < pg_backend_pid()),
        count(*) filter (where {_LIFELESS})
    {_SESSIONS} and mode = 'ShareLock'""")
_END_LIFELESS: Final = text(f"""
    select pg_terminate_backend(holder.pid) {_SESSIONS} and {_LIFELESS}""")
_HELD: Final = text("""
    select objid from pg_locks
    where locktype = 'advisory' and granted and mode = 'ExclusiveLock'
        and classid = :namespace and objid < :partitions and objsubid = 2
        and database = (select oid from pg_database where datname = current_database())""")
_CLOCK: Final = text("select extract(epoch from clock_timestamp())::float8")
_UNLOCK: Final = text("select pg_advisory_unlock(:namespace, :key)")
_UPGRADE_LOCK: Final = text("select pg_advisory_xact_lock(:namespace, :key)")
_PING: Final = text("select 1")
_TRIGGERS: Final = text("""
    select tgname from pg_trigger
    where tgrelid = 'events'::regclass and tgenabled in ('O', 'A')""")


class PostgresDatabase:
    """A `Database` on a server."""

    def __init__(self, url: URL) -> None:
        self._url = url.set(drivername="postgresql+psycopg")

    @property
    def name(self) -> str:
        return self._url.set(drivername="postgresql").render_as_string(hide_password=True)

    @property
    def default_partitions(self) -> int:
        return 16

    def reading(self) -> Engine:
        return self._pooled("-c default_transaction_read_only=on")

    def writing(self) -> Engine:
        """A statement alone is a transaction; who needs several in one begins it himself."""
        return self._pooled("")

    def locks(self) -> Locks:
        return AdvisoryLocks(self._single("AUTOCOMMIT", _LIMITS))

    def append(
        self, driver: DriverConnection, appends: Sequence[Append], *, waits: bool
    ) -> dict[int, int]:
        return postgres_append.append(driver, appends, waits=waits)

    @contextmanager
    def upgrading(self) -> Iterator[Connection]:
        engine = self._single("READ COMMITTED", _UPGRADE_LIMITS)
        with faults(), engine.begin() as connection:
            connection.execute(_UPGRADE_LOCK, _key(UPGRADE_LOCK))
            yield connection

    def missing_guards(self, connection: Connection) -> frozenset[str]:
        return GUARDS - frozenset(connection.scalars(_TRIGGERS))

    def held(self, connection: Connection, partitions: int) -> frozenset[int]:
        wanted = {"namespace": LOCK_NAMESPACE, "partitions": partitions}
        return frozenset(connection.scalars(_HELD, wanted))

    def skew(self, connection: Connection) -> float | None:
        asked = time.time()
        server: float = connection.execute(_CLOCK).scalar_one()
        return server - (asked + time.time()) / 2

    def _pooled(self, options: str) -> Engine:
        return create_engine(
            self._url,
            pool_size=POOL_CONNECTIONS,
            max_overflow=0,
            pool_timeout=POOL_SECONDS,
            pool_use_lifo=True,  # the one used last knows its statements already
            skip_autocommit_rollback=True,
            isolation_level="AUTOCOMMIT",
            hide_parameters=True,
            connect_args=self._arguments(f"{_LIMITS} {options}"),
        )

    def _single(self, isolation: IsolationLevel, options: str) -> Engine:
        return create_engine(
            self._url,
            poolclass=NullPool,
            isolation_level=isolation,
            hide_parameters=True,
            connect_args=self._arguments(options),
        )

    def _arguments(self, options: str) -> dict[str, Any]:
        """What libpq is told; whatever the URL says itself stands."""
        own = self._url.query.get("options", "")
        arguments = {**_LIBPQ, "options": f"{options} {own}"}
        return {k: v for k, v in arguments.items() if k == "options" or k not in self._url.query}


class AdvisoryLocks:
    """Session locks, on one connection of their own: they last exactly as long as it does.

    Each call on it is a sign of life that the server dates, so that the locks of a process which
    was stopped, or lost its network, can be taken by ending its session. The epoch makes that safe.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._connection: Connection | None = None
        self._held: set[int] = set()
        self._joined = False
        self._answered = -math.inf
        self._guard = Lock()

    def hold(self, partition: int) -> bool:
        """As the port; a partition whose lock died with the connection is tried anew."""
        with self._guard, faults():
            if partition in self._held:
                self._living()  # or else nothing is held any more
            if partition in self._held:
                return True
            connection = self._connected()
            try:
                taken = bool(connection.scalar(_TRY_LOCK, _key(partition)))
            except SQLAlchemyError:
                self._forget()
                raise
            if taken:
                self._held.add(partition)
            else:
                self._end_lifeless(connection, partition)
            self._answered = time.monotonic()
            return taken

    def release(self, partition: int) -> None:
        with self._guard:
            if partition not in self._held or self._connection is None:
                return
            self._held.remove(partition)
            try:
                self._connection.execute(_UNLOCK, _key(partition))
            except SQLAlchemyError:  # also of a connection that is known to be dead already
                self._forget()

    def join(self) -> Crew:
        with self._guard, faults():
            connection = self._living()
            if not self._joined:
                connection.execute(_JOIN, _key(CREW_LOCK))
                self._joined = True
            wanted = _key(CREW_LOCK) | {"seconds": LIFELESS}
            workers, rank, lifeless = connection.execute(_CREW, wanted).one()
            if lifeless:
                self._end_lifeless(connection, CREW_LOCK)
            self._answered = time.monotonic()
            return Crew(workers=max(1, workers), rank=rank)

    def _end_lifeless(self, connection: Connection, key: int) -> None:
        """End the sessions that hold this lock without a sign of life, unless it may be the server
        that stood still: then all of them look so, to whoever is served first.
        """
        if time.monotonic() - self._answered < STEADY_SECONDS:
            connection.execute(_END_LIFELESS, _key(key) | {"seconds": LIFELESS})

    def leave(self) -> None:
        with self._guard:
            self._forget()

    def _living(self) -> Connection:
        """The locks' connection: if it died all of them went with it, and a new one is made."""
        if self._connection is not None:
            try:
                self._connection.execute(_PING)
            except SQLAlchemyError:
                self._forget()
        return self._connected()

    def _connected(self) -> Connection:
        if self._connection is None:
            self._connection = self._engine.connect()
        return self._connection

    def _forget(self) -> None:
        self._held.clear()
        self._joined = False
        if self._connection is not None:
            self._connection.invalidate()
            self._connection.close()
            self._connection = None


def _key(partition: int) -> dict[str, int]:
    return {"namespace": LOCK_NAMESPACE, "key": partition}
