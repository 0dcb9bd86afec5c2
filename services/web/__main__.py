"""The web worker's composition root: `python -m services.web`."""

import asyncio
import os
from contextlib import AsyncExitStack
from typing import Final, NoReturn

from services.runtime.clock import SystemClock
from services.runtime.health import Health
from services.runtime.key_files import KeyUnusable
from services.runtime.ops import answering, new_registry
from services.runtime.settings import SettingMissing, WebSettings, web_settings
from services.runtime.shutdown import asked_to_stop
from services.runtime.signing_keys import read_keys
from services.runtime.tasks import happens
from services.runtime.worker import Unreachable, run_worker
from services.scoring.database import Engine, StandingsError, open_shared
from services.scoring.tickets import DAILY, TicketOffice
from services.web.app import Handlers, make_app
from services.web.door import PlayersDoor
from services.web.files import Files
from services.web.guard import guard
from services.web.listening import HEAD_WAIT, PROXY_WAIT, listening, runner_of
from services.web.lists import Lists
from services.web.metrics import WebMetrics, counting
from services.web.page import Page
from services.web.players import Players
from services.web.profiles import Profiles, ProfilesError
from services.web.queries import Queries
from services.web.sessions import SessionKeys
from services.web.status import Status
from services.web.tickets import Tickets

LOOK_EVERY: Final = 2.0
"""Seconds between two looks at the names' database."""


async def work() -> None:
    """Serve until asked to stop."""
    settings, stop = web_settings(os.environ), asked_to_stop()
    clock, registry, health = SystemClock(), new_registry(), Health(ready=settings.ready)
    guarded = guard(frozenset(settings.origins), clock, behind_proxy=settings.behind_proxy)
    async with AsyncExitStack() as closing:
        handlers = _handlers(settings, clock, closing)
        wait = PROXY_WAIT if settings.behind_proxy else HEAD_WAIT
        app = make_app(handlers, counting(WebMetrics(registry)), guarded)
        runner, listen = runner_of(app, head_wait=wait), settings.listen
        try:
            await closing.enter_async_context(listening(runner, listen.host, listen.port))
        except OSError as error:
            where = f"{listen.host}:{listen.port}"
            raise Unreachable(f"cannot listen on {where}: {error.strerror}") from error
        looks = Looks(handlers.players)
        health.needs("profiles", lambda: looks.well)
        await closing.enter_async_context(answering(settings.ops, registry, health))
        health.begin()
        await looks.until(stop)


class Looks:
    """Whether names can be had, looked at now and then: the ops port waits for no database."""

    def __init__(self, players: Players) -> None:
        self._players = players
        self.well = True

    async def until(self, stop: asyncio.Event) -> None:
        while not await happens(stop, LOOK_EVERY):
            self.well = await self._players.answers()


def _handlers(settings: WebSettings, clock: SystemClock, closing: AsyncExitStack) -> Handlers:
    """What the routes lead to, with threads for each database, closed after the last request."""
    keys, profiles, engine = _keys(settings), _profiles(settings), _standings(settings)
    office = _office(settings, engine)
    closing.callback(profiles.close)
    closing.callback(engine.dispose)
    of_names, of_lists = Queries("profiles"), Queries("standings")
    closing.callback(of_names.close)
    closing.callback(of_lists.close)
    files = Files()
    players = Players(keys, profiles, of_names, clock, settings.nats)
    return Handlers(
        players,
        Lists(engine, of_lists, keys.ours, clock),
        Tickets(office, of_lists, keys.ours, clock),
        files,
        Page(files, settings.nats),
        Status(players, engine, of_lists, clock, _door(settings).stands),
    )


def _door(settings: WebSettings) -> PlayersDoor:
    return PlayersDoor(settings.nats, settings.origins[0] if settings.origins else None)


def _keys(settings: WebSettings) -> SessionKeys:
    site = settings.site_keys
    try:
        ours = read_keys(settings.session_keys, "session key")
        return SessionKeys(ours, read_keys(site, "website's key") if site else None)
    except KeyUnusable as error:
        raise SettingMissing(str(error)) from error


def _profiles(settings: WebSettings) -> Profiles:
    try:
        profiles = Profiles(settings.profiles_url)
        profiles.create()
    except ProfilesError as error:
        raise Unreachable(f"the profiles' database: {error}") from error
    return profiles


def _standings(settings: WebSettings) -> Engine:
    """Nothing is connected: while that database is away there are sessions, and no lists."""
    try:
        return open_shared(settings.standings_url)
    except StandingsError as error:
        raise SettingMissing(str(error)) from error


def _office(settings: WebSettings, engine: Engine) -> TicketOffice | None:
    files, daily = settings.ticket_keys, settings.daily
    if files is None:
        return None
    try:
        keys = read_keys(files, "ticket key")
    except KeyUnusable as error:
        raise SettingMissing(str(error)) from error
    return TicketOffice(engine, keys, DAILY if daily is None else daily)


def main() -> NoReturn:
    run_worker("web", work)


if __name__ == "__main__":
    main()
