"""README's session is run as it stands, and its two commands are those that CI calls."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

CHECKOUT = Path(__file__).parents[1]
README = (CHECKOUT / "README.md").read_text()


def session() -> list[tuple[str, list[str]]]:
    """Each command of the session and the lines shown under it."""
    found = re.search(r"```console\n(.*?)```", README, re.DOTALL)
    assert found is not None
    parts = re.split(r"^\$ ", found[1], flags=re.MULTILINE)[1:]
    return [(part.splitlines()[0], part.splitlines()[1:]) for part in parts]


def keys(line: str) -> list[str]:
    """The keys of a JSON line as it is shown, with … where it is cut."""
    shown = line.replace("[…]", "[]").replace("…", "")
    return list(json.loads(shown))


@pytest.mark.slow
def test_the_session_runs_and_prints_what_is_shown(tmp_path: Path) -> None:
    others = {name: value for name, value in os.environ.items() if not name.startswith("WARAQ_")}
    environment = others | {"WARAQ_DATA": str(tmp_path / "data")}
    match = ""
    for command, shown in session():
        kept = str(tmp_path / "kept.jsonl")
        words = command.replace("MATCH", match).replace("kept.jsonl", kept).split()
        assert words[0] == ".venv/bin/waraq"
        done = subprocess.run(
            [sys.executable, "-m", "services.cli", *words[1:]],
            cwd=CHECKOUT,
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, (command, done.stderr)
        printed: list[dict[str, Any]] = [json.loads(line) for line in done.stdout.splitlines()]
        assert [list(line) for line in printed] == [keys(line) for line in shown], command
        match = match or printed[0]["match"]


def test_the_gate_calls_the_test_command_of_the_readme() -> None:
    assert "`make up`" in README
    assert "`make test`" in README
    assert "make test" in (CHECKOUT / ".ci" / "run").read_text().splitlines()


def test_the_map_names_every_folder_and_no_other() -> None:
    found = re.search(r"## The map\n```\n(.*?)```", README, re.DOTALL)
    assert found is not None
    named = set(re.findall(r"^ {0,2}(\w+)/", found[1], re.MULTILINE))
    inner = {path.name for path in (CHECKOUT / "services").iterdir() if path.is_dir()}
    outer = {"schemas", "services", "migrations", "tests", "deploy", "docs"}
    assert named == (inner - {"__pycache__"}) | outer
