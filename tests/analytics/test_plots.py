"""docs/examples/analytics_plots.py: it runs on what is exported, and draws what the page shows."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.analytics.lake import export, many, new_log

DOCS: Final = Path(__file__).parents[2] / "docs"
EXAMPLE: Final = DOCS / "examples" / "analytics_plots.py"
LIGHT: Final = 80_000
"""Bytes of a picture that a page may have."""


def run(folder: Path, pictures: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(EXAMPLE), str(folder), str(pictures)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def drawn(folder: Path, pictures: Path) -> str:
    done = run(folder, pictures)
    assert (done.returncode, done.stderr) == (0, "")
    assert (pictures / "analytics.png").read_bytes().startswith(b"\x89PNG")
    return (pictures / "analytics.svg").read_text()


def labels(svg: str) -> set[str]:
    return set(re.findall(r"<text[^>]*>([^<]*)</text>", svg))


def test_it_draws_the_pictures_of_the_page(tmp_path: Path) -> None:
    folder = export(new_log(tmp_path / "data", many()), tmp_path / "tables")
    svg = drawn(folder, tmp_path / "one")
    titles = {"Seconds to a decision", "Hokm: trump", "Hand: turns in a round"}
    kept = (DOCS / "analytics.svg").read_text()
    assert len(kept) < LIGHT
    for one in (svg, kept):
        assert labels(one) >= titles | {"Hand: the turn of an opening", "chrome", "named"}
    assert drawn(folder, tmp_path / "two") == svg


@pytest.mark.parametrize("game", ["hokm", "hand"])
def test_of_one_game_alone_it_draws_what_there_is(tmp_path: Path, game: str) -> None:
    alone = [rows for rows in many() if f'"game":"{game}"' in rows[0].entry.line]
    assert alone
    drawn(export(new_log(tmp_path / "data", alone), tmp_path / "tables"), tmp_path / "pictures")


def test_without_tables_it_says_what_writes_them(tmp_path: Path) -> None:
    done = run(tmp_path / "nope", tmp_path / "pictures")
    assert done.returncode == 3
    assert done.stderr.startswith(f"no tables in {tmp_path / 'nope'}: waraq export")
    assert not (tmp_path / "pictures").exists()


def test_the_command_of_the_page_asks_them(tmp_path: Path) -> None:
    folder = export(new_log(tmp_path / "data", many()), tmp_path / "tables")
    words = re.search(r"python -ic '(.*)'\n>>> (.*)\n", (DOCS / "analytics.md").read_text())
    assert words is not None
    done = subprocess.run(
        [sys.executable, "-ic", words[1]],
        input=words[2] + "\n",
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert "Error" not in done.stderr, done.stderr
    assert "count_star()" in done.stdout
