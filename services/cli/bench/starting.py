"""How soon the whole service is ready on a machine where it has run before."""

import asyncio
import signal
import sys
import time
from asyncio.subprocess import DEVNULL, PIPE
from pathlib import Path
from typing import Final

from services.cli.bench.conditions import Conditions, plain_environment
from services.cli.bench.figures import Budget, Found, figure

STARTS: Final = 3
READY: Final = Budget("at most", 3.0)
READY_WITHIN: Final = 60.0
STOP_WITHIN: Final = 20.0


class NotReady(Exception):
    """The service did not come up."""


def starting(conditions: Conditions) -> Found:
    """Seconds from `waraq up` to its line `ready`, in a folder that has a log already."""
    with conditions.empty_folder() as folder:
        cold, *warm = (asyncio.run(_up(folder)) for _ in range(1 + conditions.many(STARTS, 1)))
    note = f"the first start, which makes log, key and streams, took {cold:.2f} s"
    return Found((figure("waraq up to ready, warm", "s", warm, READY),), (note,))


async def _up(folder: Path) -> float:
    words = ("-m", "services.cli", "up", "--json", "--data", str(folder / "data"))
    began = time.monotonic()
    process = await asyncio.create_subprocess_exec(
        sys.executable, *words, env=plain_environment(), stdin=DEVNULL, stdout=PIPE, stderr=DEVNULL
    )
    assert process.stdout is not None, "it is a pipe"
    try:
        line = await asyncio.wait_for(process.stdout.readline(), READY_WITHIN)
        seconds = time.monotonic() - began
    finally:
        if process.returncode is None:
            process.send_signal(signal.SIGTERM)
        await asyncio.wait_for(process.wait(), STOP_WITHIN)
    if not line:
        raise NotReady(f"`waraq up` ended with {process.returncode}")
    return seconds
