"""Tickets: leave for one player to open one match, by a key that the table shares (H22).

`t1.<day>.<ends>.<mac>`: the player's local day that it counts for, the Unix ms from which it opens
nothing any more, and HMAC-SHA-256 over those, the player and the match. Whoever says it is known by
his subject, and so is the match: neither stands in it. Pure: time is given.
"""

import re
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from hmac import compare_digest
from hmac import new as hmac
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from schemas.ids import MatchId, PlayerId
from services.runtime.signing_keys import Keys

SCHEME: Final = "waraq-ticket@1"
EAST: Final = 14 * 60
WEST: Final = -12 * 60
"""The bounds of a UTC offset, in minutes: no place has a day beyond them."""
GRACE: Final = timedelta(hours=1)
"""How long after its day a ticket still opens its match: one taken at midnight is used then."""

Offset = Annotated[int, Meta(ge=WEST, le=EAST)]
"""Minutes that a player's clock is ahead of UTC."""
TicketFault = Literal["malformed", "forged", "over"]

_FORM: Final = re.compile(r"t1\.(\d{4}-\d{2}-\d{2})\.(\d{1,15})\.([0-9a-f]{64})")


class Day(Struct, frozen=True):
    """A player's local day: its date, and the Unix ms until which its tickets are good."""

    date: str
    ends: int


class Ticket(Struct, frozen=True, kw_only=True):
    """What a ticket says."""

    player: PlayerId
    match: MatchId
    day: Day


def day_at(now: int, offset: Offset) -> Day:
    """The day that it is at `now`, in Unix ms, for a player `offset` minutes ahead of UTC."""
    ahead = timedelta(minutes=offset)
    local = datetime.fromtimestamp(now // 1_000, UTC) + ahead
    midnight = local.replace(hour=0, minute=0, second=0) + timedelta(days=1) - ahead
    ends = midnight + GRACE
    return Day(date=local.date().isoformat(), ends=round(ends.timestamp()) * 1_000)


def next_begins(day: Day) -> int:
    """The Unix ms at which the player's next day begins."""
    return day.ends - round(GRACE.total_seconds()) * 1_000


def sign(keys: Keys, ticket: Ticket) -> str:
    """The same ticket and key give the same text every time."""
    day = ticket.day
    return f"t1.{day.date}.{day.ends}.{_mac(keys.signs, ticket)}"


def check(
    keys: Keys, text: str, *, player: PlayerId, match: MatchId, now: int
) -> TicketFault | None:
    """What is wrong with `text` as a ticket of `player` for `match` at `now`, None if nothing."""
    form = _FORM.fullmatch(text)
    if form is None or not text.isascii():
        return "malformed"
    ticket = Ticket(player=player, match=match, day=Day(form[1], int(form[2])))
    if not any(compare_digest(_mac(key, ticket), form[3]) for key in keys.checks):
        return "forged"
    return None if now < ticket.day.ends else "over"


def _mac(key: bytes, ticket: Ticket) -> str:
    day = ticket.day
    said = f"{SCHEME}|{ticket.player}|{ticket.match}|{day.date}|{day.ends}"
    return hmac(key, said.encode("ascii"), sha256).hexdigest()
