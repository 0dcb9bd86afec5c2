"""Where players come in: does anybody answer a log-in, and does the web worker serve?"""

import asyncio
import socket
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from http import HTTPStatus
from http.client import HTTPException
from typing import Final

from services.cli.doctor.finding import Finding, see
from services.cli.door import web_url
from services.cli.place import Place, read_access
from services.messaging.jetstream import connect
from services.messaging.port import BusError
from services.messaging.server import LOGIN_WAIT

NOBODY: Final = "u_doctor00"
"""Who knocks, with a token that is none: he is refused at once where an auth worker answers."""
NO_TOKEN: Final = "none"  # noqa: S105 as it says
WEB: Final = ("http://", "https://")
ANSWER_WITHIN: Final = 3.0
UNANSWERED: Final = 0.75 * LOGIN_WAIT
"""Seconds: a refusal that takes longer is the broker's own, whom no auth worker has answered."""


def look(place: Place) -> Iterator[Finding]:
    """Raises nothing; finds nothing where no player comes in from this place. What nothing here
    says the place of is a note: it was not asked.
    """
    url = _web(place)
    if url is not None:
        yield _ask_web(url)
    elif place.outside_broker is not None:
        yield Finding(check="web", level="note", what="not asked, set WARAQ_WEB_URL")
    broker = _broker(place)
    if broker is None and place.outside_broker is not None:
        yield Finding(check="log-ins", level="note", what="not asked, set WARAQ_PLAYERS_URL")
    if broker is not None and any(_takes_connections(one) for one in broker.split(",")):
        yield asyncio.run(_knock(broker))


def _web(place: Place) -> str | None:
    """Beside an outside broker the folder's own web worker, if one ran here, is another service's;
    None where nothing says where it is.
    """
    if place.environ.get("WARAQ_WEB_URL"):
        return place.environ["WARAQ_WEB_URL"].rstrip("/")
    if place.environ.get("WARAQ_WEB_LISTEN"):
        return f"http://{place.environ['WARAQ_WEB_LISTEN']}"
    if place.outside_broker is not None:
        return None
    access = read_access(place)
    return web_url(place, access) if access is not None and access.web_port else None


def _ask_web(url: str) -> Finding:
    if not url.startswith(WEB):
        what = f"WARAQ_WEB_URL is {url!r}: it is http://… or https://…"
        return Finding(check="web", level="bad", what=what, next="docs/architecture.md#settings")
    try:
        with urllib.request.urlopen(f"{url}/readyz", timeout=ANSWER_WITHIN):  # noqa: S310 http
            return Finding(check="web", level="ok", what=f"ready at {url}")
    except urllib.error.HTTPError as error:
        with error:
            what = f"{url}/readyz answers {error.code} {HTTPStatus(error.code).phrase}"
    except (OSError, ValueError, HTTPException):
        what = f"nobody serves {url}"
    return Finding(check="web", level="bad", what=what, next=see("web-errors"))


def _takes_connections(broker: str) -> bool:
    """False for a node that is away, which who looks at the broker says."""
    url = urllib.parse.urlsplit(broker)
    try:
        socket.create_connection((url.hostname, url.port), ANSWER_WITHIN).close()
    except (OSError, ValueError):
        return False
    return True


def _broker(place: Place) -> str | None:
    """None where the broker has no door, as far as can be known here."""
    if place.outside_broker is not None:
        return place.outside_broker if "WARAQ_PLAYERS_URL" in place.environ else None
    access = read_access(place)
    return f"nats://127.0.0.1:{access.port}" if access and access.players_port else None


async def _knock(url: str) -> Finding:
    began = time.monotonic()
    try:
        bus = await connect(
            url, user=NOBODY, password=NO_TOKEN, name="doctor", within=ANSWER_WITHIN
        )
    except BusError:
        return _answered(time.monotonic() - began)
    await bus.close()
    what = "the broker lets in whoever names a player"
    return Finding(check="log-ins", level="bad", what=what, next=see("logins-refused"))


def _answered(took: float) -> Finding:
    """The refusal came after `took` seconds, or none came in all of them."""
    if took < UNANSWERED:
        what = f"answered in {took * 1_000:.0f} ms"
        return Finding(check="log-ins", level="ok", what=what)
    what = "no auth worker answers: nobody comes in, who is in plays on"
    return Finding(check="log-ins", level="bad", what=what, next=see("logins-refused"))
