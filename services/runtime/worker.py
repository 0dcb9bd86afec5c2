"""How every worker process ends: what went wrong, once, on stderr, and an honest exit code."""

import asyncio
import logging
import os
import sys
from collections.abc import Callable, Coroutine
from typing import Any, Final, Never, NoReturn

from services.runtime.logs import log_to_stderr
from services.runtime.private_files import private_files
from services.runtime.settings import SettingMissing
from services.runtime.shutdown import Line

OK: Final = 0
FAILED: Final = 1
USAGE: Final = 2
UNREACHABLE: Final = 5
"""The broker or the database cannot be reached."""

_log = logging.getLogger(__name__)


class Unreachable(Exception):
    """A broker or database that a worker cannot begin without; its supervisor tries again."""


def end_honestly(line: Line) -> None:
    """Raise `Unreachable` if the worker ends only because its connection did."""
    if line.lost:
        raise Unreachable("the connection to the broker was closed for good")


def abandon(reason: str) -> Never:
    """End this process as a crash would: it waits for what can neither be had nor given up.

    Nothing is lost by it, for a worker may be killed at any moment; its supervisor starts it anew.
    """
    _log.critical("the worker gives up", extra={"reason": reason})
    os._exit(UNREACHABLE)


def run_worker(name: str, work: Callable[[], Coroutine[Any, Any, None]]) -> NoReturn:
    """Run `work` to its end and leave the process; `work` reads its settings itself."""
    log_to_stderr(name, os.environ.get("WARAQ_LOG_LEVEL", "info"))
    try:
        with private_files():
            asyncio.run(work())
    except SettingMissing as error:
        _log.critical("a setting is missing or cannot be used", extra={"reason": str(error)})
        sys.exit(USAGE)
    except Unreachable as error:
        _log.critical("cannot begin", extra={"reason": str(error)})
        sys.exit(UNREACHABLE)
    except Exception:  # noqa: BLE001 told by kind and place, not by Python's own trace
        _log.critical("the worker failed", exc_info=True)
        sys.exit(FAILED)
    sys.exit(OK)
