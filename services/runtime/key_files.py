"""Secret keys in files of their own, which only their owner can read (0600).

An orchestrator mounts a secret as root's and lets one group read it: root's own file may be 0640,
as PostgreSQL has it for its keys, unless we are root ourselves.
"""

import os
import stat
from pathlib import Path
from typing import Final

KEY_BYTES: Final = 32
"""The bytes of a key that is made here, and the fewest of one that is read."""


ROOT: Final = 0


class KeyUnusable(Exception):
    """The key file is missing, too short or open to others; says what to do."""


def read_key_file(path: Path, name: str) -> bytes:
    """What `path` holds, the key called `name`; raises `KeyUnusable`."""
    try:
        found, key = path.stat(), path.read_bytes()
    except OSError as error:
        raise KeyUnusable(f"cannot read the {name} {path}: {error.strerror}") from error
    mounted = found.st_uid == ROOT != os.geteuid()
    if stat.S_IMODE(found.st_mode) & (0o037 if mounted else 0o077):
        raise KeyUnusable(f"the {name} {path} is open to others: chmod 600 {path}")
    if len(key) < KEY_BYTES:
        raise KeyUnusable(f"the {name} {path} has under {KEY_BYTES} bytes: name another file")
    return key


def create_key(path: Path) -> None:
    """Write a new random key that only its owner can read; keeps one that is there."""
    create_key_file(path, os.urandom(KEY_BYTES))


def create_key_file(path: Path, key: bytes) -> None:
    """Write `key` so that only its owner can read it; keeps a file that is there."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    try:
        descriptor = os.open(path, flags, 0o600)
    except FileExistsError:
        return
    with os.fdopen(descriptor, "wb") as file:
        file.write(key)
        file.flush()
        os.fsync(file.fileno())
