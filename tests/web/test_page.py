"""docs/web.md: its routes, codes and numbers are those of the service."""

import re
from pathlib import Path
from typing import Final

from services.scoring.records import TOP
from services.scoring.tickets import DAILY
from services.web.answers import STATUS
from services.web.asking import BODY_BYTES, BODY_WAIT
from services.web.listening import CONNECTIONS, HEAD_WAIT, PROXY_WAIT
from services.web.lists import (
    KEEP_STANDINGS,
    KEEP_TABLES,
    KEEP_TERMS,
    MOST_STANDINGS,
    MOST_TABLES,
    PAGE,
)
from services.web.names import NAME_CHARS
from services.web.players import IDS
from services.web.queries import QUERIES, WITHIN
from services.web.rates import FILES, READS, WRITES
from tests.web.serving import site

DOCS: Final = Path(__file__).parents[2] / "docs"
TEXT: Final = (DOCS / "web.md").read_text()
ROUTES: Final = {
    (method, path) for method, path in re.findall(r"`(GET|POST|PUT|DELETE) (/[a-z]*)", TEXT)
}


async def test_every_route_is_in_the_page_and_none_that_is_not_there(tmp_path: Path) -> None:
    async with site(tmp_path) as here:
        found = {(method, path) for method, path in here.routes if method != "HEAD"}
    assert found == ROUTES


def test_every_code_is_there_with_its_status() -> None:
    (said,) = re.findall(r"\*\*Codes\.\*\* (.*?)With `Retry-After`", TEXT, re.DOTALL)
    assert {code: int(status) for code, status in re.findall(r"`(\w+)` (\d+)", said)} == STATUS


def test_the_numbers_are_those_of_the_service() -> None:
    assert f"1 to {NAME_CHARS} characters" in TEXT
    assert f"{IDS} ids at most" in TEXT
    assert (
        f"1 to {MOST_TABLES} tables or matches, 1 to {MOST_STANDINGS} standings, {PAGE} if" in TEXT
    )
    assert f"the {TOP:,} best" in TEXT
    assert (KEEP_TABLES, KEEP_STANDINGS, KEEP_TERMS) == (1, 5, 300)
    assert f"{BODY_BYTES // 1_024} KiB at most and {BODY_WAIT:.0f} s to come" in TEXT
    assert (
        f"{QUERIES} asks may wait for it, and none is waited for longer\nthan {WITHIN:.0f} s"
        in TEXT
    )
    assert f"{CONNECTIONS} at a time" in TEXT
    assert f"has {HEAD_WAIT:.0f} s to be whole" in TEXT
    assert f"it is {PROXY_WAIT:.0f} s" in TEXT
    assert (WRITES.burst, WRITES.per_second, READS.burst, READS.per_second) == (60, 1, 200, 20)
    assert (FILES.burst, FILES.per_second) == (5_000, 200)
    assert f"{DAILY} if not set" in (DOCS / "architecture.md").read_text()
