"""The chain of heads: each line's head seals the whole history before it (docs/fair-deal.md)."""

from hashlib import sha256
from typing import Final

NO_HEAD: Final = "0" * 64
"""The head before a stream's first line."""


def next_head(head: str, line: str) -> str:
    """SHA-256, in hex, of the previous head in hex followed by the line's bytes."""
    return sha256(head.encode() + line.encode()).hexdigest()
