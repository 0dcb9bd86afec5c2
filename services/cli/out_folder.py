"""A folder that a command writes: whole or not at all, in the place of the one before.

It grows beside its place under a name of its own, and is renamed when it is whole. Two renames:
who is killed between them leaves the folder before it under its other name, and the next command
puts it back.
"""

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

from services.cli.exits import FAILED, stop
from services.cli.syncing import sync


class Names(Struct, frozen=True):
    """Where a folder stands, where it grows, and where the one before waits to be removed."""

    place: Path
    new: Path
    old: Path

    @property
    def lock(self) -> Path:
        return self.place.with_name(f".{self.place.name}.lock")


def names_of(out: Path) -> Names:
    place = out.resolve()  # a link stays one
    return Names(
        place, place.with_name(f".{place.name}.new"), place.with_name(f".{place.name}.old")
    )


@contextmanager
def locked(out: Path) -> Iterator[Names]:
    """Nobody else writes `out` meanwhile; what a killed command left there is put right.

    Raises OSError.
    """
    names = names_of(out)
    descriptor = os.open(names.lock, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        _take(descriptor, names)
        try:
            _put_right(names)
            yield names
        finally:
            names.lock.unlink(missing_ok=True)
    finally:
        os.close(descriptor)


def _take(descriptor: int, names: Names) -> None:
    """The lock is ours if its file is still the one of that name: who had it removes it."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        ours = names.lock.exists() and os.path.samestat(os.fstat(descriptor), names.lock.stat())
    except BlockingIOError:
        ours = False
    if not ours:
        stop(FAILED, f"another command writes {names.place}: wait for it, or name another folder")


def _put_right(names: Names) -> None:
    if names.old.exists() and not names.place.exists():
        names.old.rename(names.place)
    for left in (names.new, names.old):
        shutil.rmtree(left, ignore_errors=True)


@contextmanager
def growing(names: Names) -> Iterator[Path]:
    """A new, empty folder; it takes its place if the block ends well, and is gone if it raises.

    Raises OSError.
    """
    names.new.mkdir()
    try:
        yield names.new
        for path in names.new.rglob("*"):
            sync(path)
        sync(names.new)
        _swap(names)
    except BaseException:
        shutil.rmtree(names.new, ignore_errors=True)
        raise


def _swap(names: Names) -> None:
    if names.place.exists():
        names.place.rename(names.old)
    names.new.rename(names.place)
    sync(names.place.parent)
    shutil.rmtree(names.old, ignore_errors=True)


def link_or_copy(source: Path, target: Path) -> None:
    """The same file under another name, or a copy where the disk has no links."""
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)
