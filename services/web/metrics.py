"""What the web worker counts, for Prometheus: routes, never who asks or for what."""

import time
from collections.abc import Awaitable, Callable
from typing import Final

from aiohttp import web
from aiohttp.typedefs import Middleware
from prometheus_client import CollectorRegistry, Counter, Histogram

SECONDS: Final = (0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0)
NO_ROUTE: Final = "none"
OTHER: Final = "other"
METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"})
"""A client may name any: what is none of these is `OTHER`."""


class WebMetrics:
    """Of one worker. A route is its pattern, as `/players/{player}`."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.requests = Counter(
            "waraq_requests",
            "Requests answered, by route, method and status.",
            ["route", "method", "status"],
            registry=registry,
        )
        self.seconds = Histogram(
            "waraq_request_seconds",
            "From a request's head to its answer.",
            ["route"],
            buckets=SECONDS,
            registry=registry,
        )


def counting(metrics: WebMetrics) -> Middleware:
    """Around everything else, so that what is declined is counted too."""

    @web.middleware
    async def counted(
        request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        began = time.monotonic()
        response = await handler(request)
        resource = request.match_info.route.resource
        route = NO_ROUTE if resource is None else resource.canonical
        method = request.method if request.method in METHODS else OTHER
        metrics.requests.labels(route, method, response.status).inc()
        metrics.seconds.labels(route).observe(time.monotonic() - began)
        return response

    return counted
