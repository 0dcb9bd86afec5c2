"""Ids for commands of our own: nobody may guess one, for a player could use it up first."""

import secrets
from collections.abc import Callable
from typing import Final

ID_BYTES: Final = 16

NewId = Callable[[], str]
"""Where a worker gets its ids from; a simulation gives it another source."""


def random_id() -> str:
    return secrets.token_hex(ID_BYTES)
