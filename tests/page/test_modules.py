"""The page's modules that know no browser, by node's own test runner; their types; their fold."""

import json
import subprocess
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from schemas.commands import HokmOptions
from services.rules import sight
from services.rules.history import unfold
from tests.npm_packages import CHECKOUT, NODE, node_modules
from tests.verifier.matches import PLAYERS, feed, played

HERE: Final = Path(__file__).parent
SUITES: Final = sorted(path.name for path in HERE.glob("*.test.mjs"))
WITHIN: Final = 120
"""Seconds that node may take."""
MATCHES: Final = 6
"""Whole matches that are folded, each by all four seats."""


def node(*words: str | Path, text: str = "") -> str:
    done = subprocess.run(
        [NODE, *words],
        input=text,
        capture_output=True,
        text=True,
        timeout=WITHIN,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    return done.stdout


@pytest.mark.parametrize("suite", SUITES)
def test_a_module_holds_its_tests(suite: str) -> None:
    said = node("--test", "--test-reporter=tap", HERE / suite)
    assert "\n# fail 0\n" in said
    assert "\n# pass 0\n" not in said


def test_the_types_are_those_of_the_published_schema() -> None:
    """Every module, strictly, against docs/schema/waraq.d.ts."""
    compiler = node_modules() / "typescript" / "bin" / "tsc"
    assert node(compiler, "--project", HERE / "tsconfig.json") == ""


def told(number: int, seat: int) -> list[dict[str, Any]]:
    """What a seat was told of a whole match, with the table's own view of each version. `rests`:
    the table waits there; what follows by rule or chance is told together with its cause.
    """
    table = played(number, HokmOptions(target=3, show_five_before_trump=number % 2 == 0))
    messages = feed(table, PLAYERS[seat])
    views = [msgspec.to_builtins(sight.view(one.after, seat)) for one in unfold(table.entries)]
    origins = [said["event"]["origin"] for said in messages[1:]] + ["player"]
    return [
        {"message": said, "view": view, "rests": origin not in ("rule", "chance")}
        for said, view, origin in zip(messages, views, origins, strict=True)
    ]


@pytest.mark.parametrize("number", range(1, MATCHES + 1))
@pytest.mark.parametrize("seat", range(4))
def test_what_the_page_folds_is_the_tables_own_view_wherever_it_rests(
    number: int, seat: int
) -> None:
    found = json.loads(node(HERE / "folded.mjs", text=json.dumps(told(number, seat))))
    assert found["wrong"] == []
    assert found["compared"] > 60


def test_no_module_is_larger_than_a_page_of_code() -> None:
    static = CHECKOUT / "services" / "web" / "static"
    kinds = ("play/**/*.js", "view/**/*.js", "css/*.css")
    ours = [path for kind in kinds for path in static.glob(kind)]
    assert ours
    for path in ours:
        assert len(path.read_text().splitlines()) <= 400, path.name
