"""The port for operators' tools: is the worker alive, is it ready, what has it counted.

It is another one than players or pages reach, and says neither who plays nor what. It answers in
threads of its own: of a loop that stands still an answer is worth more than silence.
"""

import asyncio
import json
import logging
import socket
import socketserver
import threading
import time
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import TimeoutError as NotInTime
from contextlib import asynccontextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from typing import Any, Final, TypeVar
from urllib.parse import urlsplit

from msgspec import Struct
from prometheus_client import (
    CollectorRegistry,
    Gauge,
    GCCollector,
    PlatformCollector,
    ProcessCollector,
    disable_created_metrics,
)
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest

from services.runtime.health import Health
from services.runtime.settings import OpsListen, SettingMissing

CONNECTIONS: Final = 16
"""Taken at a time; one beyond it is closed."""
WITHIN: Final = 5.0
"""Seconds from a connection's beginning until it has its whole answer, however it drips."""
TURNS_WITHIN: Final = 3.0
"""Seconds in which the worker's loop has to take a look; else it stands still."""
_POLL: Final = 0.05
"""Seconds until the end of the worker is noticed."""
_JSON: Final = "application/json"
LOOP: Final = "loop"
"""What a worker misses whose loop stands still."""
MISDIRECTED: Final = 421
"""The answer to whoever names a host that is none of ours."""

_log = logging.getLogger(__name__)

Registry = CollectorRegistry
"""Where a worker counts."""
T = TypeVar("T")


class Answer(Struct, frozen=True):
    status: int
    kind: str
    body: bytes


Routes = dict[str, Callable[[], Answer]]


def new_registry() -> CollectorRegistry:
    """A worker's own, with what its process uses."""
    disable_created_metrics()  # type: ignore[no-untyped-call]
    registry = CollectorRegistry()
    for collector in (ProcessCollector, PlatformCollector, GCCollector):
        collector(registry=registry)
    return registry


Tell = Callable[[Sequence[str]], None]


def watch(registry: CollectorRegistry, health: Health) -> Tell:
    """Gauges that say, too, whether the worker is of use, and what of its needs is not there: what
    was told last of what is missing. Call it once all needs are known.
    """
    ready = Gauge("waraq_ready", "1 while /readyz says that it is.", registry=registry)
    missing = Gauge(
        "waraq_missing", "1 while the worker misses this need.", ["need"], registry=registry
    )

    def tell(found: Sequence[str]) -> None:
        ready.set(not found)
        for need in (*health.names(), LOOP):
            missing.labels(need).set(need in found)

    tell(health.missing())
    return tell


@asynccontextmanager
async def answering(
    listen: OpsListen | None, registry: CollectorRegistry, health: Health
) -> AsyncIterator[None]:
    """Answer there meanwhile, nowhere for None. Where that place is taken or is none of this
    machine's, raises `SettingMissing` if somebody named it, for to try again would not help; one
    that was only chosen is done without: whoever takes a port must not end a table by it.
    """
    if listen is None:
        yield
        return
    routes = _routes(registry, health, asyncio.get_running_loop())
    server = _listening(listen, routes)
    if server is None:
        yield
        return
    serving = threading.Thread(target=server.serve_forever, args=(_POLL,), name="ops", daemon=True)
    serving.start()
    try:
        yield
    finally:
        await asyncio.to_thread(server.shutdown)
        server.server_close()


def _listening(listen: OpsListen, routes: Routes) -> "_Server | None":
    try:
        return _Server(listen, routes)
    except OSError as error:
        fault = f"cannot listen on {listen.host}:{listen.port}: {error}"
        if not listen.chosen:
            raise SettingMissing(f"WARAQ_OPS_LISTEN: {fault}") from error
        _log.warning("operators' tools are not answered", extra={"reason": fault})
        return None


