"""Makes the page's vendored files from the packages of tests/npm: `make vendor`.

What is bundled is what the entries name; the licences go beside it. The page itself has no build
step: these files are committed, and a test makes them again and compares the bytes.
"""

import shutil
import subprocess
import tempfile
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
LICENCES: Final = {
    "nats-core.LICENSE.txt": "@nats-io/nats-core/LICENSE",
    "nats-nkeys.LICENSE.txt": "@nats-io/nkeys/LICENSE",
    "nats-nuid.LICENSE.txt": "@nats-io/nuid/LICENSE",
    "tweetnacl.LICENSE.txt": "tweetnacl/LICENSE",
    "preact.LICENSE.txt": "preact/LICENSE",
    "htm.LICENSE.txt": "htm/LICENSE",
    "vazirmatn.LICENSE.txt": f"{FONT_PACKAGE}/LICENSE",
}
OPTIONS: Final = (
    "--bundle",
    "--format=esm",
    "--target=es2022",
    "--minify",
    "--legal-comments=none",
    "--log-level=warning",
)
WITHIN: Final = 60
"""Seconds that one bundle may take."""


def make(folder: Path) -> None:
    """All vendored files, written into `folder`."""
    packages = node_modules()
    for name, entry in ENTRIES.items():
        _bundle(entry, folder / name, packages)
    for name, theirs in FONTS.items():
        shutil.copyfile(packages / FONT_PACKAGE / "files" / theirs, folder / name)
    for name, theirs in LICENCES.items():
        shutil.copyfile(packages / theirs, folder / name)


def made() -> tuple[str, ...]:
    """The names of all that `make` writes."""
    return (*ENTRIES, *FONTS, *LICENCES)


def hash_of(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()


def _bundle(entry: str, to: Path, packages: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "node_modules").symlink_to(packages)
        (Path(folder) / "entry.js").write_text(entry)
        program = packages / "esbuild" / "bin" / "esbuild"
        done = subprocess.run(
            [NODE, program, "entry.js", *OPTIONS, f"--outfile={to}"],
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=WITHIN,
            check=False,
        )
    assert done.returncode == 0, done.stderr


if __name__ == "__main__":
    make(VENDOR)
    for each in made():
        print(hash_of(VENDOR / each), each)  # noqa: T201 for the README there
