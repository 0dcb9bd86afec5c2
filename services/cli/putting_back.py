"""A backup put into a data folder: all of it, or nothing that a service would begin with.

It is written and synced in a folder of its own there, the log's generation is raised, and then
everything gets its name, the log last. While that folder is there nobody opens the log
(`services.event_log.sqlite`): who was stopped in between restores once more, from the beginning.
"""

import os
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from services.cli.exits import USAGE, stop
from services.cli.place import ACCESS, LOCK, Place
from services.cli.syncing import sync
from services.event_log import upgrade as upgrades
from services.event_log.port import LogInfo
from services.event_log.sql import file_url
from services.event_log.sqlite import RESTORING
from services.event_log.survey import LogFound, survey

LOG: Final = "log.db"
DATABASES: Final = (LOG, "standings.db", "profiles.db")
"""Copied in this order. The log is the truth; what is counted from it is counted anew."""
FILES: Final = (ACCESS, "shuffle.key", "head.key", "session.key", "issuer.seed")
PRIVATE: Final = 0o600
_JOURNALS: Final = (f"{LOG}-wal", f"{LOG}-shm")


def refuse_full(place: Place) -> None:
    """Stops the command unless the folder is empty, or has what a restore left that was stopped."""
    there = {one.name for one in place.data.iterdir()} if place.data.exists() else set[str]()
    ours = {LOCK, RESTORING}
    if RESTORING in there:
        ours |= {*DATABASES, *FILES, *_JOURNALS}
    if there - ours:
        stop(USAGE, f"{place.data} is not empty: move it away, or name another with --data")


def put_back(
    source: Path, data: Path, names: Iterable[str], judge: Callable[[LogFound], None]
) -> LogInfo:
    """Copy the files of these names, one of them the log, which `judge` refuses by raising; call it
    under the folder's lock. Raises `LogError`, `OSError`.
    """
    staging = data / RESTORING
    staging.mkdir(mode=0o700, exist_ok=True)
    sync(data)
    try:
        _clear(data, staging)
        info = _stage(source, staging, names, judge)
    except BaseException:
        shutil.rmtree(staging)  # nothing has its name yet: the folder is as it was
        raise
    _name(data, staging)
    return info


def write(path: Path, data: bytes) -> None:
    """A new file that only its owner may read, on the disk."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _clear(data: Path, staging: Path) -> None:
    """What a restore left that was stopped goes; the folder that says so stays."""
    for name in (*DATABASES, *_JOURNALS, *FILES):
        (data / name).unlink(missing_ok=True)
    for left in staging.iterdir():
        left.unlink()


def _stage(
    source: Path, staging: Path, names: Iterable[str], judge: Callable[[LogFound], None]
) -> LogInfo:
    for name in names:
        write(staging / name, (source / name).read_bytes())
    log = file_url(staging / LOG)
    judge(survey(log))
    info = upgrades.restored(log)
    for one in (*staging.iterdir(), staging):
        sync(one)
    return info


def _name(data: Path, staging: Path) -> None:
    *others, log = sorted(staging.iterdir(), key=lambda one: one.name == LOG)
    for one in others:
        one.rename(data / one.name)
    sync(data)
    log.rename(data / LOG)
    sync(data)
    staging.rmdir()
    sync(data)
    sync(data.parent)
