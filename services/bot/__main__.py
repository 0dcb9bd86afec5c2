"""The bot worker's composition root: `python -m services.bot`. Its settings hold no database."""

import asyncio
import os
from typing import NoReturn

from services.bot.worker import run
from services.messaging.jetstream import connect
from services.messaging.port import BusError
from services.runtime.settings import bot_settings
from services.runtime.shutdown import asked_to_stop, tell_ready
from services.runtime.worker import Unreachable, run_worker


async def work() -> None:
    """Answer turns until asked to stop; raises `Unreachable` if the connection ends before."""
    settings, stop, lost = bot_settings(os.environ), asked_to_stop(), asyncio.Event()

    def closed() -> None:
        if not stop.is_set():
            lost.set()
            stop.set()

    login = settings.login
    try:
        bus = await connect(
            login.url, user=login.user, password=login.password, name="bot", on_closed=closed
        )
    except BusError as error:
        raise Unreachable(str(error)) from error
    await run(bus, stop, lambda: tell_ready(settings.ready))
    await bus.close()
    if lost.is_set():
        raise Unreachable("the connection to the broker was closed for good")


def main() -> NoReturn:
    run_worker("bot", work)


if __name__ == "__main__":
    main()