def _routes(registry: CollectorRegistry, health: Health, loop: asyncio.AbstractEventLoop) -> Routes:
    def live() -> Answer:
        turns = _asked(loop, lambda: True) is True
        return _said({"live": turns}, turns)

    tell = watch(registry, health)

    def missing() -> tuple[str, ...]:
        found = _asked(loop, health.missing)
        return (LOOP,) if found is None else found

    def ready() -> Answer:
        found = missing()
        return _said({"ready": not found, "missing": list(found)}, not found)

    def metrics() -> Answer:
        tell(missing())
        return Answer(200, CONTENT_TYPE_PLAIN_0_0_4, generate_latest(registry))

    return {"/livez": live, "/readyz": ready, "/metrics": metrics}


def _asked(loop: asyncio.AbstractEventLoop, look: Callable[[], T]) -> T | None:
    """What the loop finds when it takes a look; None if it stands still."""

    async def on_loop() -> T:
        return look()

    asking = asyncio.run_coroutine_threadsafe(on_loop(), loop)
    try:
        return asking.result(TURNS_WITHIN)
    except NotInTime:
        asking.cancel()
        return None


def _said(answer: dict[str, object], well: bool) -> Answer:  # noqa: FBT001 one of two statuses
    return Answer(200 if well else 503, _JSON, json.dumps(answer).encode() + b"\n")


class _Server(ThreadingHTTPServer):
    """So many connections at a time, each for so long; each is closed after its one answer."""

    daemon_threads = True
    request_queue_size = CONNECTIONS

    def __init__(self, listen: OpsListen, routes: Routes) -> None:
        self.routes = routes
        self.host = listen.host
        self.is_private = _is_loopback(listen.host)
        self._room = threading.BoundedSemaphore(CONNECTIONS)
        self._ends: dict[Any, float] = {}
        self._guard = threading.Lock()
        self.address_family = socket.AF_INET6 if ":" in listen.host else socket.AF_INET
        super().__init__((listen.host, listen.port), _Asked)

    def server_bind(self) -> None:
        """Without asking the network what this machine is called."""
        socketserver.TCPServer.server_bind(self)

    def process_request(self, request: Any, client_address: Any) -> None:
        if self._room.acquire(blocking=False):
            with self._guard:
                self._ends[request] = time.monotonic() + WITHIN
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._room.release()

    def service_actions(self) -> None:
        """At every look: whose time is over is cut, whatever its thread is waiting for."""
        now = time.monotonic()
        with self._guard:
            for late in [one for one, end in self._ends.items() if end < now]:
                del self._ends[late]
                with suppress(OSError):  # whoever asked was quicker
                    late.shutdown(socket.SHUT_RDWR)

    def shutdown_request(self, request: Any) -> None:
        with self._guard:
            self._ends.pop(request, None)
        super().shutdown_request(request)

    def is_ours(self, host: str) -> bool:
        """False for a host that a page elsewhere may have pointed at this machine's loopback, to
        read by a browser here what only this machine may (DNS rebinding): that takes a name, and
        one that is none of ours. Only on loopback: elsewhere the names are the cluster's own, which
        nobody told us, and it is the network that says who reaches the port.
        """
        if not self.is_private:
            return True
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        return name in {"localhost", self.host} or _is_address(name)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Whoever asked is gone: nothing to tell anybody."""


class _Asked(BaseHTTPRequestHandler):
    """One request; what is none of the routes is 404, another method 501."""

    timeout = WITHIN
    server_version, sys_version = "waraq", ""

    def do_GET(self) -> None:
        assert isinstance(self.server, _Server)
        if not all(map(self.server.is_ours, self.headers.get_all("Host", ()))):
            self.send_error(MISDIRECTED)
            return
        route = self.server.routes.get(self.path)
        if route is None:
            self.send_error(404)
            return
        answer = route()
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.kind)
        self.send_header("Content-Length", str(len(answer.body)))
        self.end_headers()
        self.wfile.write(answer.body)

    def log_message(self, *_: object) -> None:
        """Whoever asks does so for ever."""


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def _is_loopback(host: str) -> bool:
    return host == "localhost" or (_is_address(host) and ip_address(host).is_loopback)
