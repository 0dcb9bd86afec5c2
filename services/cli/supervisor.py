"""The embedded service: a broker and the workers as child processes, restarted when they die."""

import ctypes
import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from typing import IO, Final

from msgspec import Struct
from msgspec.structs import replace

from services.cli.door import broker_door, has_door, prepare_door, web_url
from services.cli.exits import FAILED, UNREACHABLE, Stop, stop
from services.cli.ops_ports import Worker, prepare_ops
from services.cli.place import (
    Access,
    Place,
    forget_other_logs,
    is_empty,
    lock_folder,
    login,
    make_folder,
    prepare,
    prepare_head_key,
    prepare_key,
    refuse_half_restored,
    stop_for,
    write_access,
)
from services.cli.told import NOTHING, environment
from services.event_log.port import LogError
from services.event_log.upgrade import upgrade
from services.messaging.server import (
    ANY_PORT,
    Broker,
    BrokerConfig,
    BrokerFailed,
    role_users,
    start_broker,
)
from services.runtime.shutdown import READY

WORKERS: Final[tuple[Worker, ...]] = ("table", "bot", "scoring")
READY_WITHIN: Final = 30.0
"""Seconds that a worker has to begin its work."""
STOP_WITHIN: Final = 8.0
"""Seconds that a worker has to end before it is killed."""
LONGEST_PAUSE: Final = 5.0
"""Seconds before a child that dies again and again is started once more."""
BROKER_PAUSE: Final = 0.25
"""Seconds at least between two starts of the broker."""
STEADY: Final = 10.0
"""Seconds after which a child that dies is started again at once."""
TEND_EVERY: Final = 0.05
"""Seconds between two looks at the children."""
_PR_SET_PDEATHSIG: Final = 1

_log = logging.getLogger(__name__)


class Child(Struct):
    """One worker: its process, the pipe on which it says that it is ready, when it began."""

    role: Worker
    process: subprocess.Popen[bytes]
    ready: int
    began: float
    failures: int = 0
    again_at: float = 0.0


class Supervisor:
    """Starts, tends and stops the service of one data folder.

    `door`: players come in too, by sessions; bots need none. Such a one stays, and so its workers
    answer operators' tools too.
    """

    def __init__(self, place: Place, *, door: bool = False) -> None:
        self._place = place
        self._stays = door
        self._has_door = door and has_door(place)
        self._access: Access
        self._lock: IO[str] | None = None
        self._broker: Broker | None = None
        self._children: dict[Worker, Child] = {}
        self._broker_at = 0.0
        self._asked_port: int | None = None
        self._draining = False

    @property
    def nats_url(self) -> str:
        return login(self._place, "cli").url

    @property
    def web_url(self) -> str | None:
        """Where pages and sessions are; None where no player comes in."""
        return web_url(self._place, self._access) if self._has_door else None

    def start(self, port: int | None = None) -> None:
        """Bring everything up and return when all of it is ready; stops the command if not.

        `port`: the broker's, from now on; the one it had before if not given.
        """
        make_folder(self._place.data)
        advice = "use it (leave --embedded away), or name another --data"
        self._lock = lock_folder(self._place, advice)
        try:
            refuse_half_restored(self._place)
            access = prepare(self._place)
            self._access = replace(access, port=port or access.port)
            self._asked_port = port
            self._start()
        except BaseException:
            self.stop()
            raise

    def _start(self) -> None:
        """The web worker needs neither log nor broker, so it loads while the others wait."""
        if self._stays:
            self._access = prepare_ops(self._place, self._access)
        if self._has_door:
            self._access = prepare_door(self._place, self._access)
            self._children["web"] = spawn(self._place, "web")
        self._prepare_log()
        if self._place.outside_broker is None:
            self._start_first_broker()
        for role in WORKERS + (("auth",) if self._has_door else ()):
            self._children[role] = spawn(self._place, role)
        for child in self._children.values():
            wait_ready(child)

    def _prepare_log(self) -> None:
        try:
            upgrade(self._place.log_url)
            prepare_key(self._place)
            prepare_head_key(self._place)
            if is_empty(self._place.log_url):
                forget_other_logs(self._place)
        except LogError as error:
            stop_for(error)

    def tend(self) -> None:
        """Start again whatever has died. Call it every `TEND_EVERY` seconds."""
        if self._broker is not None and self._broker.poll() is not None:
            self._broker_again()
        for role, child in list(self._children.items()):
            if child.process.poll() is not None and not self.drained:
                self._again(role, child)

    def drain(self) -> None:
        """Open no match any more; `drained` becomes true once all that are open have ended."""
        self._draining = True
        table = self._children["table"].process
        if table.poll() is None:
            table.send_signal(signal.SIGUSR1)

    @property
    def drained(self) -> bool:
        return self._draining and self._children["table"].process.poll() == 0

    def stop(self) -> None:
        """Stop every child, the broker last, and wait for each."""
        for child in self._children.values():
            child.process.send_signal(signal.SIGTERM)
        end = time.monotonic() + STOP_WITHIN
        for child in self._children.values():
            wait_end(child, end)
        self._children.clear()
        if self._broker is not None:
            self._broker.stop()
            self._broker = None
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def _start_first_broker(self) -> None:
        port = self._access.port
        try:
            self._start_broker()
        except BrokerFailed as error:
            if self._asked_port is not None or port is None:
                stop(UNREACHABLE, f"the broker did not start on port {port}: {_last_words(error)}")
            # The port it had before is taken: any other will do.
            self._access = replace(self._access, port=None)
            self._start_broker()
        write_access(self._place, self._access)

    def _start_broker(self) -> None:
        access = self._access
        config = BrokerConfig(
            users=role_users(access.passwords),
            warden=access.warden,
            port=access.port or ANY_PORT,
            door=broker_door(self._place, access) if self._has_door else None,
        )
        self._broker = start_broker(config, self._place.broker, preexec_fn=die_with_parent)
        self._access = replace(access, port=self._broker.config.port)

    def _broker_again(self) -> None:
        """Once more, and if that fails later again: workers reconnect whenever it is back."""
        now = time.monotonic()
        if now < self._broker_at:
            return
        _log.warning("the broker ended and is started again")
        self._broker_at = now + LONGEST_PAUSE
        try:
            self._start_broker()
        except BrokerFailed as error:
            _log.error("the broker did not start: %s", error)
        else:
            self._broker_at = now + BROKER_PAUSE

    def _again(self, role: Worker, child: Child) -> None:
        now = time.monotonic()
        if child.again_at == 0.0:
            code, steady = child.process.returncode, now - child.began > STEADY
            child.failures = 0 if steady else child.failures + 1
            pause = 0.0 if steady else min(LONGEST_PAUSE, TEND_EVERY * 2**child.failures)
            child.again_at = now + pause
            _log.warning("%s ended with %s and is started again", role, code)
        if now >= child.again_at:
            os.close(child.ready)
            self._children[role] = self._spawn(role, failures=child.failures)

    def _spawn(self, role: Worker, *, failures: int) -> Child:
        told = {"WARAQ_DRAINING": "1"} if self._draining else NOTHING
        return spawn(self._place, role, failures=failures, told=told)


