"""`GET /status`: does it work just now? For people in three languages, for programs as JSON.

It says of three things whether they work, and of none why not, where or how many. What is asked of
the databases for it is kept for a while, however many look.
"""

import asyncio
from collections.abc import Awaitable, Callable
from html import escape
from typing import Final

import msgspec
from aiohttp import web
from msgspec import Struct

from services.runtime.clock import Clock
from services.scoring.database import Engine, reading
from services.scoring.tables import latest_opened
from services.web.answers import Declined, said
from services.web.asking import Nothing, query_of
from services.web.door import State
from services.web.files import FOLDER
from services.web.players import Players
from services.web.queries import Queries
from services.web.readiness import Readiness

KEPT: Final = 5.0
"""Seconds for which an answer is told again, here and by whoever is between us and the client."""
LATELY: Final = 300.0
"""Seconds for which a table that was opened shows that tables can be: to be seen here it went
through broker, table worker, log and scoring.
"""
LANGUAGES: Final = {"fa": "rtl", "ar": "rtl", "en": "ltr"}
POLICY: Final = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"


class Works(Struct, frozen=True):
    """`log_in`: sessions and names, and the broker takes players' connections, `unknown` where that
    cannot be seen from here; `lists`: what scoring has counted; `playing`: a table was opened
    lately, else `unknown`, for the web worker is no user of the broker.
    """

    log_in: State
    lists: State
    playing: State


class Words(Struct, frozen=True, forbid_unknown_fields=True):
    """What the page says, in one language."""

    title: str
    log_in: str
    lists: str
    playing: str
    ok: str
    down: str
    unknown: str


class Status:
    """`door`: does the broker take players' connections?"""

    def __init__(
        self,
        players: Players,
        engine: Engine,
        queries: Queries,
        clock: Clock,
        door: Callable[[], Awaitable[State]],
    ) -> None:
        self._players = players
        self._door = door
        self._engine = engine
        self._queries = queries
        self._clock = clock
        self._words = {language: _words(language) for language in LANGUAGES}
        self._works = Readiness(self._look, clock, kept=KEPT)

    async def status(self, request: web.Request) -> web.Response:
        query_of(request, Nothing)
        works = await self._works.answer()
        answer = said(works, keep=round(KEPT))
        if "text/html" in request.headers.get("Accept", ""):
            answer.content_type, answer.charset = "text/html", "utf-8"
            answer.text = self._page(works)
            answer.headers["Content-Security-Policy"] = POLICY
        answer.headers["Vary"] = "Accept, Origin"
        return answer

    async def _look(self) -> Works:
        names, door, lists = await asyncio.gather(
            self._players.answers(), self._door(), self._lists()
        )
        log_in = door if names else "down"
        return Works(log_in, lists[0], "down" if door == "down" else lists[1])

    async def _lists(self) -> tuple[State, State]:
        """Of the lists, and whether tables can be opened as far as these tell."""
        try:
            opened = await self._queries.ask(self._latest)
        except Declined:
            return "down", "unknown"
        lately = opened is not None and self._clock.now() - opened < LATELY * 1_000
        return "ok", "ok" if lately else "unknown"

    def _latest(self) -> int | None:
        with reading(self._engine) as connection:
            return latest_opened(connection)

    def _page(self, works: Works) -> str:
        parts = "\n".join(_part(one, words, works) for one, words in self._words.items())
        title = escape(" · ".join(words.title for words in self._words.values()))
        return (
            '<!doctype html>\n<html lang="fa">\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f"<title>{title}</title>\n{parts}\n</html>\n"
        )


def _part(language: str, words: Words, works: Works) -> str:
    """One language: a heading and three lines."""
    lines = "".join(
        f"<dt>{escape(getattr(words, name))}</dt>"
        f"<dd><strong>{escape(getattr(words, getattr(works, name)))}</strong></dd>"
        for name in Works.__struct_fields__
    )
    heading = escape(words.title)
    start = f'<section lang="{language}" dir="{LANGUAGES[language]}">'
    return f"{start}<h1>{heading}</h1><dl>{lines}</dl></section>"


def _words(language: str) -> Words:
    file = FOLDER / "words" / "status" / f"{language}.json"
    return msgspec.json.decode(file.read_bytes(), type=Words)
