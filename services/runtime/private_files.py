"""Files for their owner only, whatever makes them: a database makes its own, with its journals."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

OTHERS: Final = 0o077
"""What nobody but the owner may do."""


@contextmanager
def private_files() -> Iterator[None]:
    """What this process makes meanwhile nobody else can open, in a folder that others can enter
    too; what is there keeps its mode.
    """
    before = os.umask(OTHERS)
    try:
        yield
    finally:
        os.umask(before)
