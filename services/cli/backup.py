"""`waraq db backup` and `restore`: an embedded service's folder, copied while it runs and put back.

Of a log in PostgreSQL the database's own tools make copies (deploy/drills, docs/operations.md).
"""

import time
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Final

import click
import msgspec
from msgspec import Struct

from services.cli import say
from services.cli.exits import DIFFERENCE, FAILED, NOT_FOUND, USAGE, stop
from services.cli.place import (
    Place,
    as_json,
    at_place,
    lock_folder,
    make_folder,
    refuse_half_restored,
    stop_for,
)
from services.cli.putting_back import DATABASES, FILES, LOG, put_back, refuse_full, write
from services.event_log.copying import copy_file
from services.event_log.port import LogError
from services.event_log.sql import file_url
from services.event_log.survey import LogFound, survey

MANIFEST: Final = "backup.json"


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
    refuse_half_restored(place)
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
    were then, those opened later are unknown. Stopped on the way, it has to be run again: until
    then nothing opens the folder's log.
    """
    _refuse_outside(place)
    made = _manifest(folder)
    _refuse_changed(folder, made)
    refuse_full(place)
    make_folder(place.data)
    lock = lock_folder(place, "stop it first")
    try:
        refuse_full(place)  # a service may have begun there since
        info = put_back(folder, place.data, made.files, partial(_refuse_other, made))
    except LogError as error:
        stop_for(error)
    except OSError as error:
        stop(FAILED, f"not restored: {error.strerror}: {error.filename}; restore again")
    finally:
        lock.close()
    restored = msgspec.structs.replace(made, generation=info.generation)
    say.result(restored, _prose("restored", restored, place.data), as_json=as_json)


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
    write(folder / MANIFEST, msgspec.json.encode(made))
    return made


def _elsewhere(place: Place) -> tuple[str, ...]:
    """Settings that name a file which is in no backup of the folder."""
    suffixes = ("_KEY_FILE", "_SEED_FILE")
    return tuple(sorted(name for name in place.environ if name.endswith(suffixes)))


def _put(source: Path, to: Path) -> None:
    """Copy a file that only its owner may read."""
    write(to, source.read_bytes())


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
        stop(DIFFERENCE, "its log is not as it was when it was backed up: use another backup")


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
