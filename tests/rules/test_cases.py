"""The case files in tests/cases: the rules as data, judged by the referee."""

from pathlib import Path

import pytest

from services.cli.referee import judge_case

CASES = sorted((Path(__file__).parents[1] / "cases").glob("*.json"))
AT_LEAST = {"hokm": 14, "hand": 29}
"""Cases of each game."""


@pytest.mark.parametrize("game", AT_LEAST)
def test_there_are_cases_to_judge(game: str) -> None:
    assert sum(path.stem.startswith(f"{game}-") for path in CASES) >= AT_LEAST[game]


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_case(path: Path) -> None:
    verdict = judge_case(path.read_bytes(), path.stem).verdict
    assert verdict.difference is None
    assert verdict.passed
    assert verdict.case == path.stem
