"""When a worker has begun, and who is told."""

import os

from services.runtime.health import Health
from services.runtime.shutdown import READY


def test_a_supervisor_is_told_that_it_has_begun_and_not_before() -> None:
    theirs, ours = os.pipe()
    try:
        health = Health(ready=ours)
        os.set_blocking(theirs, False)
        told_before = _told(theirs)
        health.begin()
        assert (told_before, _told(theirs)) == (None, READY)
        assert os.read(theirs, 1) == b"", "nothing more is told: the pipe is closed"
    finally:
        os.close(theirs)


def test_it_begins_though_the_supervisor_is_gone() -> None:
    theirs, ours = os.pipe()
    os.close(theirs)
    health = Health(ready=ours)
    health.begin()
    assert health.missing() == ()


def _told(pipe: int) -> bytes | None:
    """What waits in it, None for nothing."""
    try:
        return os.read(pipe, len(READY))
    except BlockingIOError:
        return None
