"""The keys of tokens, from their files: the one that signs, and the one before it."""

from pathlib import Path

from msgspec import Struct

from services.runtime.key_files import read_key_file
from services.runtime.tokens import Keys


class KeyFiles(Struct, frozen=True):
    """`old`, if any, is the key that signed until lately: to be taken away when the last token of
    it has ended.
    """

    new: Path
    old: Path | None = None


def read_keys(files: KeyFiles, name: str) -> Keys:
    """Raises `KeyUnusable`."""
    old = read_key_file(files.old, f"old {name}") if files.old is not None else None
    return Keys(read_key_file(files.new, name), old)
