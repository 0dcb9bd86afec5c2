"""What the web worker answers: JSON, and errors with a stable code."""

from typing import Any, Final, Literal

import msgspec
from aiohttp import web
from msgspec import Struct

from schemas.ids import Time

Code = Literal[
    "bad_request",
    "refused",
    "bad_name",
    "other_origin",
    "not_found",
    "no_tickets",
    "method",
    "none_left",
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
    "no_tickets": 404,
    "method": 405,
    "none_left": 409,
    "too_large": 413,
    "too_many": 429,
    "too_slow": 408,
    "busy": 503,
    "fault": 500,
}
CODES: Final[dict[int, Code]] = {404: "not_found", 405: "method", 413: "too_large"}
"""For what the library itself refuses; the rest of that are bad requests."""


class Error(Struct, frozen=True, omit_defaults=True):
    """`text` is for whoever writes a client; programs read the code. `again`, where it is known:
    from when, in Unix ms, the same ask may be answered otherwise.
    """

    error: Code
    text: str
    again: Time | None = None


class Declined(Exception):
    """A request ends here, with that answer. `retry_after`: seconds."""

    def __init__(
        self, code: Code, text: str, *, retry_after: int | None = None, again: Time | None = None
    ) -> None:
        super().__init__(code)
        self.error = Error(code, text, again)
        self.retry_after = retry_after


def said(body: Any, status: int = 200, *, keep: int = 0) -> web.Response:
    """`keep`: the seconds for which anybody between us and the client may say the same again."""
    return web.Response(
        body=msgspec.json.encode(body),
        status=status,
        content_type="application/json",
        headers={"Cache-Control": f"public, max-age={keep}" if keep else "no-store"},
    )


def declined(why: Declined) -> web.Response:
    answer = said(why.error, STATUS[why.error.error])
    if why.retry_after is not None:
        answer.headers["Retry-After"] = str(why.retry_after)
    return answer
