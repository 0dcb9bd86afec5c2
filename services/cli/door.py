"""Where players come in to an embedded service: the auth and web workers, their keys and ports."""

import os
import socket
from typing import Final, Literal

from msgspec.structs import replace

from services.auth.nkeys import SEED_BYTES, NotASeed, account_key, seed_text
from services.cli.exits import USAGE, stop
from services.cli.place import Access, Place, write_access
from services.messaging.server import ANY_PORT, LOOPBACK, Door
from services.runtime.key_files import KeyUnusable, create_key, create_key_file, read_key_file

DOOR_WORKERS: Final[tuple[Literal["auth", "web"], ...]] = ("auth", "web")


def has_door(place: Place) -> bool:
    """An outside broker has one if we are told whose word it takes, and where players connect."""
    named = {"WARAQ_ISSUER_SEED_FILE", "WARAQ_PLAYERS_URL"} <= set(place.environ)
    return place.outside_broker is None or named


def prepare_door(place: Place, access: Access) -> Access:
    """Make what is missing: keys, and a port for the web worker."""
    if "WARAQ_SESSION_KEY_FILE" not in place.environ:
        create_key(place.session_key_file)
    if "WARAQ_ISSUER_SEED_FILE" not in place.environ:
        create_key_file(place.issuer_file, seed_text(os.urandom(SEED_BYTES)).encode("ascii"))
    if not _free(access.web_port):
        access = replace(access, web_port=_free_port())
    write_access(place, access)
    return access


def broker_door(place: Place, access: Access) -> Door:
    """How the embedded broker lets players in; stops the command if the seed cannot be read."""
    try:
        seed = read_key_file(place.issuer_file, "issuer's seed").decode("ascii", "replace")
        issuer = account_key(seed)
    except (KeyUnusable, NotASeed) as error:
        stop(USAGE, f"{place.issuer_file}: {error}")
    port = access.players_port or ANY_PORT
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


def _free(port: int | None) -> bool:
    """Can somebody listen there now?"""
    if port is None:
        return False
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, port))
        except OSError:
            return False
    return True


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        port: int = probe.getsockname()[1]
        return port
