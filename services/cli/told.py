"""What each worker of an embedded service is told: its own settings and no other's."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal

from services.cli.door import listen_address, origins, players_url
from services.cli.ops_ports import CHOSEN, SETTING, Worker, told_of
from services.cli.place import Place, login, read_access

NOTHING: Final[Mapping[str, str]] = MappingProxyType({})
HIDDEN: Final = (
    "WARAQ_LOG_URL",
    "WARAQ_STANDINGS_URL",
    "WARAQ_SHUFFLE_KEY_FILE",
    "WARAQ_HEAD_KEY_FILE",
    "WARAQ_TICKET_",
    "WARAQ_WARDEN_",
    "WARAQ_ISSUER_",
    "WARAQ_SESSION_",
    "WARAQ_SITE_",
    "WARAQ_PROFILES_URL",
    "WARAQ_NATS_",
    SETTING,
    CHOSEN,
)
"""What only some workers are told."""


def environment(place: Place, worker: Worker) -> dict[str, str]:
    """A bot is told of no database, and the web worker of no broker's user: it needs none."""
    told = {"WARAQ_LOG_LEVEL": "warning"}
    told |= {name: value for name, value in place.environ.items() if not name.startswith(HIDDEN)}
    told |= told_of(place, worker)
    match worker:
        case "table":
            return told | _entry(place, worker) | _table(place)
        case "scoring":
            urls = {"WARAQ_LOG_URL": place.log_url, "WARAQ_STANDINGS_URL": place.standings_url}
            return told | _entry(place, worker) | urls
        case "auth":
            return told | _entry(place, worker) | _auth(place)
        case "web":
            return told | _web(place)
        case "bot":
            return told | _entry(place, worker)


def _entry(place: Place, role: Literal["table", "bot", "scoring", "auth"]) -> dict[str, str]:
    entry = login(place, role)
    return {
        "WARAQ_NATS_URL": entry.url,
        "WARAQ_NATS_USER": entry.user,
        "WARAQ_NATS_PASSWORD": entry.password,
    }


def _table(place: Place) -> dict[str, str]:
    told = {"WARAQ_LOG_URL": place.log_url, "WARAQ_SHUFFLE_KEY_FILE": str(place.key_file)}
    return told | _warden(place) | _stated(place, "WARAQ_TICKET_")


def _warden(place: Place) -> dict[str, str]:
    """An outside broker's warden is named in our own environment, or there is none."""
    if place.outside_broker is not None:
        return _stated(place, "WARAQ_WARDEN_")
    access = read_access(place)
    return {"WARAQ_WARDEN_PASSWORD": access.warden} if access else {}


def _auth(place: Place) -> dict[str, str]:
    account = _stated(place, "WARAQ_NATS_ACCOUNT")
    return account | _session_keys(place) | {"WARAQ_ISSUER_SEED_FILE": str(place.issuer_file)}


def _web(place: Place) -> dict[str, str]:
    access = read_access(place)
    assert access is not None, "the door was prepared"
    keys = _session_keys(place) | _stated(place, "WARAQ_SITE_")
    keys |= _stated(place, "WARAQ_TICKET_")
    return keys | {
        "WARAQ_PROFILES_URL": place.profiles_url,
        "WARAQ_STANDINGS_URL": place.standings_url,
        "WARAQ_PLAYERS_URL": players_url(place, access),
        "WARAQ_WEB_LISTEN": listen_address(place, access),
        "WARAQ_WEB_ORIGINS": ",".join(origins(place, access)),
    }


def _session_keys(place: Place) -> dict[str, str]:
    stated = _stated(place, "WARAQ_SESSION_")
    return stated | {"WARAQ_SESSION_KEY_FILE": str(place.session_key_file)}


def _stated(place: Place, prefix: str) -> dict[str, str]:
    """What our own environment says, under names that begin so."""
    return {name: value for name, value in place.environ.items() if name.startswith(prefix)}
