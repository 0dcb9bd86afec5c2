"""Makes the page's vendored files from the packages of tests/npm: `make vendor`.

What is bundled is what the entries name; the licences go beside it. The page itself has no build
step: these files are committed, and a test makes them again and compares the bytes.
"""

import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final

from tests.npm_packages import CHECKOUT, NODE, node_modules

VENDOR: Final = CHECKOUT / "services" / "web" / "static" / "vendor"
ENTRIES: Final = {
    "nats-core.js": 'export { wsconnect } from "@nats-io/nats-core";\n',
    "preact-htm.js": (
        'import { h } from "preact";\nimport htm from "htm";\n'
        'export { render } from "preact";\n'
        'export { useEffect, useRef, useState } from "preact/hooks";\n'
        "export const html = htm.bind(h);\n"
    ),
}
"""What the page imports, by file."""
FONTS: Final = {
    "vazirmatn-arabic.woff2": "vazirmatn-arabic-wght-normal.woff2",
    "vazirmatn-latin.woff2": "vazirmatn-latin-wght-normal.woff2",
}
FONT_PACKAGE: Final = "@fontsource-variable/vazirmatn"
CARDS: Final = "cards"
"""The folder of the classic card set: a picture for each card and joker."""
CARD_PACKAGE: Final = "@letele/playing-cards"
CARD_PROGRAM: Final = Path(__file__).parent / "card_set.mjs"
LICENCES: Final = {
    "nats-core.LICENSE.txt": "@nats-io/nats-core/LICENSE",
    "nats-nuid.LICENSE.txt": "@nats-io/nuid/LICENSE",
    "preact.LICENSE.txt": "preact/LICENSE",
    "htm.LICENSE.txt": "htm/LICENSE",
    "vazirmatn.LICENSE.txt": f"{FONT_PACKAGE}/LICENSE",
    "cards.LICENSE.txt": f"{CARD_PACKAGE}/LICENSE",
}
OPTIONS: Final = (
    "--bundle",
    "--format=esm",
    "--target=es2022",
    "--minify",
    "--legal-comments=none",
    "--log-level=warning",
    "--alias:@nats-io/nkeys=./nothing.js",
)
"""The page comes in by a token: key pairs, a third of the bundle, are left out."""
WITHIN: Final = 60
"""Seconds that one bundle, or the card set, may take."""


def make(folder: Path) -> None:
    """All vendored files, written into `folder`."""
    packages = node_modules()
    for name, entry in ENTRIES.items():
        _bundle(entry, folder / name, packages, *OPTIONS)
    _print_cards(folder / CARDS, packages)
    for name, theirs in FONTS.items():
        shutil.copyfile(packages / FONT_PACKAGE / "files" / theirs, folder / name)
    for name, theirs in LICENCES.items():
        shutil.copyfile(packages / theirs, folder / name)


def made() -> tuple[str, ...]:
    """The names of all that `make` writes, the card set as one."""
    return (*ENTRIES, *FONTS, CARDS, *LICENCES)


def hash_of(path: Path) -> str:
    """Of a file; of a folder that of its files' hashes, in the order of their names."""
    if path.is_dir():
        lines = (f"{hash_of(each)} {each.name}\n" for each in sorted(path.iterdir()))
        return sha256("".join(lines).encode()).hexdigest()
    return sha256(path.read_bytes()).hexdigest()


def _print_cards(to: Path, packages: Path) -> None:
    to.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "card_set.mjs"
        options = ("--bundle", "--format=esm", "--platform=node", "--alias:react=preact")
        _bundle(CARD_PROGRAM.read_text(), program, packages, *options)
        _run([NODE, program, to], folder)


def _bundle(entry: str, to: Path, packages: Path, *options: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "node_modules").symlink_to(packages)
        (Path(folder) / "entry.js").write_text(entry)
        (Path(folder) / "nothing.js").write_text("module.exports = {};\n")
        program = packages / "esbuild" / "bin" / "esbuild"
        _run([NODE, program, "entry.js", *options, f"--outfile={to}"], folder)


def _run(words: Sequence[str | Path], folder: str) -> None:
    done = subprocess.run(
        words, cwd=folder, capture_output=True, text=True, timeout=WITHIN, check=False
    )
    assert done.returncode == 0, done.stderr


if __name__ == "__main__":
    make(VENDOR)
    for each in made():
        print(hash_of(VENDOR / each), each)  # noqa: T201 for the README there
