"""The messages in docs/clients.md, made from a real conversation.

    python -m tests.schemas.clients_page

writes them anew into the page: each block of messages under a comment that names them.
"""

import asyncio
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tests.schemas.by_http import by_http
from tests.schemas.conversation import Line, conversation

PAGE: Final = Path(__file__).parents[2] / "docs" / "clients.md"
BLOCK: Final = re.compile(r"(<!-- ([a-z, ]+) -->\n```\n)(.*?)(```\n)", re.DOTALL)


def names_in(page: str) -> list[str]:
    """The messages that the page shows, in its order."""
    return [name for found in BLOCK.finditer(page) for name in found[2].split(", ")]


def with_messages(page: str, lines: Mapping[str, Line]) -> str:
    """The page with each block as the conversation has it; raises KeyError for another."""
    return BLOCK.sub(lambda found: found[1] + block(found[2], lines) + found[4], page)


def block(names: str, lines: Mapping[str, Line]) -> str:
    """Subject (of HTTP the request, or the status) and bytes of each: `>` goes to the service, `<`
    comes from it.
    """
    return "".join(_shown(lines[name]) for name in names.split(", "))


def _shown(line: Line) -> str:
    mark = "<" if line.subject.startswith("feed.") or line.subject.isdecimal() else ">"
    data = f"{line.data}\n" if line.data else ""
    return f"{mark} {line.subject}\n{data}"


async def all_lines() -> dict[str, Line]:
    """All that the page shows, by name."""
    return await conversation() | await by_http()


def main() -> None:
    PAGE.write_text(with_messages(PAGE.read_text(), asyncio.run(all_lines())))


if __name__ == "__main__":
    main()
