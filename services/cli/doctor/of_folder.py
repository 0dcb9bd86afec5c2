"""The data folder of an embedded service: closed to everybody but its owner."""

import os
import shlex
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Final

from services.cli.doctor.finding import Finding
from services.cli.place import Place
from services.runtime.private_files import OTHERS

LOOKED_AT: Final = 1_000
"""Files and folders at most."""
NAMED: Final = 5
"""Of those that are open so many are named."""


def look(place: Place) -> Iterator[Finding]:
    """Raises nothing; finds nothing where there is no folder."""
    try:
        if place.data.is_dir():
            yield _found(place.data)
    except OSError as error:
        what = f"cannot be looked at: {error.strerror}: {error.filename}"
        yield Finding(check="data folder", level="warning", what=what)


def _found(data: Path) -> Finding:
    if not _is_open(data):
        return Finding(check="data folder", level="ok", what=f"{data} is closed to others")
    named = shlex.quote(str(data))
    there = sorted(islice(_open_files(data), LOOKED_AT))
    if not there:
        what = f"others can see what {data} holds, and open none of it"
        return Finding(check="data folder", level="note", what=what, next=f"chmod 700 {named}")
    more = ", …" if len(there) > NAMED else ""
    what = (
        f"others can open {len(there)} files in {data}, which may hold cards and names:"
        f" {', '.join(there[:NAMED])}{more}"
    )
    return Finding(check="data folder", level="bad", what=what, next=f"chmod -R go= {named}")


def _is_open(path: Path) -> bool:
    return path.lstat().st_mode & OTHERS != 0


def _open_files(folder: Path) -> Iterator[str]:
    """By their names in it; what lies in a folder that is closed is closed."""
    for root, folders, files in os.walk(folder):
        place = Path(root)
        folders[:] = [one for one in folders if _is_open(place / one)]
        yield from (
            str((place / one).relative_to(folder)) for one in files if _is_open(place / one)
        )
