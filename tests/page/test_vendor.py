"""The vendored files are what the pinned packages make, with licences; their README says which."""

import json
import re
from pathlib import Path
from typing import Final

from schemas.cards import HOKM_PACK
from tests.npm_packages import node_modules
from tests.page.vendoring import CARDS, LICENCES, VENDOR, hash_of, made, make

README: Final = (VENDOR / "README.md").read_text()
SVG: Final = 'xmlns="http://www.w3.org/2000/svg"'
FORBIDDEN: Final = re.compile(r'//|www|<(text|a|script|image|foreignObject)\b|href="[^#]|\son\w+=')
"""What leads out of a picture, or runs in it."""


def test_they_are_made_again_byte_for_byte(tmp_path: Path) -> None:
    make(tmp_path)
    for name in made():
        assert hash_of(tmp_path / name) == hash_of(VENDOR / name), name


def test_nothing_else_lies_there_but_what_is_ours() -> None:
    ours = {"README.md", "nats-core.d.ts", "preact-htm.d.ts"}
    assert {path.name for path in VENDOR.iterdir()} == set(made()) | ours


def test_the_card_set_has_every_card() -> None:
    names = {path.name for path in (VENDOR / CARDS).iterdir()}
    assert names == {f"{card}.svg" for card in (*HOKM_PACK, "JK1", "JK2")}


def test_no_card_sends_anybody_anywhere() -> None:
    """The package's own ace of spades has an address on it, and its code as a path of 3 KB."""
    for path in (VENDOR / CARDS).iterdir():
        picture = path.read_text().replace(SVG, "")
        assert not FORBIDDEN.search(picture), path.name
        assert set(re.findall(r'href="#(\w+)"', picture)) <= set(re.findall(r'id="(\w+)"', picture))
    assert (VENDOR / CARDS / "AS.svg").stat().st_size < 1_500


def test_the_readme_has_every_hash() -> None:
    rows = dict(re.findall(r"^\| `([\w.-]+)/?` .* `([0-9a-f]{64})` \|$", README, re.MULTILINE))
    assert rows == {name: hash_of(VENDOR / name) for name in made() if name not in LICENCES}


def test_the_readme_has_every_version() -> None:
    for licence in LICENCES.values():
        package = licence.removesuffix("/LICENSE")
        told = json.loads((node_modules() / package / "package.json").read_text())
        assert re.search(rf"{re.escape(package)} {re.escape(told['version'])}\b", README), package
