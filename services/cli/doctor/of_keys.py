"""The keys: each that is named is there, closed to others, and of open matches the right one."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

from schemas.events import MatchOpened, decode_event
from services.auth.nkeys import NotASeed, account_key
from services.cli.doctor.finding import Finding, see
from services.cli.place import ACCESS, Place, read_access
from services.event_log.port import LogError, Reader
from services.event_log.sql import open_reader
from services.runtime.key_files import KeyUnusable, read_key_file
from services.table.secrets import read_key

OPENINGS: Final = 50
"""Open matches whose key is looked at, at most."""
ROTATE: Final = "rotate-a-key"


def look(place: Place) -> Iterator[Finding]:
    """Raises nothing. Says no key, only whether it is good."""
    yield from _shuffle(place)
    for name, file in _files(place).items():
        if _is_named(place, name) or (file.exists() and not place.elsewhere):
            yield _key(name, file)
    access = place.data / ACCESS
    if access.exists() and access.stat().st_mode & 0o077:
        what = f"{access} holds passwords and is open to others"
        yield Finding(check="access", level="bad", what=what, next=f"chmod 600 {access}")


def _files(place: Place) -> dict[str, Path]:
    """Whatever key files are named, or lie in the folder of an embedded service: one that once ran
    here is no part of a service elsewhere.
    """
    named = {
        name.removeprefix("WARAQ_").removesuffix("_FILE").replace("_", " ").lower(): Path(value)
        for name, value in place.environ.items()
        if name.startswith("WARAQ_") and name.endswith("_KEY_FILE") and "SHUFFLE" not in name
    }
    return {
        "head key": place.head_key_file,
        "session key": place.session_key_file,
        "issuer seed": place.issuer_file,
    } | named


def _is_named(place: Place, name: str) -> bool:
    return f"WARAQ_{name.replace(' ', '_').upper()}_FILE" in place.environ


def _key(name: str, file: Path) -> Finding:
    try:
        key = read_key_file(file, name)
        if name == "issuer seed":
            account_key(key.decode("ascii", "replace"))
    except KeyUnusable as error:
        return Finding(check=name, level="bad", what=str(error), next=see(ROTATE))
    except NotASeed as error:
        return Finding(check=name, level="bad", what=f"{file}: {error}", next=see(ROTATE))
    return Finding(check=name, level="ok", what="there, and closed to others")


def _shuffle(place: Place) -> Iterator[Finding]:
    name = "shuffle key"
    ours = not place.elsewhere and (place.key_file.exists() or read_access(place))
    if not (ours or _is_named(place, name)):
        what = "none on this machine: the table workers have it"
        yield Finding(check=name, level="note", what=what)
        return
    try:
        key = read_key(place.key_file)
    except KeyUnusable as error:
        yield Finding(check=name, level="bad", what=str(error), next=see(ROTATE))
        return
    others = _sealed_under_another(place, key.id)
    if others:
        what = (
            f"{others} open matches are sealed under another key: they cannot go on with {key.id}"
        )
        yield Finding(check=name, level="bad", what=what, next=see("wrong-shuffle-key"))
    else:
        yield Finding(check=name, level="ok", what=f"{key.id}, that of all open matches")


def _sealed_under_another(place: Place, key: str) -> int:
    """How many of the first `OPENINGS` open matches; 0 while the log does not answer."""
    try:
        with closing(open_reader(place.log_url)) as log:
            return sum(_opened(log, match) not in {key, None} for match in _open(log))
    except LogError:
        return 0


def _open(log: Reader) -> list[str]:
    partitions = range(log.info().partitions)
    return [match for each in partitions for match in log.open_streams(each)][:OPENINGS]


def _opened(log: Reader, match: str) -> str | None:
    """The key's id that stands in its opening; None for what is no opening: the audit's to say."""
    rows = log.load(match, limit=1)
    body = decode_event(rows[0].entry.line).body if rows else None
    return body.key if isinstance(body, MatchOpened) else None
