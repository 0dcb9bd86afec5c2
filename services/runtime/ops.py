"""The port for operators' tools: is the worker alive, is it ready, what has it counted.

It is another one than players or pages reach, and says neither who plays nor what.
"""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from aiohttp import web
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
from services.runtime.settings import Listen
from services.runtime.worker import Unreachable

BACKLOG: Final = 16
STOP_WAIT: Final = 1.0
"""Seconds that an answer may still take once the worker ends."""
HEAD_BYTES: Final = 8_190
"""Of a request's line and of each of its headers; none of these routes takes a body."""


def new_registry() -> CollectorRegistry:
    """A worker's own, with what its process uses."""
    disable_created_metrics()  # type: ignore[no-untyped-call]
    registry = CollectorRegistry()
    for collector in (ProcessCollector, PlatformCollector, GCCollector):
        collector(registry=registry)
    return registry


@asynccontextmanager
async def answering(
    listen: Listen | None, registry: CollectorRegistry, health: Health
) -> AsyncIterator[None]:
    """Answer there meanwhile, nowhere for None; raises `Unreachable` if the place is taken."""
    if listen is None:
        yield
        return
    watch(registry, health)
    runner = web.AppRunner(_app(registry, health), access_log=None, shutdown_timeout=STOP_WAIT)
    await runner.setup()
    try:
        try:
            await web.TCPSite(runner, listen.host, listen.port, backlog=BACKLOG).start()
        except OSError as error:
            where = f"{listen.host}:{listen.port}"
            raise Unreachable(f"cannot listen on {where}: {error.strerror}") from error
        yield
    finally:
        await runner.cleanup()


def watch(registry: CollectorRegistry, health: Health) -> None:
    """Say by a gauge, too, whether the worker is of use."""
    ready = Gauge(
        "waraq_ready", "1 while the worker is of use, as /readyz says.", registry=registry
    )
    ready.set_function(lambda: not health.missing())


def _app(registry: CollectorRegistry, health: Health) -> web.Application:
    async def live(_request: web.Request) -> web.Response:
        """The loop turns: who hears this knows it."""
        return _said({"live": True}, 200)

    async def ready(_request: web.Request) -> web.Response:
        missing = health.missing()
        return _said({"ready": not missing, "missing": list(missing)}, 503 if missing else 200)

    async def metrics(_request: web.Request) -> web.Response:
        return web.Response(
            body=generate_latest(registry), headers={"Content-Type": CONTENT_TYPE_PLAIN_0_0_4}
        )

    app = web.Application(
        client_max_size=1, handler_args={"max_line_size": HEAD_BYTES, "max_field_size": HEAD_BYTES}
    )
    app.router.add_get("/livez", live)
    app.router.add_get("/readyz", ready)
    app.router.add_get("/metrics", metrics)
    return app


def _said(answer: dict[str, object], status: int) -> web.Response:
    return web.Response(
        text=json.dumps(answer) + "\n", status=status, content_type="application/json"
    )
