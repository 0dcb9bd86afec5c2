"""The machine we are on: its disk, and what its environment says to the service."""

import shutil
from collections.abc import Iterator
from difflib import get_close_matches
from typing import Final

from services.cli.doctor.finding import Finding, see
from services.cli.place import Place

DISK_USED: Final = (0.90, 0.97)
"""The part of the data folder's disk that is used: a warning, bad."""
DISK_FREE: Final = (1 << 30, 256 << 20)
"""Bytes that are free: a warning below the first, bad below the second."""
NAMES: Final = frozenset(
    {
        "WARAQ_BOT_POLICY",
        "WARAQ_BOT_PROCESSES",
        "WARAQ_DAILY_MATCHES",
        "WARAQ_DATA",
        "WARAQ_DRAINING",
        "WARAQ_HEAD_KEY_FILE",
        "WARAQ_ISSUER_SEED_FILE",
        "WARAQ_LOG_LEVEL",
        "WARAQ_LOG_URL",
        "WARAQ_LOG_URL_FILE",
        "WARAQ_NATS_ACCOUNT",
        "WARAQ_NATS_PASSWORD",
        "WARAQ_NATS_PASSWORD_FILE",
        "WARAQ_NATS_URL",
        "WARAQ_NATS_USER",
        "WARAQ_OPS_CHOSEN",
        "WARAQ_OPS_LISTEN",
        "WARAQ_PACE",
        "WARAQ_PLAYERS_URL",
        "WARAQ_PROFILES_URL",
        "WARAQ_PROFILES_URL_FILE",
        "WARAQ_READY_FD",
        "WARAQ_SESSION_KEY_FILE",
        "WARAQ_SESSION_OLD_KEY_FILE",
        "WARAQ_SHUFFLE_KEY_FILE",
        "WARAQ_SITE_KEY_FILE",
        "WARAQ_SITE_OLD_KEY_FILE",
        "WARAQ_STANDINGS_URL",
        "WARAQ_STANDINGS_URL_FILE",
        "WARAQ_STREAM_REPLICAS",
        "WARAQ_TICKET_KEY_FILE",
        "WARAQ_TICKET_OLD_KEY_FILE",
        "WARAQ_TRACING",
        "WARAQ_WARDEN_PASSWORD",
        "WARAQ_WARDEN_PASSWORD_FILE",
        "WARAQ_WARDEN_USER",
        "WARAQ_WEB_BEHIND_PROXY",
        "WARAQ_WEB_LISTEN",
        "WARAQ_WEB_ORIGINS",
        "WARAQ_WEB_URL",
    }
)
"""Every setting there is (docs/architecture.md): another name that begins so is a slip."""


def look(place: Place) -> Iterator[Finding]:
    """Raises nothing."""
    yield _disk(place)
    slips = sorted(
        name for name in place.environ if name.startswith("WARAQ_") and name not in NAMES
    )
    for name in slips:
        near = get_close_matches(name, NAMES, n=1)
        meant = f": is {near[0]} meant?" if near else ""
        what = f"{name} is no setting{meant}"
        yield Finding(
            check="settings", level="warning", what=what, next="docs/architecture.md#settings"
        )
    if not slips:
        yield Finding(check="settings", level="ok", what="no name that nobody reads")


def _disk(place: Place) -> Finding:
    folder = next(one for one in (place.data, *place.data.parents) if one.exists())
    usage = shutil.disk_usage(folder)
    part = (usage.total - usage.free) / usage.total
    what = f"{usage.free >> 20} MiB free under {folder}, {part:.0%} used"
    if part >= DISK_USED[1] or usage.free < DISK_FREE[1]:
        return Finding(check="disk", level="bad", what=what, next=see("disk-full"))
    if part >= DISK_USED[0] or usage.free < DISK_FREE[0]:
        return Finding(check="disk", level="warning", what=what, next=see("disk-full"))
    return Finding(check="disk", level="ok", what=what)
