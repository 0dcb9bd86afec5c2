"""The port for operators' tools: is the worker alive, is it ready, what has it counted.

It is another one than players or pages reach, and says neither who plays nor what. It answers in
threads of its own: of a loop that stands still an answer is worth more than silence.
"""

import asyncio
import json
import socket
import socketserver
import threading
from collections.abc import AsyncIterator, Callable
from concurrent.futures import TimeoutError as NotInTime
from contextlib import asynccontextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final, TypeVar

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
from services.runtime.settings import Listen, SettingMissing

CONNECTIONS: Final = 16
"""Taken at a time; one beyond it is closed."""
SILENCE: Final = 5.0
"""Seconds that a connection may say nothing."""
TURNS_WITHIN: Final = 3.0
"""Seconds in which the worker's loop has to take a look; else it stands still."""
_POLL: Final = 0.05
"""Seconds until the end of the worker is noticed."""
_JSON: Final = "application/json"

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


def watch(registry: CollectorRegistry, health: Health) -> None:
    """Say by gauges, too, whether the worker is of use, and what of its needs is not there. Call it
    once all needs are known.
    """
    ready = Gauge("waraq_ready", "1 while /readyz says that it is.", registry=registry)
    ready.set_function(lambda: not health.missing())
    missing = Gauge(
        "waraq_missing", "1 while the worker misses this need.", ["need"], registry=registry
    )
    for need in health.names():
        missing.labels(need).set_function(partial(_misses, health, need))


def _misses(health: Health, need: str) -> bool:
    return need in health.missing()


@asynccontextmanager
async def answering(
    listen: Listen | None, registry: CollectorRegistry, health: Health
) -> AsyncIterator[None]:
    """Answer there meanwhile, nowhere for None; raises `SettingMissing` if it is taken, or is none
    of this machine's: to try again would not help.
    """
    if listen is None:
        yield
        return
    watch(registry, health)
    routes = _routes(registry, health, asyncio.get_running_loop())
    try:
        server = _Server(listen, routes)
    except OSError as error:
        where = f"{listen.host}:{listen.port}"
        raise SettingMissing(f"WARAQ_OPS_LISTEN: cannot listen on {where}: {error}") from error
    serving = threading.Thread(target=server.serve_forever, args=(_POLL,), name="ops", daemon=True)
    serving.start()
    try:
        yield
    finally:
        await asyncio.to_thread(server.shutdown)
        server.server_close()


def _routes(registry: CollectorRegistry, health: Health, loop: asyncio.AbstractEventLoop) -> Routes:
    def live() -> Answer:
        turns = _asked(loop, lambda: True) is True
        return _said({"live": turns}, turns)

    def ready() -> Answer:
        missing = _asked(loop, health.missing)
        found = ("loop",) if missing is None else missing
        return _said({"ready": not found, "missing": list(found)}, not found)

    def metrics() -> Answer:
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
    """So many connections at a time; each is closed after its one answer."""

    daemon_threads = True
    request_queue_size = CONNECTIONS

    def __init__(self, listen: Listen, routes: Routes) -> None:
        self.routes = routes
        self._room = threading.BoundedSemaphore(CONNECTIONS)
        self.address_family = socket.AF_INET6 if ":" in listen.host else socket.AF_INET
        super().__init__((listen.host, listen.port), _Asked)

    def server_bind(self) -> None:
        """Without asking the network what this machine is called."""
        socketserver.TCPServer.server_bind(self)

    def process_request(self, request: Any, client_address: Any) -> None:
        if self._room.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._room.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Whoever asked is gone: nothing to tell anybody."""


class _Asked(BaseHTTPRequestHandler):
    """One request; what is none of the routes is 404, another method 501."""

    timeout = SILENCE
    server_version, sys_version = "waraq", ""

    def do_GET(self) -> None:
        assert isinstance(self.server, _Server)
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
