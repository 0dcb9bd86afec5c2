"""`waraq bench` with a PostgreSQL of its own beside it: `python -m tests.bench_run WORDS…`.

The server is the one of the tests, which forces nothing to the disk: the page says so. Name your
own with `--postgres URL`, and none is started.
"""

import subprocess
import sys

from tests.postgres import serving

BENCH = (sys.executable, "-m", "services.cli", "bench")


def main(words: list[str]) -> int:
    """The command's exit code."""
    if "--postgres" in words:
        return subprocess.run([*BENCH, *words], check=False).returncode
    with serving() as server:
        found = subprocess.run([*BENCH, "--postgres", server.url(), *words], check=False)
    return found.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
