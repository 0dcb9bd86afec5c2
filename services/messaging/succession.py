"""Which exclusive consumers are of one place, and which of them stays when several come back to a
broker that lost its store.
"""

import re
from typing import Final

_OWNER: Final = re.compile(r"(p\d+)-e\d+")


def newer(name: str, than: str) -> bool:
    """True if the numbers in `name` are higher: `p0-e10` is newer than `p0-e9`.

    The names of exclusive consumers carry the epoch, so the owner is the newest of them.
    """
    return _order(name) > _order(than)


def place_of(name: str) -> str | None:
    """`p0` of `p0-e9`: whoever has another place reads something else; None for other names."""
    found = _OWNER.fullmatch(name)
    return found[1] if found else None


def _order(name: str) -> list[str | int]:
    """Words and numbers in turn, so that names compare by their numbers."""
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", name)]
