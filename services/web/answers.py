"""What the web worker answers: JSON, and errors with a stable code."""

from typing import Any, Final, Literal

import msgspec
from aiohttp import web
from msgspec import Struct

Code = Literal[
    "bad_request",
    "refused",
    "bad_name",
    "other_origin",
    "not_found",
    "method",
    "too_large",
    "too_many",
    "too_slow",
    "busy",
    "fault",
]
STATUS: Final[dict[Code, int]] = {
    "bad_request": 400,
    "refused": 401,
    "bad_name": 422,
    "other_origin": 403,
    "not_found": 404,
    "method": 405,
    "too_large": 413,
    "too_many": 429,
    "too_slow": 408,
    "busy": 503,
    "fault": 500,
}
CODES: Final[dict[int, Code]] = {STATUS[code]: code for code in STATUS}
"""For what the library itself refuses."""


class Error(Struct, frozen=True):
    """`text` is for whoever writes a client; programs read the code."""

    error: Code
    text: str


class Declined(Exception):
    """A request ends here, with that answer."""

    def __init__(self, code: Code, text: str, *, retry_after: int | None = None) -> None:
        super().__init__(code)
        self.error = Error(code, text)
        self.retry_after = retry_after


def said(body: Any, status: int = 200) -> web.Response:
    return web.Response(
        body=msgspec.json.encode(body),
        status=status,
        content_type="application/json",
        headers={"Cache-Control": "no-store"},
    )


def declined(why: Declined) -> web.Response:
    answer = said(why.error, STATUS[why.error.error])
    if why.retry_after is not None:
        answer.headers["Retry-After"] = str(why.retry_after)
    return answer
