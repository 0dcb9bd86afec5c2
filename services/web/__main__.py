"""The web worker's composition root: `python -m services.web`."""

import os
from typing import NoReturn

from aiohttp import web
from sqlalchemy.exc import SQLAlchemyError

from services.runtime.clock import SystemClock
from services.runtime.key_files import KeyUnusable
from services.runtime.session_keys import read_keys
from services.runtime.settings import SettingMissing, WebSettings, web_settings
from services.runtime.shutdown import asked_to_stop, tell_ready
from services.runtime.worker import Unreachable, run_worker
from services.web.app import Desk, make_app
from services.web.guard import guard
from services.web.profiles import Profiles
from services.web.sessions import SessionKeys


async def work() -> None:
    """Serve until asked to stop."""
    settings, stop = web_settings(os.environ), asked_to_stop()
    clock = SystemClock()
    desk = Desk(_keys(settings), _profiles(settings), clock, settings.nats)
    guarded = guard(frozenset(settings.origins), clock, behind_proxy=settings.behind_proxy)
    # Without an access log: it would be the addresses of who plays, kept for nothing.
    runner = web.AppRunner(make_app(desk, guarded), access_log=None)
    await runner.setup()
    try:
        await _listen(runner, settings)
        tell_ready(settings.ready)
        await stop.wait()
    finally:
        await runner.cleanup()


async def _listen(runner: web.AppRunner, settings: WebSettings) -> None:
    host, port = settings.listen.host, settings.listen.port
    try:
        await web.TCPSite(runner, host, port).start()
    except OSError as error:
        raise Unreachable(f"cannot listen on {host}:{port}: {error.strerror}") from error


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
    except SQLAlchemyError as error:
        raise Unreachable(f"the profiles' database: {type(error).__name__}") from error
    return profiles


def main() -> NoReturn:
    run_worker("web", work)


if __name__ == "__main__":
    main()
