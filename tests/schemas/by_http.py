"""What docs/clients.md shows of HTTP, as it was asked and answered: the same each time.

Anne has opened the table of the conversation, and two others have played; the web worker reads what
scoring has counted of it.
"""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import msgspec

from schemas.commands import HokmOptions, OpenMatch
from services.event_log.port import Row
from services.event_log.sql import file_url
from services.runtime.tokens import Session, session_token
from tests.schemas.conversation import LATER, PLAN, Line
from tests.streams import OWNER, played
from tests.table.hall import ANNE, MATCH, Hall
from tests.web.counted import count
from tests.web.serving import OURS, START, House, Site, site

TEHRAN: Final = 210
"""Minutes ahead of UTC."""
DAILY: Final = 1
"""So that the second ask is one too many."""
ANOTHER: Final = "m_" + "0" * 31 + "2"


async def by_http() -> dict[str, Line]:
    """What was asked and answered, by name, as `<name> asked` and `<name>`."""
    with TemporaryDirectory() as folder:
        url = file_url(Path(folder) / "standings.db")
        count(url, await _opened(), *(played(seed).rows for seed in (1_000, 1_001)))
        async with site(Path(folder), house=House(standings=url, daily=DAILY)) as here:
            return await _asked(here)


async def _opened() -> tuple[Row, ...]:
    async with Hall() as hall:
        hall.clock.seconds += LATER
        await hall.say(ANNE, OpenMatch(options=HokmOptions(), seats=PLAN))
        return hall.log.load(MATCH)


async def _asked(here: Site) -> dict[str, Line]:
    session = Session(player=ANNE, kind="guest", issued=START, end=START + 60_000)
    talk = Talk(here, session_token(session, OURS))
    await talk.ask("ticket", "POST", "/ticket", {"match": MATCH, "offset": TEHRAN})
    await talk.ask("none", "POST", "/ticket", {"match": ANOTHER, "offset": TEHRAN})
    await talk.ask("left", "GET", f"/ticket?offset={TEHRAN}")
    await talk.ask("tables", "GET", "/tables?most=1")
    await talk.ask("matches", "GET", "/matches?status=over")
    await talk.ask("standings", "GET", "/standings?most=1")
    await talk.ask("player", "GET", f"/players/{OWNER}")
    return talk.lines


class Talk:
    """Asks by HTTP, and keeps both sides."""

    def __init__(self, here: Site, token: str) -> None:
        self._here = here
        self._token = token
        self.lines: dict[str, Line] = {}

    async def ask(self, name: str, method: str, path: str, body: Any = None) -> None:
        said = b"" if body is None else msgspec.json.encode(body)
        answer = await self._here.ask(method, path, self._token, data=said or None)
        self.lines[f"{name} asked"] = Line(f"{method} {path}", said.decode())
        self.lines[name] = Line(str(answer.status), answer.body.decode())
