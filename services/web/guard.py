"""What every request passes: whose page it comes from, how often, and one form for every error."""

import logging
from collections.abc import Awaitable, Callable, Collection
from math import ceil
from typing import Final

from aiohttp import web
from aiohttp.typedefs import Middleware

from services.runtime.clock import Clock
from services.runtime.faults import place_of
from services.runtime.rates import Rates
from services.web.answers import CODES, Declined, declined
from services.web.rates import FILES, READS, WRITES, household

READING: Final = frozenset({"GET", "HEAD"})
CHEAP: Final = READING | {"OPTIONS"}
"""What is counted as reading: a browser asks OPTIONS before it changes anything."""
UNCOUNTED: Final = frozenset({"/livez", "/readyz"})
"""An orchestrator asks these, from one address, for ever."""
ALLOWED: Final = {
    "Access-Control-Allow-Methods": "GET, POST, PUT, DELETE",
    "Access-Control-Allow-Headers": "authorization, content-type",
    "Access-Control-Max-Age": "600",
}
SHOWN: Final = "Retry-After"
"""The header of ours that a page may read."""
EVERYWHERE: Final = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Vary": "Origin",
}

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
_log: Final = logging.getLogger(__name__)


def guard(origins: Collection[str], clock: Clock, *, behind_proxy: bool) -> Middleware:
    """`origins` are the pages that may use this; `behind_proxy`: addresses are a proxy's word."""
    reads, writes, files = Rates(READS), Rates(WRITES), Rates(FILES)

    def count(request: web.Request) -> None:
        cheap = files if is_file(request.path) else reads
        rates = cheap if request.method in CHEAP else writes
        address = address_of(request, behind_proxy=behind_proxy)
        wait = rates.wait(household(address), clock.ticks())
        if wait:
            raise Declined("too_many", "ask again later", retry_after=ceil(wait))

    async def answer(request: web.Request, handler: Handler) -> web.StreamResponse:
        origin = request.headers.get("Origin")
        if origin is not None and origin not in origins and request.method not in READING:
            raise Declined("other_origin", "this page may not use this service")
        if request.path not in UNCOUNTED:
            count(request)
        if request.method == "OPTIONS":
            return web.Response(status=204, headers=ALLOWED)
        return await handler(request)

    @web.middleware
    async def guarded(request: web.Request, handler: Handler) -> web.StreamResponse:
        response = await _always_answered(answer(request, handler))
        for name, value in EVERYWHERE.items():
            response.headers.setdefault(name, value)
        if request.headers.get("Origin") in origins:
            response.headers["Access-Control-Allow-Origin"] = request.headers["Origin"]
            response.headers["Access-Control-Expose-Headers"] = SHOWN
        return response

    return guarded


def is_file(path: str) -> bool:
    """The page or one of its files, there or not."""
    return path == "/" or path.startswith("/static/")


async def _always_answered(answer: Awaitable[web.StreamResponse]) -> web.StreamResponse:
    try:
        return await answer
    except Declined as why:
        return declined(why)
    except web.HTTPException as error:
        if error.status < web.HTTPBadRequest.status_code:
            return error
        return declined(Declined(CODES.get(error.status, "bad_request"), error.reason))
    except Exception as error:  # noqa: BLE001 told by kind and place: its words may hold a token
        _log.error("a request failed", extra={"fault": place_of(error)})
        return declined(Declined("fault", "it is our fault; ask again"))


def address_of(request: web.Request, *, behind_proxy: bool) -> str:
    """Who asks. What a client itself says of that is the head of the list, never its end."""
    if behind_proxy:
        said = request.headers.getall("X-Forwarded-For", [])
        return said[-1].rpartition(",")[2].strip() if said else ""
    return request.remote or ""
