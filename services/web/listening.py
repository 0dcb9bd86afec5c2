"""Connections taken, so many at a time, and none that says nothing for long."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final, cast

from aiohttp import web
from aiohttp.http import HttpProcessingError

CONNECTIONS: Final = 900
"""At a time: a process may often have 1,024 files open, and needs some for itself. Of a rush some
more are taken, `BACKLOG` at most: they are counted a moment after they are accepted.
"""
BACKLOG: Final = 64
HEAD_WAIT: Final = 15.0
"""Seconds in which the head of a request must be whole, from the connection's begin or from the end
of the answer before; so long, too, an idle connection is kept.
"""
PROXY_WAIT: Final = 75.0
"""The same behind a proxy, which bounds heads itself, and must not be left by us before it leaves:
most keep an idle connection for 60 s.
"""
LINGER: Final = 2.0
"""Seconds in which the rest of a body that nobody reads may still come, so that its sender reads
the answer.
"""
STOP_WAIT: Final = 5.0
"""Seconds that a request has to be answered once we are asked to stop."""


class TurnedAway(asyncio.Protocol):
    """A connection too many."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        cast("asyncio.Transport", transport).abort()


def runner_of(app: web.Application, *, head_wait: float = HEAD_WAIT) -> web.AppRunner:
    """Without an access log: it would be the addresses of who plays, kept for nothing."""
    return web.AppRunner(
        app,
        access_log=None,
        logger=_quiet(),
        keepalive_timeout=head_wait,
        lingering_time=LINGER,
        shutdown_timeout=STOP_WAIT,
    )


def _quiet() -> logging.Logger:
    """The library's, without a line and an address for each who sends what is no HTTP."""
    logger = logging.getLogger(__name__)
    logger.addFilter(_is_ours)
    return logger


def _is_ours(record: logging.LogRecord) -> bool:
    return not (record.exc_info and isinstance(record.exc_info[1], HttpProcessingError))


@asynccontextmanager
async def listening(
    runner: web.AppRunner, host: str, port: int, *, most: int = CONNECTIONS
) -> AsyncIterator[asyncio.Server]:
    """Serve there meanwhile, then end what is left; raises `OSError` if the place is taken."""
    await runner.setup()
    try:
        server = runner.server
        assert server is not None, "it was set up"

        def connect() -> asyncio.Protocol:
            return TurnedAway() if len(server.connections) >= most else server()

        taking = await asyncio.get_running_loop().create_server(
            connect, host, port, backlog=BACKLOG
        )
        try:
            yield taking
        finally:
            taking.close()
    finally:
        await runner.cleanup()
