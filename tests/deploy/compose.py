"""deploy/compose as Compose itself understands it."""

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any, Final

from tests.deploy.cluster import DEPLOY

FOLDER: Final = DEPLOY / "compose"
COMPOSE: Final = Path(sys.executable).parent / "docker-compose"
SECRETS: Final = "/run/secrets/"


def compose(*words: str, **told: str) -> str:
    """What `docker compose` says with the settings of .env.example, those told, and no others."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("WARAQ_")}
    done = subprocess.run(
        [COMPOSE, "--env-file", ".env.example", "--profile", "*", *words],
        cwd=FOLDER,
        env=kept | told,
        capture_output=True,
        encoding="utf-8",
        timeout=30,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


@cache
def composed() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(compose("config", "--format", "json"))
    return found


def workers() -> dict[str, Any]:
    """The services that run a worker, by its name."""
    services = composed()["services"].items()
    return {name: one for name, one in services if (one["command"] or [""])[0] == "worker"}


def in_folder(environment: dict[str, str], secrets: Path) -> dict[str, str]:
    """The environment, with files of `secrets` in the place of those of a container."""
    return {name: value.replace(SECRETS, f"{secrets}/") for name, value in environment.items()}
