"""`waraq secrets`: everything a deployment keeps from others, made once, each in its own file."""

import stat
from base64 import b64decode
from hashlib import pbkdf2_hmac
from pathlib import Path

from click.testing import CliRunner
from sqlalchemy import make_url

from services.auth.nkeys import account_key
from services.cli.__main__ import main
from services.cli.scram import verifier
from services.cli.secret_files import DATABASE_ROLES, ISSUER, KEYS, SUPERUSER
from services.messaging.permissions import ROLES, WARDEN
from services.runtime.key_files import read_key_file
from services.runtime.settings import auth_settings
from tests.deploy.secrets import make_secrets


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def test_every_file_is_for_its_owners_eyes_only(tmp_path: Path) -> None:
    folder = make_secrets(tmp_path / "new" / "secrets")
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    for file in folder.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o600, file.name


def test_workers_can_read_what_is_made(tmp_path: Path) -> None:
    folder = make_secrets(tmp_path)
    keys = [read_key_file(folder / name, name) for name in KEYS]
    assert len(set(keys)) == len(KEYS)
    account_key((folder / ISSUER).read_text())
    told = auth_settings(
        {
            "WARAQ_NATS_URL": "nats://nats-0:4222",
            "WARAQ_NATS_PASSWORD_FILE": str(folder / "nats-auth.password"),
            "WARAQ_ISSUER_SEED_FILE": str(folder / ISSUER),
            "WARAQ_SESSION_KEY_FILE": str(folder / "session.key"),
        }
    )
    assert told.login.password == (folder / "nats-auth.password").read_text()


def test_no_two_passwords_are_the_same_and_none_needs_quotes_anywhere(tmp_path: Path) -> None:
    passwords = [file.read_text() for file in make_secrets(tmp_path).glob("*.password")]
    assert len(passwords) == len(set(passwords)) == len({*ROLES, WARDEN}) + 1 + len(DATABASE_ROLES)
    for password in passwords:
        assert password.isalnum()
        assert password[0].isalpha()  # nats-server takes what begins with a digit for a number


def test_what_is_there_is_kept_and_only_what_is_missing_made(tmp_path: Path) -> None:
    before = contents(make_secrets(tmp_path))
    (tmp_path / "nats-bot.password").unlink()
    after = contents(make_secrets(tmp_path))
    assert after["nats-bot.password"] != before["nats-bot.password"]
    assert after["nats-bot.password"] in after["secrets.conf"]
    changed = {name for name in before if before[name] != after[name]}
    assert changed == {"nats-bot.password", "secrets.conf", "passwords.sql"}  # salts are new


def test_it_says_of_each_secret_whether_it_is_new_and_nothing_of_what_it_is(tmp_path: Path) -> None:
    first, again = (
        CliRunner().invoke(main, ["secrets", "--out", str(tmp_path), "--json"]) for _ in range(2)
    )
    assert first.stdout.count('"new":true') == again.stdout.count('"new":false') > 0
    for name, data in contents(tmp_path).items():
        if name not in KEYS:
            assert data.decode() not in first.stdout


def test_a_seed_that_is_none_is_said(tmp_path: Path) -> None:
    (tmp_path / ISSUER).write_text("SA")
    done = CliRunner().invoke(main, ["secrets", "--out", str(tmp_path)])
    assert done.exit_code == 2
    assert ISSUER in done.output


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = CliRunner().invoke(main, ["secrets", "--out", str(tmp_path / "file" / "deeper")])
    assert done.exit_code == 1
    assert "--out" in done.output


def test_routes_name_each_node_with_the_routes_password(tmp_path: Path) -> None:
    folder = make_secrets(tmp_path, "a.example:1", "b.example:2")
    password = (folder / "nats-routes.password").read_text()
    text = (folder / "routes.conf").read_text()
    for host in ("a.example:1", "b.example:2"):
        assert f'"nats://route:{password}@{host}"' in text


def test_the_database_is_told_no_password(tmp_path: Path) -> None:
    folder = make_secrets(tmp_path)
    said = (folder / "passwords.sql").read_text()
    for name in set(DATABASE_ROLES) - {SUPERUSER}:
        assert f"alter role waraq_{name} password 'SCRAM-SHA-256$4096:" in said
    for file in folder.glob("*.password"):
        assert file.read_text() not in said


def test_a_url_is_its_workers_own_and_checks_the_servers_certificate_where_one_is_named(
    tmp_path: Path,
) -> None:
    words = ("--postgres", "db.example:5433", "--postgres-ca", "/run/secrets/ca.crt")
    done = CliRunner().invoke(main, ["secrets", "--out", str(tmp_path), *words])
    assert done.exit_code == 0
    url = make_url((tmp_path / "log-table.url").read_text())
    assert (url.username, url.host, url.port) == ("waraq_table", "db.example", 5433)
    assert url.database == "waraq_log"
    assert url.password == (tmp_path / "postgres-table.password").read_text()
    assert url.query == {"sslmode": "verify-full", "sslrootcert": "/run/secrets/ca.crt"}
    assert {file.name for file in tmp_path.glob("*-web.url")} == {
        "standings-web.url",
        "profiles-web.url",
    }


def test_the_verifier_is_that_of_the_standards_example() -> None:
    """RFC 7677, section 3: password `pencil`, its salt; all of it is seen where
    PostgreSQL takes such passwords (test_roles.py).
    """
    salt = b64decode("W22ZaJ0SNY7soEsUEjb6gQ==")
    head, keys = verifier("pencil", salt).split("$", 1)
    assert head == "SCRAM-SHA-256"
    assert keys.startswith(
        "4096:W22ZaJ0SNY7soEsUEjb6gQ==$WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=:"
    )
    assert pbkdf2_hmac("sha256", b"pencil", salt, 4096).hex().startswith("c4a49510")
