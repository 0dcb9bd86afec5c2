"""The vendored files are what the pinned packages make, with licences; their README says which."""

import json
import re
from pathlib import Path
from typing import Final

from tests.npm_packages import node_modules
from tests.page.vendoring import LICENCES, VENDOR, hash_of, made, make

README: Final = (VENDOR / "README.md").read_text()


def test_they_are_made_again_byte_for_byte(tmp_path: Path) -> None:
    make(tmp_path)
    for name in made():
        assert (tmp_path / name).read_bytes() == (VENDOR / name).read_bytes(), name


def test_nothing_else_lies_there_but_what_is_ours() -> None:
    ours = {"README.md", "nats-core.d.ts", "preact-htm.d.ts"}
    assert {path.name for path in VENDOR.iterdir()} == set(made()) | ours


def test_the_readme_has_every_hash() -> None:
    rows = dict(re.findall(r"^\| `([\w.-]+)` .* `([0-9a-f]{64})` \|$", README, re.MULTILINE))
    assert rows == {name: hash_of(VENDOR / name) for name in made() if name not in LICENCES}


def test_the_readme_has_every_version() -> None:
    for licence in LICENCES.values():
        package = licence.removesuffix("/LICENSE")
        told = json.loads((node_modules() / package / "package.json").read_text())
        assert re.search(rf"{re.escape(package)} {re.escape(told['version'])}\b", README), package
