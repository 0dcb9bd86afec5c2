"""A file that a command writes: whole or not at all, and never half over what was there."""

import os
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import BinaryIO, Final

from services.cli import say
from services.cli.exits import FAILED, USAGE, stop
from services.cli.syncing import sync

STDOUT: Final = "-"
PRIVATE: Final = 0o600
OPEN: Final = 0o666
"""Less the umask."""
FOLDERS: Final = {"", ".", ".."}
"""What stands behind the last slash of a folder's name; a `Path` forgets the first two."""


@contextmanager
def written(out: str, *, private: bool) -> Iterator[BinaryIO]:
    """Where to write what `out` shall hold; if the block raises, a file is left as it was.

    A file that is there is replaced, in one step. `private`: only its owner may read it. `-` is
    stdout; a pipe or a device is written to as it is.
    """
    path = Path(out)
    try:
        if out.rpartition("/")[2] in FOLDERS or (out != STDOUT and path.is_dir()):
            stop(USAGE, f"{out} is a folder's name: name a file")
        with _opened(path, private=private) as file:
            yield file
    except BrokenPipeError:
        raise  # whoever read has had enough: click ends the command without a word
    except OSError as error:
        stop(FAILED, f"{out} cannot be written: {error.strerror}")


def _opened(path: Path, *, private: bool) -> AbstractContextManager[BinaryIO]:
    if str(path) == STDOUT:
        return _stdout()
    return _direct(path) if _is_special(path) else _replaced(path, private=private)


@contextmanager
def _stdout() -> Iterator[BinaryIO]:
    say.check_open()
    yield sys.stdout.buffer
    sys.stdout.buffer.flush()


def _is_special(path: Path) -> bool:
    """Something that must not be replaced by a file, such as /dev/null."""
    return path.exists() and not path.is_file()


@contextmanager
def _direct(path: Path) -> Iterator[BinaryIO]:
    with path.open("wb") as file:
        yield file


@contextmanager
def _replaced(path: Path, *, private: bool) -> Iterator[BinaryIO]:
    target = path.resolve()  # a link stays one
    new = target.with_name(f".{target.name}.{os.getpid()}.new")
    mode = PRIVATE if private else OPEN
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        new.replace(target)
    except BaseException:
        new.unlink(missing_ok=True)
        raise
    sync(target.parent)
