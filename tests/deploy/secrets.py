"""The secrets of a deployment, made as an operator makes them."""

from pathlib import Path

from click.testing import CliRunner

from services.cli.__main__ import main


def make_secrets(folder: Path, *nodes: str) -> Path:
    """What `waraq secrets` writes; `nodes` as `HOST:PORT`, the command's own if none is named."""
    words = ["secrets", "--out", str(folder)]
    for node in nodes:
        words += ["--node", node]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    return folder
