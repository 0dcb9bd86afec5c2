"""Where the workers of an embedded service answer operators' tools: a port of each, in a row."""

from collections.abc import Mapping
from random import SystemRandom
from typing import Final, Literal

from msgspec.structs import replace

from services.cli.door import TRIES, is_free
from services.cli.place import Access, Place, read_access, write_access
from services.messaging.server import LOOPBACK

Worker = Literal["table", "bot", "scoring", "auth", "web"]

SETTING: Final = "WARAQ_OPS_LISTEN"
CHOSEN: Final = "WARAQ_OPS_CHOSEN"
ORDER: Final[tuple[Worker, ...]] = ("table", "bot", "scoring", "auth", "web")
"""Who listens on the port that is named, and on those after it."""
PORTS: Final = range(10_000, 20_000, len(ORDER))
"""First ports of a row: below those of the door and of outgoing connections."""


def prepare_ops(place: Place, access: Access) -> Access:
    """Find a row of free ports, the one it had before if it is free; none is needed where the
    environment names one. Raises `OSError` where there is none.
    """
    if place.environ.get(SETTING):
        return access
    access = replace(access, ops_port=_free_row(access.ops_port))
    write_access(place, access)
    return access


def ops_address(place: Place, worker: Worker) -> str | None:
    """`HOST:PORT` of that worker, None where it has none. What the environment names otherwise is
    given as it is: the worker refuses it by its own words.
    """
    named = place.environ.get(SETTING)
    if named:
        host, colon, port = named.rpartition(":")
        if not colon or not port.isdecimal():
            return named
        return f"{host}:{int(port) + ORDER.index(worker)}"
    access = read_access(place)
    if access is None or access.ops_port is None:
        return None
    return f"{LOOPBACK}:{access.ops_port + ORDER.index(worker)}"


def told_of(place: Place, worker: Worker) -> Mapping[str, str]:
    """The settings of that worker: a place that nobody named it may do without."""
    address = ops_address(place, worker)
    if address is None:
        return {}
    return {SETTING: address} if place.environ.get(SETTING) else {SETTING: address, CHOSEN: "1"}


def _free_row(before: int | None) -> int:
    candidates = [] if before is None else [before]
    candidates += SystemRandom().sample(PORTS, TRIES)
    for first in candidates:
        if all(is_free(first + more) for more in range(len(ORDER))):
            return first
    raise OSError(f"no {len(ORDER)} free ports in a row among {TRIES} places from {PORTS.start}")
