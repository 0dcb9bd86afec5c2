"""Who gets which session: a new guest, the same player again, or whom the website vouches for.

Pure but for the ids of guests, which are drawn.
"""

import secrets
from collections.abc import Callable
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from schemas.ids import PlayerId, Time
from services.runtime.signing_keys import Keys
from services.runtime.tokens import Kind, Refused, Session, check_assertion, check_session

DAY_MS: Final = 24 * 3_600_000
GUEST_MS: Final = 30 * DAY_MS
"""A guest who stays away longer is another guest: nobody else knows who he was."""
SIGNED_MS: Final = DAY_MS
"""A signed-in player comes again by way of the website."""
_DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"
_GUEST_DIGITS: Final = 26  # 134 bits: nobody guesses one, and no two are the same

NewGuest = Callable[[], PlayerId]


class SessionKeys(Struct, frozen=True):
    """`site`: shared with the deployment's own website; None: there are guests only."""

    ours: Keys
    site: Keys | None


def random_guest() -> PlayerId:
    return "u_" + "".join(secrets.choice(_DIGITS) for _ in range(_GUEST_DIGITS))


def new_guest(now: Time, new_id: NewGuest = random_guest) -> Session:
    return _session(new_id(), "guest", now)


def renewed(token: str, keys: SessionKeys, now: Time) -> Session | Refused:
    """The same player's, from now on."""
    old = check_session(token, keys.ours, now)
    return old if isinstance(old, Refused) else replace(old, issued=now, end=_end(old.kind, now))


def vouched_for(assertion: str, keys: SessionKeys, now: Time) -> Session | Refused:
    if keys.site is None:
        return Refused("forged")
    found = check_assertion(assertion, keys.site, now)
    return found if isinstance(found, Refused) else _session(found.player, "signed", now)


def _session(player: PlayerId, kind: Kind, now: Time) -> Session:
    return Session(player=player, kind=kind, issued=now, end=_end(kind, now))


def _end(kind: Kind, now: Time) -> Time:
    return now + (GUEST_MS if kind == "guest" else SIGNED_MS)
