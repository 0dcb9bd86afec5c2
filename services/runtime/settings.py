"""Settings: from the environment, read once, in a worker's `__main__` and nowhere else."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Literal

from msgspec import Struct

from services.runtime.signing_keys import KeyFiles

BOT_POLICY: Final = "levels@1"
"""The bots' policy that this build ships; `match_opened` names it."""

WEB_LISTEN: Final = "127.0.0.1:8080"
"""Where the web worker takes connections if nothing is said."""
OPS_EXAMPLE: Final = "127.0.0.1:9100"
"""How a place for operators' tools is said; nothing listens for them if nothing is said."""
LAST_PORT: Final = 65_535
MOST_PROCESSES: Final = 64
"""The most processes in which one bot worker searches."""

URLS: Final = ("WARAQ_LOG_URL", "WARAQ_STANDINGS_URL", "WARAQ_PROFILES_URL")
"""Databases: each may be in the file that `<name>_FILE` names."""

REPLICAS: Final = ("1", "3", "5")
"""On how many nodes of a broker's cluster a stream may be stored."""


class SettingMissing(Exception):
    """A setting is missing, unreadable or said twice; the message names it."""


class Login(Struct, frozen=True):
    """How a worker reaches the broker."""

    url: str
    user: str
    password: str


class Listen(Struct, frozen=True):
    """Where a worker takes connections."""

    host: str
    port: int


class OpsListen(Struct, frozen=True):
    """Where operators' tools are answered. `chosen`: a supervisor found that place by itself, so
    that a worker goes on without it where it is taken.
    """

    host: str
    port: int
    chosen: bool = False


class TableSettings(Struct, frozen=True):
    """`warden`: how the table reaches the broker's system account, None if it may not. `draining`:
    it opens no match. `ticket_keys`: None asks for no ticket.
    """

    login: Login
    warden: Login | None
    log_url: str
    key_file: Path
    ticket_keys: KeyFiles | None
    policy: str
    ready: int | None
    ops: OpsListen | None
    draining: bool
    replicas: int
    pace: float | None
    """Seconds before a bot is asked where people sit; None: the table's own."""


class BotSettings(Struct, frozen=True):
    """No database: a bot knows a seat's view and nothing else. `processes`: how many search at
    once, `MOST_PROCESSES` at most; None: one for each processor.
    """

    login: Login
    processes: int | None
    ready: int | None
    ops: OpsListen | None


class ScoringSettings(Struct, frozen=True):
    login: Login
    log_url: str
    standings_url: str
    ready: int | None
    ops: OpsListen | None


class AuthSettings(Struct, frozen=True):
    """`issuer_file` holds the account seed that the broker takes the word of; `account`: where in
    the broker players are.
    """

    login: Login
    issuer_file: Path
    session_keys: KeyFiles
    account: str
    ready: int | None
    ops: OpsListen | None


class WebSettings(Struct, frozen=True):
    """`site_keys` are shared with the deployment's website, None if it has none. `ticket_keys`:
    those that the tables check with; None gives no tickets. `nats` is where players
    connect; `origins` are the pages that may use this; `behind_proxy`: a proxy says who asks.
    """

    listen: Listen
    session_keys: KeyFiles
    site_keys: KeyFiles | None
    profiles_url: str
    standings_url: str
    ticket_keys: KeyFiles | None
    nats: str
    origins: tuple[str, ...]
    behind_proxy: bool
    daily: int | None
    """Free matches of a player's day; None: scoring's own number."""
    ready: int | None
    ops: OpsListen | None


Environ = Mapping[str, str]


def table_settings(environ: Environ) -> TableSettings:
    return TableSettings(
        login=_login(environ, "table"),
        warden=_warden(environ),
        log_url=_needed(environ, "WARAQ_LOG_URL", "the event log"),
        key_file=Path(_needed(environ, "WARAQ_SHUFFLE_KEY_FILE", "the master key of the shuffle")),
        ticket_keys=_keys(environ, "TICKET"),
        policy=_policy(environ),
        ready=_ready(environ),
        ops=_ops(environ),
        draining=environ.get("WARAQ_DRAINING", "") == "1",
        replicas=_replicas(environ),
        pace=_pace(environ),
    )


