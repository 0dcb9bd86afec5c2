"""deploy/nats: one truth with the embedded broker, and what the server itself says of it."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner

from services.cli.__main__ import main
from services.messaging import outside, server
from services.messaging.permissions import ROLES, WARDEN, Permissions, warden
from services.messaging.server import broker_program
from tests.deploy.cluster import DEPLOY, lay_out, node_environment
from tests.deploy.secrets import make_secrets

NATS: Final = DEPLOY / "nats"


def checked(config: Path) -> subprocess.CompletedProcess[str]:
    """What nats-server says of a configuration."""
    return subprocess.run(
        [broker_program(), "-t", "-c", config],
        env=node_environment("nats-0"),
        capture_output=True,
        encoding="utf-8",
        timeout=20,
        check=False,
    )


def test_the_committed_file_is_what_the_command_prints() -> None:
    printed = CliRunner().invoke(main, ["broker-config"])
    assert printed.exit_code == 0
    assert (NATS / "waraq.conf").read_text() == printed.stdout, "make broker-config"


def test_nats_server_takes_the_files(tmp_path: Path) -> None:
    done = checked(lay_out(tmp_path / "node", make_secrets(tmp_path / "secrets")))
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("missing", ["secrets.conf", "routes.conf", "waraq.conf"])
def test_a_broker_without_one_of_its_files_does_not_start(tmp_path: Path, missing: str) -> None:
    config = lay_out(tmp_path / "node", make_secrets(tmp_path / "secrets"))
    (config.parent / missing).unlink()
    done = checked(config)
    assert done.returncode != 0
    assert missing in done.stderr


@pytest.mark.parametrize("user", [*ROLES, WARDEN])
def test_a_broker_without_a_users_password_does_not_start(tmp_path: Path, user: str) -> None:
    """It never falls back to an empty one."""
    config = lay_out(tmp_path / "node", make_secrets(tmp_path / "secrets"))
    secrets = config.parent / "secrets.conf"
    name = outside.password_variable(user)
    kept = [line for line in secrets.read_text().splitlines() if not line.startswith(name)]
    secrets.write_text("\n".join(kept))
    done = checked(config)
    assert done.returncode != 0
    assert name in done.stderr


def test_the_file_holds_no_secret(tmp_path: Path) -> None:
    passwords = re.findall(r'"password": (\S+?),?\n', (NATS / "waraq.conf").read_text())
    assert sorted(passwords) == sorted(f"${user.upper()}_PASSWORD" for user in [*ROLES, WARDEN])
    folder = make_secrets(tmp_path / "secrets")
    for file in folder.glob("*.password"):
        assert file.read_text() not in (NATS / "waraq.conf").read_text()


def test_every_user_may_what_permissions_say_and_nothing_else() -> None:
    """Read from the committed text itself, not from the code that writes it."""
    found = {user["user"]: user for account in accounts().values() for user in account["users"]}
    assert set(found) == {*ROLES, WARDEN}
    assert permissions_of(found[WARDEN]) == warden()
    for name, may in ROLES.items():
        assert permissions_of(found[name]) == may, name


def test_accounts_are_apart_as_in_the_embedded_broker() -> None:
    users = {name: [user["user"] for user in found["users"]] for name, found in accounts().items()}
    workers = [role for role in ROLES if role != "auth"]
    assert users == {server.ACCOUNT: workers, server.DOOR: ["auth"], server.SYSTEM: [WARDEN]}
    assert [name for name, found in accounts().items() if "jetstream" in found] == [server.ACCOUNT]


def accounts() -> dict[str, Any]:
    """The block `accounts` of the committed file; its variables are no JSON."""
    return dict(block("accounts"))


def block(name: str) -> Any:
    text = (NATS / "waraq.conf").read_text()
    found = re.search(rf"^{name}: (.*?)(?=^\w+: |\Z)", text, re.DOTALL | re.MULTILINE)
    assert found is not None, name
    return json.loads(re.sub(r"(?<=: )\$([A-Z_]+)(?=[,\n])", r'"$\1"', found[1]))


def permissions_of(user: dict[str, Any]) -> Permissions:
    said = user["permissions"]
    return Permissions(
        publish=tuple(said["publish"]["allow"]),
        publish_deny=tuple(said["publish"].get("deny", ())),
        subscribe=tuple(said["subscribe"]["allow"]),
    )


def test_everybody_who_is_no_static_user_is_asked_about() -> None:
    door = block("authorization")["auth_callout"]
    assert door["account"] == server.DOOR
    assert sorted(door["auth_users"]) == sorted([*ROLES, WARDEN])
    assert door["issuer"] == "$ISSUER"
