"""docs/capacity.md: its table is what its program prints, from the costs that the page says."""

import re
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

CHECKOUT: Final = Path(__file__).parents[1]
PAGE: Final = (CHECKOUT / "docs" / "capacity.md").read_text()
PROGRAM: Final = CHECKOUT / "docs" / "examples" / "capacity.py"
WORDS: Final = runpy.run_path(str(PROGRAM))


def printed(*words: str) -> str:
    return subprocess.run(
        [sys.executable, PROGRAM, *words], capture_output=True, text=True, check=True, timeout=60
    ).stdout


def tables(**habits: float) -> dict[str, float]:
    """What each part of a service of ten machines carries."""
    found: dict[str, float] = WORDS["limits"](10, WORDS["Costs"](), WORDS["Habits"](**habits))
    return found


def test_the_table_of_the_page_is_what_the_program_prints() -> None:
    command, _, table = PAGE.partition("$ .venv/bin/python docs/examples/capacity.py ")[
        2
    ].partition("\n")
    assert table.partition("```")[0] == printed(*command.split())


@pytest.mark.parametrize(
    ("cost", "row"),
    [
        ("table", r"the table worker.*\| ([0-9.]+) ms"),
        ("broker", r"the broker, one node.*\| ([0-9.]+) ms"),
        ("database", r"PostgreSQL's processes \| ([0-9.]+) ms"),
        ("scoring", r"the scoring worker.*\| ([0-9.]+) ms"),
        ("thought", r"a thought of a chrome bot.*\*\*([0-9.]+) ms"),
        ("events", r"of each event \(([0-9.]+) a command"),
        ("logged", r"a row in PostgreSQL.*\| ([0-9]+)"),
        ("streamed", r"in the stream EVENTS.*\| ([0-9]+)"),
        ("told", r"on one player's feed \| ([0-9]+)"),
    ],
)
def test_the_page_says_the_costs_that_the_program_reckons_with(cost: str, row: str) -> None:
    (said,) = re.findall(row, PAGE)
    assert float(said) == getattr(WORDS["Costs"](), cost)


def test_what_a_part_carries_is_its_processors_over_what_a_table_needs_of_them() -> None:
    """By hand: 16 processors at 60 % are 9,600 ms a second, and a table needs 0.4 * 1.04 ms."""
    found = tables()
    assert found["16 table workers, a partition each"] == pytest.approx(9_600 / (0.4 * 1.04))
    assert found["the broker's leading node"] == pytest.approx(1_200 / (0.4 * 0.53))
    assert tables(commands=0.8)["the database's primary"] == pytest.approx(1_200 / (0.8 * 0.30))


def test_without_chrome_the_tables_cost_most() -> None:
    assert any(part.endswith("mostly bots") for part in tables())
    assert any(part.endswith("mostly table") for part in tables(chrome=0.0))


def test_a_service_that_more_machines_do_not_help_is_followed_by_a_second_one() -> None:
    costs, habits = WORDS["Costs"](), WORDS["Habits"]()
    size: int = WORDS["full_size"](costs, habits)
    full: Any = WORDS["carried"](size, costs, habits)
    more: Any = WORDS["carried"](2 * size, costs, habits)
    assert (full.services, more.services) == (1, 2)
    assert more.tables == 2 * full.tables
