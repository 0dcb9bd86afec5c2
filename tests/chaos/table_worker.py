"""The table worker of production with adapters that can fail: `python -m tests.chaos.table_worker`.

Its folder for orders is named by `WARAQ_CHAOS_FOLDER`.
"""

import os
from pathlib import Path
from typing import Final, NoReturn

from msgspec.structs import replace

from services.event_log.port import EventLog
from services.messaging.port import Bus
from services.runtime.settings import table_settings
from services.runtime.shutdown import Line, asked_to_drain, asked_to_stop
from services.runtime.worker import end_honestly, run_worker
from services.table.__main__ import own, parts
from tests.chaos.fail_points import FailingBus, FailingLog, FailPoints

PACE: Final = 0.0
"""Seconds: nobody looks on who could draw anything from a quick answer."""


async def work() -> None:
    """As `services.table.__main__.work`, the log and the bus wrapped."""
    settings, stop = table_settings(os.environ), asked_to_stop()
    draining, line = asked_to_drain(already=settings.draining), Line(stop)
    points = FailPoints(Path(os.environ["WARAQ_CHAOS_FOLDER"]))
    found = await parts(settings, line)
    log: EventLog = FailingLog(found.log, points)
    bus: Bus = FailingBus(found.bus, points)
    desk = replace(found.desk, pace=PACE)
    await own(replace(found, desk=desk, log=log, bus=bus), settings, stop, draining)
    end_honestly(line)


def main() -> NoReturn:
    run_worker("table", work)


if __name__ == "__main__":
    main()
