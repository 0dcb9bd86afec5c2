"""Something that answers HTTP as a test likes, in this process, on a port of its own."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import msgspec
from aiohttp import web as served

Handler = Callable[[served.Request], Awaitable[served.StreamResponse]]


@asynccontextmanager
async def answering(handler: Handler) -> AsyncIterator[str]:
    """The address of what answers so to everything."""
    app = served.Application()
    app.router.add_route("*", "/{path:.*}", handler)
    runner = served.AppRunner(app, access_log=None)
    await runner.setup()
    await served.TCPSite(runner, "127.0.0.1", 0).start()
    host, port = runner.addresses[0][:2]
    yield f"http://{host}:{port}"
    await runner.cleanup()


def saying(status: int, body: Any, seen: list[served.Request] | None = None) -> Handler:
    async def answer(request: served.Request) -> served.StreamResponse:
        if seen is not None:
            await request.read()
            seen.append(request)
        data = body if isinstance(body, bytes) else msgspec.json.encode(body)
        return served.Response(status=status, body=data, content_type="application/json")

    return answer
