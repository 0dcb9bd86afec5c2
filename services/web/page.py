"""`GET /`: the page to play on, and what a browser may do for it."""

from typing import Final
from urllib.parse import urlsplit

from aiohttp import web

from services.web.files import PAGE, Files

OWN: Final = "'self'"


class Page:
    """`nats`: the broker's websocket, the one other place that the page may speak to."""

    def __init__(self, files: Files, nats: str) -> None:
        self._files = files
        self._headers = {
            "Content-Security-Policy": policy(nats),
            "Cross-Origin-Opener-Policy": "same-origin",
            "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
        }

    async def page(self, request: web.Request) -> web.Response:
        return self._files.answer(request, PAGE, self._headers)


def policy(nats: str) -> str:
    """Our own files alone, none of them written into the page, and no text taken for a program."""
    where = urlsplit(nats)
    allowed = {
        "default-src": "'none'",
        "script-src": OWN,
        "style-src": OWN,
        "img-src": OWN,
        "font-src": OWN,
        "connect-src": f"{OWN} {where.scheme}://{where.netloc.rpartition('@')[2]}",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
        "require-trusted-types-for": "'script'",
        "trusted-types": "'none'",
    }
    return "; ".join(f"{what} {whence}" for what, whence in allowed.items())
