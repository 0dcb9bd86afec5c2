"""`waraq db backup` and `restore`: an embedded service's folder, copied while it runs and put back.

Of a log in PostgreSQL the database's own tools make copies (deploy/drills, docs/operations.md).
"""

import os
import time
from hashlib import sha256
from pathlib import Path
from typing import Final

import click
import msgspec
from msgspec import Struct

from services.cli import say
from services.cli.exits import DIFFERENCE, FAILED, NOT_FOUND, USAGE, stop
from services.cli.place import ACCESS, Place, as_json, at_place, lock_folder, make_folder, stop_for
from services.event_log import upgrade as upgrades
from services.event_log.copying import copy_file
from services.event_log.port import LogError
from services.event_log.sql import file_url
from services.event_log.survey import LogFound, survey

MANIFEST: Final = "backup.json"
LOG: Final = "log.db"
DATABASES: Final = (LOG, "standings.db", "profiles.db")
"""Copied in this order. The log is the truth; what is counted from it is counted anew."""
FILES: Final = (ACCESS, "shuffle.key", "head.key", "session.key", "issuer.seed")
PRIVATE: Final = 0o600


class Backup(Struct, frozen=True, kw_only=True):
    """What a backup's folder says of itself. `made`: Unix ms; `positions`: the last of each
    partition; `files`: SHA-256, in hex, by name; `elsewhere`: keys that lie in no data folder.
    """

    made: int
    generation: int
    positions: tuple[int, ...]
    open: int
    files: dict[str, str]
    elsewhere: tuple[str, ...]


@click.command()
@click.option("--to", "folder", required=True, type=click.Path(file_okay=False, path_type=Path))
@at_place
@as_json
def backup(place: Place, folder: Path, *, as_json: bool) -> None:
    """Copy log, standings, names and keys into a new folder, also while the service runs.

    The folder is as secret as the data: whoever has it can see every card and be anybody. What is
    in the broker is left out: it is made again from the log.
    """
    _refuse_outside(place)
    if not (place.data / LOG).is_file():
        stop(NOT_FOUND, f"no log at {place.data / LOG}: name the service's folder with --data")
    if folder.exists() and any(folder.iterdir()):
        stop(USAGE, f"{folder} is not empty: name a new folder with --to")
    make_folder(folder)
    try:
        made = _copy(place, folder)
    except LogError as error:
        stop_for(error)
    except OSError as error:
        stop(FAILED, f"the backup is not whole: {error.strerror}: {error.filename}")
    say.result(made, _prose("backed up", made, folder), as_json=as_json)


@click.command()
@click.option(
    "--from", "folder", required=True, type=click.Path(exists=True, file_okay=False, path_type=Path)
)
@at_place
@as_json
def restore(place: Place, folder: Path, *, as_json: bool) -> None:
    """Put a backup into an empty data folder, and raise the log's generation.

    Whatever was accepted after the backup was made is gone: matches of before go on from where they
    were then, those opened later are unknown.
    """
    _refuse_outside(place)
    made = _manifest(folder)
    _refuse_changed(folder, made)
    if place.data.exists() and any(place.data.iterdir()):
        stop(USAGE, f"{place.data} is not empty: move it away, or name another with --data")
    make_folder(place.data)
    lock = lock_folder(place, "stop it first")
    try:
        for name in made.files:
            _put(folder / name, place.data / name)
        info = upgrades.restored(place.log_url)
        found = survey(place.log_url)
    except LogError as error:
        stop_for(error)
    except OSError as error:
        stop(FAILED, f"not restored: {error.strerror}: {error.filename}")
    finally:
        lock.close()
    _refuse_other(made, found)
    put_back = msgspec.structs.replace(made, generation=info.generation)
    say.result(put_back, _prose("restored", put_back, place.data), as_json=as_json)


def _refuse_outside(place: Place) -> None:
    if "WARAQ_LOG_URL" in place.environ:
        stop(
            USAGE,
            "the log is not in the data folder (WARAQ_LOG_URL): use its database's own tools, as"
            " docs/operations.md says under Back up and Restore from a backup",
        )


# Making one -------------------------------------------------------------------------------------


def _copy(place: Place, folder: Path) -> Backup:
    for name in DATABASES:
        if (place.data / name).is_file():
            copy_file(place.data / name, folder / name)
    for name in FILES:
        if (place.data / name).is_file():
            _put(place.data / name, folder / name)
    found = survey(file_url(folder / LOG))
    made = Backup(
        made=time.time_ns() // 1_000_000,
        generation=found.info.generation,
        positions=_positions(found),
        open=sum(one.open for one in found.partitions),
        files={one.name: _sum(one) for one in sorted(folder.iterdir())},
        elsewhere=_elsewhere(place),
    )
    _write(folder / MANIFEST, msgspec.json.encode(made))
    return made


def _elsewhere(place: Place) -> tuple[str, ...]:
    """Settings that name a file which is in no backup of the folder."""
    suffixes = ("_KEY_FILE", "_SEED_FILE")
    return tuple(sorted(name for name in place.environ if name.endswith(suffixes)))


def _put(source: Path, to: Path) -> None:
    """Copy a file that only its owner may read."""
    _write(to, source.read_bytes())


def _write(path: Path, data: bytes) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


# Putting it back --------------------------------------------------------------------------------


def _manifest(folder: Path) -> Backup:
    try:
        return msgspec.json.decode((folder / MANIFEST).read_bytes(), type=Backup)
    except FileNotFoundError:
        stop(NOT_FOUND, f"{folder} has no {MANIFEST}: no backup was made there, or not to its end")
    except (OSError, msgspec.DecodeError) as error:
        stop(USAGE, f"{folder / MANIFEST} cannot be read: {error}")


def _refuse_changed(folder: Path, made: Backup) -> None:
    known = frozenset((*DATABASES, *FILES))
    for name, right in made.files.items():
        if name not in known:
            stop(USAGE, f"{folder / MANIFEST} names {name!a}, which is in no backup")
        if not (folder / name).is_file() or _sum(folder / name) != right:
            stop(DIFFERENCE, f"{folder / name} is not as it was backed up: use another backup")
    if LOG not in made.files:
        stop(DIFFERENCE, f"{folder} has no log: use another backup")


def _refuse_other(made: Backup, found: LogFound) -> None:
    if _positions(found) != made.positions or not all(one.whole for one in found.partitions):
        stop(DIFFERENCE, "the restored log is not as it was backed up: see `waraq audit --all`")


def _positions(found: LogFound) -> tuple[int, ...]:
    return tuple(one.position for one in found.partitions)


def _sum(file: Path) -> str:
    digest = sha256()
    with file.open("rb") as opened:
        while block := opened.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def _prose(done: str, made: Backup, folder: Path) -> str:
    when = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(made.made / 1_000))
    events = f"{sum(made.positions)} events as of {when}, {made.open} open matches"
    lines = [f"{done}: {events}, generation {made.generation}, in {folder}"]
    if done == "restored":
        lines.append("what was accepted after that moment is gone; start with `waraq up`")
    if made.elsewhere:
        lines.append(f"not in it, keep them yourself: {', '.join(made.elsewhere)}")
    return "\n".join(lines)