def bot_settings(environ: Environ) -> BotSettings:
    return BotSettings(
        login=_login(environ, "bot"),
        processes=_processes(environ),
        ready=_ready(environ),
        ops=_ops(environ),
    )


def scoring_settings(environ: Environ) -> ScoringSettings:
    return ScoringSettings(
        login=_login(environ, "scoring"),
        log_url=_needed(environ, "WARAQ_LOG_URL", "the event log"),
        standings_url=_needed(environ, "WARAQ_STANDINGS_URL", "the standings"),
        ready=_ready(environ),
        ops=_ops(environ),
    )


def auth_settings(environ: Environ) -> AuthSettings:
    return AuthSettings(
        login=_login(environ, "auth"),
        issuer_file=Path(_needed(environ, "WARAQ_ISSUER_SEED_FILE", "the broker's account seed")),
        session_keys=_session_keys(environ),
        account=environ.get("WARAQ_NATS_ACCOUNT", "WARAQ"),
        ready=_ready(environ),
        ops=_ops(environ),
    )


def web_settings(environ: Environ) -> WebSettings:
    return WebSettings(
        listen=_place("WARAQ_WEB_LISTEN", environ.get("WARAQ_WEB_LISTEN", WEB_LISTEN), WEB_LISTEN),
        session_keys=_session_keys(environ),
        site_keys=_keys(environ, "SITE"),
        profiles_url=_needed(environ, "WARAQ_PROFILES_URL", "the database of display names"),
        standings_url=_needed(environ, "WARAQ_STANDINGS_URL", "the standings"),
        ticket_keys=_keys(environ, "TICKET"),
        nats=_needed(environ, "WARAQ_PLAYERS_URL", "the broker's websocket, for players"),
        origins=_origins(environ),
        behind_proxy=environ.get("WARAQ_WEB_BEHIND_PROXY", "") == "1",
        daily=_daily(environ),
        ready=_ready(environ),
        ops=_ops(environ),
    )


def _ops(environ: Environ) -> OpsListen | None:
    value = environ.get("WARAQ_OPS_LISTEN")
    if not value:
        return None
    place = _place("WARAQ_OPS_LISTEN", value, OPS_EXAMPLE)
    return OpsListen(place.host, place.port, environ.get("WARAQ_OPS_CHOSEN", "") == "1")


def _place(name: str, value: str, example: str) -> Listen:
    host, _, port = value.rpartition(":")
    if not host or not re.fullmatch(r"[0-9]{1,5}", port) or not 0 < int(port) <= LAST_PORT:
        raise SettingMissing(f"{name} is {value!r}: it is HOST:PORT, as {example}")
    return Listen(host.strip("[]"), int(port))


def _origins(environ: Environ) -> tuple[str, ...]:
    """As browsers say them: a wrong one would let nobody in, and nobody would know why."""
    named = [one.strip() for one in environ.get("WARAQ_WEB_ORIGINS", "").split(",")]
    origins = tuple(one for one in named if one)
    for one in origins:
        if not re.fullmatch(r"https?://[a-z0-9.\[\]:-]{1,255}", one):
            raise SettingMissing(
                f"WARAQ_WEB_ORIGINS has {one!r}: an origin is like https://cards.example"
            )
    return origins


def _session_keys(environ: Environ) -> KeyFiles:
    new = _needed(environ, "WARAQ_SESSION_KEY_FILE", "the key that sessions are signed with")
    return KeyFiles(Path(new), _path(environ, "WARAQ_SESSION_OLD_KEY_FILE"))


def _keys(environ: Environ, purpose: Literal["SITE", "TICKET"]) -> KeyFiles | None:
    new = _path(environ, f"WARAQ_{purpose}_KEY_FILE")
    return KeyFiles(new, _path(environ, f"WARAQ_{purpose}_OLD_KEY_FILE")) if new else None


