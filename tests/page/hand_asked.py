"""Questions to the page's modules of Hand: many in one process of node."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from tests.verifier.node import node

DRIVER: Final = Path(__file__).parent / "hand_asked.mjs"


class Question(Struct, frozen=True, omit_defaults=True):
    """A call of a function of `play/hand`; with `each` one for each of them as last argument."""

    call: str
    args: tuple[Any, ...]
    each: Sequence[Any] | None = None


def answers(questions: Iterable[Question]) -> list[Any]:
    """The values of the calls, in their order; null for nothing."""
    asked = [msgspec.json.encode(one).decode() for one in questions]
    done = node([DRIVER], "\n".join(asked))
    assert done.returncode == 0, done.stderr.decode()
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(found) == len(asked)
    return found
