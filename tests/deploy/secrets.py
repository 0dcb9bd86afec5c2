"""The secrets of a deployment, made as an operator makes them."""

from pathlib import Path

from click.testing import CliRunner

from services.cli.__main__ import main


def make_secrets(folder: Path, *nodes: str, postgres: str | None = None) -> Path:
    """What `waraq secrets` writes; `nodes` and `postgres` as `HOST:PORT`, the command's own if
    they are not named.
    """
    words = ["secrets", "--out", str(folder)]
    for node in nodes:
        words += ["--node", node]
    if postgres is not None:
        words += ["--postgres", postgres]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    return folder