def _path(environ: Environ, name: str) -> Path | None:
    return Path(environ[name]) if environ.get(name) else None


def _warden(environ: Environ) -> Login | None:
    password = secret(environ, "WARAQ_WARDEN_PASSWORD")
    if not password:
        return None
    url = _needed(environ, "WARAQ_NATS_URL", "the broker")
    return Login(url=url, user=environ.get("WARAQ_WARDEN_USER", "warden"), password=password)


def _pace(environ: Environ) -> float | None:
    form, what = r"[0-9]{1,2}(\.[0-9]{1,3})?", "seconds, such as 0.8, under 100"
    value = _formed(environ, "WARAQ_PACE", form, what)
    return float(value) if value else None


def _processes(environ: Environ) -> int | None:
    form = "|".join(map(str, range(1, MOST_PROCESSES + 1)))
    what = f"a number from 1 to {MOST_PROCESSES}"
    value = _formed(environ, "WARAQ_BOT_PROCESSES", form, what)
    return int(value) if value else None


def _daily(environ: Environ) -> int | None:
    value = _formed(environ, "WARAQ_DAILY_MATCHES", r"[0-9]{1,3}", "a number under 1,000")
    return int(value) if value else None


def _formed(environ: Environ, name: str, form: str, what: str) -> str | None:
    """What the setting says, None for nothing; raises where it has not the form."""
    value = environ.get(name)
    if value and not re.fullmatch(form, value):
        raise SettingMissing(f"{name} is {value!r}: it is {what}")
    return value or None


def _policy(environ: Environ) -> str:
    """It stands in every match's first line, so it has the form of a ruleset's name."""
    value = environ.get("WARAQ_BOT_POLICY", BOT_POLICY)
    if not re.fullmatch(r"[a-z0-9._-]{1,32}@[0-9]{1,9}", value):
        raise SettingMissing(f"WARAQ_BOT_POLICY is {value!r}: it is a name like {BOT_POLICY}")
    return value


def _replicas(environ: Environ) -> int:
    """An even number of copies would survive no more than the odd one below it."""
    value = environ.get("WARAQ_STREAM_REPLICAS", "1")
    if value not in REPLICAS:
        raise SettingMissing(f"WARAQ_STREAM_REPLICAS is {value!r}: it is 1, 3 or 5")
    return int(value)


def _login(environ: Environ, user: str) -> Login:
    return Login(
        url=_needed(environ, "WARAQ_NATS_URL", "the broker"),
        user=environ.get("WARAQ_NATS_USER", user),
        password=secret(environ, "WARAQ_NATS_PASSWORD"),
    )


def with_urls(environ: Environ) -> dict[str, str]:
    """The environment with each of `URLS` itself where a file holds it, since it has a password in
    it, and that file's name no more; raises `SettingMissing`.
    """
    said = {name: value for name in URLS if (value := secret(environ, name))}
    files = {f"{name}_FILE" for name in said}
    return {name: value for name, value in environ.items() if name not in files} | said


def _needed(environ: Environ, name: str, what: str) -> str:
    value = secret(environ, name)
    if not value:
        raise SettingMissing(f"{name} is not set: it names {what}")
    return value


def secret(environ: Environ, name: str) -> str:
    """The value of `name`, or the contents of the file that `<name>_FILE` names, empty for neither.

    Raises `SettingMissing` for a file that cannot be read, and for both: whichever we took,
    somebody would believe that it is the other one.
    """
    file, value = environ.get(f"{name}_FILE"), environ.get(name, "")
    if not file:
        return value
    if value:
        raise SettingMissing(f"{name} and {name}_FILE are both set: take one of them away")
    try:
        return Path(file).read_text().strip()
    except OSError as error:
        raise SettingMissing(f"{name}_FILE cannot be read: {file}: {error.strerror}") from error


def _ready(environ: Environ) -> int | None:
    """The descriptor of the supervisor's pipe, if there is a supervisor."""
    value = environ.get("WARAQ_READY_FD", "")
    return int(value) if value.isdecimal() else None
