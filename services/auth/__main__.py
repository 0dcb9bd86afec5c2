"""The auth worker's composition root: `python -m services.auth`."""

import logging
import os
from typing import Final, NoReturn

from services.auth.doorman import Doorman
from services.auth.metrics import AuthMetrics
from services.auth.nkeys import AccountKey, NotASeed, account_key
from services.auth.worker import Logins
from services.messaging.jetstream_callout import connect_callout
from services.messaging.port import BusError
from services.runtime.clock import SystemClock
from services.runtime.health import Health
from services.runtime.key_files import KeyUnusable, read_key_file
from services.runtime.ops import answering, new_registry
from services.runtime.settings import AuthSettings, SettingMissing, auth_settings
from services.runtime.shutdown import Line, asked_to_stop
from services.runtime.signing_keys import read_keys
from services.runtime.worker import Unreachable, end_honestly, run_worker

_log: Final = logging.getLogger(__name__)


async def work() -> None:
    """Answer log-ins until asked to stop."""
    settings, stop = auth_settings(os.environ), asked_to_stop()
    line = Line(stop)
    registry, health = new_registry(), Health(ready=settings.ready)
    logins = Logins(_doorman(settings), SystemClock(), AuthMetrics(registry))
    login = settings.login
    try:
        callout = await connect_callout(
            login.url,
            user=login.user,
            password=login.password,
            answer=logins.answer,
            on_closed=line.closed,
        )
    except BusError as error:
        raise Unreachable(str(error)) from error
    health.needs("broker", lambda: callout.connected)
    async with answering(settings.ops, registry, health):
        health.begin()
        await logins.tell(stop)
    await callout.close()
    end_honestly(line)


def _doorman(settings: AuthSettings) -> Doorman:
    try:
        issuer = _issuer(settings)
        keys = read_keys(settings.session_keys, "session key")
    except (KeyUnusable, NotASeed) as error:
        raise SettingMissing(str(error)) from error
    _log.info("log-ins are signed", extra={"issuer": issuer.public})
    return Doorman(issuer, keys, settings.account)


def _issuer(settings: AuthSettings) -> AccountKey:
    try:
        seed = read_key_file(settings.issuer_file, "issuer's seed").decode("ascii")
    except UnicodeDecodeError as error:
        raise NotASeed("it is not a text") from error
    return account_key(seed)


def main() -> NoReturn:
    run_worker("auth", work)


if __name__ == "__main__":
    main()
