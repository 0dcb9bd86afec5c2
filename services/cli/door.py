"""Where players come in to an embedded service: the auth and web workers, their keys and ports."""

import os
import socket
from random import SystemRandom
from typing import Final

from msgspec.structs import replace

from services.auth.nkeys import SEED_BYTES, NotASeed, account_key, seed_text
from services.cli.exits import USAGE, stop
from services.cli.place import Access, Place, write_access
from services.messaging.server import LOOPBACK, Door
from services.runtime.key_files import KeyUnusable, create_key, create_key_file, read_key_file

WEB_PORTS: Final = range(20_000, 25_000)
PLAYERS_PORTS: Final = range(25_000, 30_000)
"""Below those that systems give to outgoing connections: one of these would take the port between
our look and the worker's listening.
"""
TRIES: Final = 50


def has_door(place: Place) -> bool:
    """An outside broker has one if we are told whose word it takes, and where players connect."""
    named = {"WARAQ_ISSUER_SEED_FILE", "WARAQ_PLAYERS_URL"} <= set(place.environ)
    return place.outside_broker is None or named


def prepare_door(place: Place, access: Access) -> Access:
    """Make what is missing: keys, and ports for the web worker and players' websockets."""
    if "WARAQ_SESSION_KEY_FILE" not in place.environ:
        create_key(place.session_key_file)
    if "WARAQ_ISSUER_SEED_FILE" not in place.environ:
        create_key_file(place.issuer_file, seed_text(os.urandom(SEED_BYTES)).encode("ascii"))
    access = replace(
        access,
        web_port=_free_port(access.web_port, WEB_PORTS),
        players_port=_free_port(access.players_port, PLAYERS_PORTS),
    )
    write_access(place, access)
    return access


def broker_door(place: Place, access: Access) -> Door:
    """How the embedded broker lets players in; stops the command if the seed cannot be read."""
    try:
        seed = read_key_file(place.issuer_file, "issuer's seed").decode("ascii", "replace")
        issuer = account_key(seed)
    except (KeyUnusable, NotASeed) as error:
        stop(USAGE, f"{place.issuer_file}: {error}")
    port = access.players_port
    assert port is not None, "the door was prepared"
    return Door(issuer=issuer.public, origins=origins(place, access), port=port)


def listen_address(place: Place, access: Access) -> str:
    return place.environ.get("WARAQ_WEB_LISTEN") or f"{LOOPBACK}:{access.web_port}"


def web_url(place: Place, access: Access) -> str:
    return f"http://{listen_address(place, access)}"


def players_url(place: Place, access: Access) -> str:
    """Where players' websockets go."""
    return place.environ.get("WARAQ_PLAYERS_URL") or f"ws://{LOOPBACK}:{access.players_port}"


def origins(place: Place, access: Access) -> tuple[str, ...]:
    """Our own page, by both names of this machine, and what we are told."""
    port = listen_address(place, access).rpartition(":")[2]
    ours = (f"http://{LOOPBACK}:{port}", f"http://localhost:{port}")
    told = place.environ.get("WARAQ_WEB_ORIGINS", "").split(",")
    return ours + tuple(one.strip() for one in told if one.strip())


def _free_port(before: int | None, among: range) -> int:
    """The port it was before, if nobody has it now; else one that nobody has; raises `OSError`."""
    candidates = [] if before is None else [before]
    candidates += SystemRandom().sample(among, TRIES)
    for port in candidates:
        if is_free(port):
            return port
    raise OSError(f"no free port among {TRIES} from {among.start} to {among.stop - 1}")


def is_free(port: int) -> bool:
    """Nobody has that port of loopback now."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, port))
        except OSError:
            return False
        return True
