"""The import contracts bite: each is broken on purpose in a copy and seen to fail."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parents[1]
BREAKS = [
    ("services/rules/seats.py", "import services.table.desk", "Arrows point down"),
    ("services/table/desk.py", "import services.bot.policy", "Arrows point down"),
    ("services/event_log/port.py", "import services.messaging.port", "Arrows point down"),
    ("services/analytics/told.py", "import services.replay.rebuild", "Arrows point down"),
    ("services/newcomer/__init__.py", "", "Arrows point down"),
    ("schemas/cards.py", "import services.rules.tricks", "Schemas know nobody"),
    ("services/bot/policy.py", "import services.event_log.port", "A bot cannot reach"),
    ("services/bot/policy.py", "import sqlite3", "A bot cannot reach"),
    ("services/scoring/records.py", "import services.web.app", "Arrows point down"),
    ("services/web/lists.py", "import services.table.desk", "The web worker reaches"),
    ("services/web/lists.py", "import services.scoring.standings", "The web worker reaches"),
    ("services/rules/tricks.py", "import random", "Rules are pure"),
    ("services/rules/hokm/play.py", "import time", "Rules are pure"),
    ("services/cli/referee.py", "import services.table.desk", "The referee knows"),
]


def lint(checkout: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(Path(sys.executable).parent / "lint-imports"), "--no-cache"],
        cwd=checkout,
        env={"PYTHONPATH": str(checkout), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    unwanted = shutil.ignore_patterns("__pycache__")
    for name in ("schemas", "services", "migrations"):
        shutil.copytree(CHECKOUT / name, tmp_path / name, ignore=unwanted)
    shutil.copy(CHECKOUT / "pyproject.toml", tmp_path)
    return tmp_path


def test_the_contracts_are_kept(copy: Path) -> None:
    done = lint(copy)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(("file", "line", "contract"), BREAKS)
def test_a_broken_contract_is_named(copy: Path, file: str, line: str, contract: str) -> None:
    path = copy / file
    path.parent.mkdir(exist_ok=True)
    path.write_text((path.read_text() if path.exists() else "") + f"\n{line}\n")
    done = lint(copy)
    assert done.returncode == 1, done.stdout
    broken = [said for said in done.stdout.splitlines() if "BROKEN" in said]
    assert any(contract in said for said in broken), done.stdout
