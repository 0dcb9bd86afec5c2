"""Examples from the released lines: what was said in real play."""

from importlib import resources
from typing import Any, Final

import msgspec
from msgspec import Struct

from schemas import released

FILES: Final = {
    "Command": "commands.ndjson",
    "Ask": "asks.ndjson",
    "Feed": "feed.ndjson",
    "Event": "events.ndjson",
}
"""The file of each root's lines."""
_TAGGED: Final = {"Command": "action", "Event": "body"}
"""Where the kind of a message stands; the others are the message itself."""


class Examples(Struct, frozen=True):
    """Released messages by root, as they are read from JSON."""

    lines: dict[str, tuple[Any, ...]]

    def of(self, root: str, tag: str) -> list[Any]:
        """Those of one kind; of an ask, which has no kinds, all."""
        return [line for line in self.lines[root] if _tag(root, line) in (tag, None)]


def _tag(root: str, line: Any) -> str | None:
    part = line[_TAGGED[root]] if root in _TAGGED else line
    tag: str | None = part.get("type")
    return tag


def released_lines() -> Examples:
    """What the package `schemas.released` holds."""
    return Examples({root: tuple(map(msgspec.json.decode, _lines(root))) for root in FILES})


def _lines(root: str) -> list[str]:
    return resources.files(released).joinpath(FILES[root]).read_text().splitlines()