def spawn(
    place: Place, role: Worker, *, failures: int = 0, told: Mapping[str, str] = NOTHING
) -> Child:
    """Start one worker and return at once: `wait_ready` tells when it works.

    It is `told` that besides what the place says.
    """
    ours, theirs = os.pipe()
    process = subprocess.Popen(  # noqa: S603 our own program
        [sys.executable, "-m", f"services.{role}"],
        env=environment(place, role) | dict(told) | {"WARAQ_READY_FD": str(theirs)},
        stdin=subprocess.DEVNULL,
        pass_fds=(theirs,),
        start_new_session=True,  # Ctrl-C is ours to pass on
        preexec_fn=die_with_parent,  # noqa: PLW1509 no other thread runs yet
    )
    os.close(theirs)
    os.set_blocking(ours, False)
    return Child(role, process, ours, time.monotonic(), failures)


def _last_words(error: BrokerFailed) -> str:
    """What the broker died of, out of all that it said."""
    lines = [line for line in str(error).splitlines() if "[FTL]" in line or "[ERR]" in line]
    return lines[-1].partition("] ")[2] if lines else str(error).partition("\n")[0]


def wait_ready(child: Child) -> None:
    """Returns once the worker has begun its work; stops the command if it does not."""
    end = time.monotonic() + READY_WITHIN
    while time.monotonic() < end:
        try:
            if os.read(child.ready, len(READY)) == READY:
                return
        except BlockingIOError:
            pass
        code = child.process.poll()
        if code is not None:
            raise Stop(code if code > 0 else FAILED, f"the {child.role} worker ended with {code}")
        time.sleep(TEND_EVERY / 5)
    stop(FAILED, f"the {child.role} worker was not ready in {READY_WITHIN:.0f} s")


def wait_end(child: Child, end: float) -> None:
    """Wait for a worker that was asked to end; kill it at `end`, in the seconds of `monotonic`."""
    try:
        child.process.wait(max(0.0, end - time.monotonic()))
    except subprocess.TimeoutExpired:
        _log.warning("%s did not end and is killed", child.role)
        child.process.kill()
        child.process.wait()
    os.close(child.ready)


def die_with_parent() -> None:
    """In the child: a supervisor that is killed leaves nobody behind (Linux)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
