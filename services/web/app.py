"""The web worker's routes: docs/web.md says each of them."""

from aiohttp import web
from aiohttp.typedefs import Middleware
from msgspec import Struct

from services.web.answers import said
from services.web.asking import BODY_BYTES
from services.web.files import Files
from services.web.lists import Lists
from services.web.page import Page
from services.web.players import Players
from services.web.status import Status
from services.web.tickets import Tickets


class Handlers(Struct, frozen=True):
    """What the routes lead to."""

    players: Players
    lists: Lists
    tickets: Tickets
    files: Files
    page: Page
    status: Status


def make_app(handlers: Handlers, *around: Middleware) -> web.Application:
    """`around`: what every request passes, the outermost first."""
    app = web.Application(middlewares=around, client_max_size=BODY_BYTES)
    players, lists, tickets = handlers.players, handlers.lists, handlers.tickets
    app.router.add_post("/session", players.open_session)
    app.router.add_put("/profile", players.put_profile)
    app.router.add_delete("/profile", players.delete_profile)
    app.router.add_get("/profiles", players.profiles)
    app.router.add_post("/ticket", tickets.give)
    app.router.add_get("/ticket", tickets.left)
    app.router.add_get("/tables", lists.tables)
    app.router.add_get("/matches", lists.matches)
    app.router.add_get("/standings", lists.standings)
    app.router.add_get("/players/{player}", lists.player)
    app.router.add_get("/terms", lists.terms)
    app.router.add_get("/status", handlers.status.status)
    app.router.add_get("/livez", _live)
    app.router.add_get("/readyz", players.ready)
    app.router.add_get("/static/{name:.+}", handlers.files.file)
    app.router.add_get("/", handlers.page.page)
    return app


async def _live(_request: web.Request) -> web.Response:
    return said({"live": True})
