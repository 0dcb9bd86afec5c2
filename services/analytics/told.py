"""What of a match may be told: rounds that were revealed, and the match's end if it has one."""

from collections.abc import Sequence

from msgspec import Struct

from schemas.events import END_TAGS
from services.event_log.port import Entry


class Told(Struct, frozen=True):
    """`entries`: the match up to its last revealed round, and its score if that is recorded. No
    pack in them is hidden. `end`: the event that ended the match, None while it is played;
    `events`: how many its log tells of.
    """

    entries: tuple[Entry, ...]
    end: Entry | None
    events: int


def told(entries: Sequence[Entry]) -> Told | None:
    """What may be told of a whole stream, None if nothing yet.

    What comes after the next shuffle is not looked at by anybody here: neither the pack of a round
    in play, nor that of one that was broken off.
    """
    revealed = _after_last(entries, "round_revealed")
    hidden = (at for at in range(revealed, len(entries)) if entries[at].type == "cards_shuffled")
    known = tuple(entries[: next(hidden, len(entries))])
    end = entries[-1] if entries and entries[-1].type in END_TAGS else None
    if end is not None:
        return Told(known, end, len(entries))
    return Told(known, None, len(known)) if revealed else None


def _after_last(entries: Sequence[Entry], kind: str) -> int:
    return next((at for at in range(len(entries), 0, -1) if entries[at - 1].type == kind), 0)
