"""Which of two exclusive consumers stays, when both come back to a broker that lost its store."""

import re


def newer(name: str, than: str) -> bool:
    """True if the numbers in `name` are higher: `p0-e10` is newer than `p0-e9`.

    The names of exclusive consumers carry the epoch, so the owner is the newest of them.
    """
    return _order(name) > _order(than)


def _order(name: str) -> list[str | int]:
    """Words and numbers in turn, so that names compare by their numbers."""
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", name)]
