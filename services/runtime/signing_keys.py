"""The keys that sessions, the website's word and tickets are signed with, and their files: the
one that signs, and the one before it.
"""

from pathlib import Path

from msgspec import Struct

from services.runtime.key_files import read_key_file


class Keys(Struct, frozen=True):
    """`signs` makes and checks; `still_good`, if any, only checks: for rotation."""

    signs: bytes
    still_good: bytes | None = None

    def __repr__(self) -> str:
        """Without the secrets, whoever prints it."""
        return "Keys()"

    @property
    def checks(self) -> tuple[bytes, ...]:
        return (self.signs,) if self.still_good is None else (self.signs, self.still_good)


class KeyFiles(Struct, frozen=True):
    """`old`, if any, is the key that signed until lately: to be taken away when the last that it
    signed has ended.
    """

    new: Path
    old: Path | None = None


def read_keys(files: KeyFiles, name: str) -> Keys:
    """Raises `KeyUnusable`."""
    old = read_key_file(files.old, f"old {name}") if files.old is not None else None
    return Keys(read_key_file(files.new, name), old)
