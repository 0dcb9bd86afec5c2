"""What a look finds: what about, how bad, in words, and what to do next."""

from typing import Literal

from msgspec import Struct

Level = Literal["ok", "note", "warning", "bad", "unreachable"]
"""`note`: nothing is wrong, and somebody may want to know; `warning`: it will be bad if nobody
looks; `bad`: matches or players suffer; `unreachable`: it could not be looked at.
"""


class Finding(Struct, frozen=True, kw_only=True):
    """`next` is what to do: a command, or a heading of docs/operations.md; None for nothing. No
    finding holds a secret or a card.
    """

    check: str
    level: Level
    what: str
    next: str | None = None


def see(heading: str) -> str:
    """Where docs/operations.md says what to do."""
    return f"docs/operations.md#{heading}"


def measured(
    check: str, value: float, limits: tuple[float, float], what: str, to_do: str
) -> Finding:
    """Well below the first of `limits`, a warning from it on, bad from the second on."""
    warning, bad = limits
    if value >= bad:
        return Finding(check=check, level="bad", what=what, next=to_do)
    if value >= warning:
        return Finding(check=check, level="warning", what=what, next=to_do)
    return Finding(check=check, level="ok", what=what)
