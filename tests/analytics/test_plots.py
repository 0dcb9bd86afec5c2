"""docs/examples/analytics_plots.py: it runs on what is exported, and draws what the page shows."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Final

from tests.analytics.lake import export, many, new_log

DOCS: Final = Path(__file__).parents[2] / "docs"
EXAMPLE: Final = DOCS / "examples" / "analytics_plots.py"
LIGHT: Final = 80_000
"""Bytes of a picture that a page may have."""


def drawn(folder: Path, pictures: Path) -> str:
    done = subprocess.run(
        [sys.executable, str(EXAMPLE), str(folder), str(pictures)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
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
