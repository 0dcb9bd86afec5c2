"""A session that is kept in a file of the user's own, so that he is the same player next time.

A token is the player: the file is readable by its owner alone (0600), names the server that it is
for, and is shown to no other one.
"""

import os
import re
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from schemas.decoding import decoder
from schemas.ids import PlayerId
from services.cli.exits import USAGE, stop
from services.cli.join.session.web import Token

DEFAULT: Final = "default"
"""The session of whoever names none."""
NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,32}")
FOLDERS: Final = ("waraq", "sessions")
SUFFIX: Final = ".json"
SET_ASIDE: Final = ".old"
"""What is added to the name of a session that is good no more."""
OTHERS: Final = 0o077
LONGEST_NAME: Final = 40
"""Letters of a server's address in a folder's name."""


class Kept(Struct, frozen=True, kw_only=True):
    """`server`: where it is good, by the server's key."""

    server: str
    player: PlayerId
    token: Token


_kept = decoder(Kept)


def session_file(environ: Mapping[str, str], server: str, named: str | None) -> Path:
    """Where a session is kept: `named` is a name beside the others of that server, or a path if
    there is a / in it.
    """
    name = named or DEFAULT
    if "/" in name:
        return Path(name).absolute()
    if not NAME.fullmatch(name):
        stop(USAGE, f"--session {name!a}: say a name of letters and digits, or a file with a /")
    return folder(environ, server) / f"{name}{SUFFIX}"


def folder(environ: Mapping[str, str], server: str) -> Path:
    """Where the sessions of one server are, by the XDG rules."""
    state = Path(environ.get("XDG_STATE_HOME", ""))
    if not state.is_absolute():  # the rules say so: a relative one is as good as none
        state = Path.home() / ".local" / "state"
    slug = re.sub(r"[^a-z0-9.]+", "-", server.lower()).strip("-.")[-LONGEST_NAME:]
    return state.joinpath(*FOLDERS, f"{slug}-{sha256(server.encode()).hexdigest()[:8]}")


def read_session(path: Path, server: str) -> Kept | None:
    """What is kept there, None if nothing; stops the command if it may not be used."""
    try:
        with path.open("rb") as file:
            is_open = os.fstat(file.fileno()).st_mode & OTHERS
            data = file.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        stop(USAGE, f"{path} cannot be read: {error.strerror}")
    if is_open:
        stop(USAGE, f"{path} is open to others, and whoever reads it is you: chmod 600 {path}")
    try:
        kept: Kept = _kept(data)
    except msgspec.DecodeError:
        stop(USAGE, f"{path} is no session: name another file, or move it away")
    if kept.server != server:
        stop(USAGE, f"{path} is a session of {kept.server!a}, not of this server: name another")
    return kept


def keep(path: Path, kept: Kept) -> None:
    """Replace the file in one step; raises `OSError`."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    new = path.with_name(f"{path.name}.{os.getpid()}.new")
    new.unlink(missing_ok=True)
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(msgspec.json.encode(kept))
    new.replace(path)


def set_aside(path: Path) -> Path:
    """Move a session away that is good no more; where it is then. Raises `OSError`."""
    old = path.with_name(path.name + SET_ASIDE)
    path.replace(old)
    return old


def kept_names(environ: Mapping[str, str], server: str) -> list[str]:
    """The names under which sessions of that server are kept."""
    found = folder(environ, server).glob(f"*{SUFFIX}")
    return sorted(path.stem for path in found)
