"""What is written survives a power cut."""

import os
from pathlib import Path


def sync(path: Path) -> None:
    """A file's bytes, or the names in a folder, are on the disk; raises OSError."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
