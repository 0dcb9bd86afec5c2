"""What the table needs from its log within a turn: matches rebuilt, events said again."""

import logging
from collections.abc import Iterable

from msgspec import Struct

from services.event_log.port import LogUnreachable, Reader, Row
from services.messaging.port import Message
from services.table import feeds
from services.table.live import LiveMatch, rebuild
from services.table.shelf import Shelf
from services.table.stage import Reply

_log = logging.getLogger(__name__)


class Loaded(Struct, frozen=True):
    """Matches rebuilt from the log, and the ids of those that cannot be played on."""

    matches: tuple[LiveMatch, ...]
    broken: tuple[str, ...]


class Unscored(Struct, frozen=True):
    """A match whose round waits for its score, and how often that was said again."""

    match: str
    tries: int


class Ended(Struct, frozen=True):
    """The end of a round that waits for its score, and how often it was said again."""

    row: Row
    tries: int


def load_matches(log: Reader, wanted: Iterable[str], key: str) -> Loaded:
    """The wanted matches, those that exist; one that cannot be folded stops no other.

    `key`: the id of the shuffle key at hand. A running match that was sealed under another one
    cannot be dealt on, for its deals would not be those that were sealed.
    """
    found: list[LiveMatch] = []
    broken: list[str] = []
    for match in wanted:
        try:
            live = rebuild(log.load(match))
        except LogUnreachable:
            raise
        except Exception:  # noqa: BLE001 whatever is wrong with one stream is its own
            _log.exception("a match cannot be folded", extra={"match": match})
            broken.append(match)
            continue
        if live is not None and not live.state.over and live.state.opened.key != key:
            _log.error("a match is sealed under another key", extra={"match": match})
            broken.append(match)
        elif live is not None:
            found.append(live)
    return Loaded(tuple(found), tuple(broken))


def told_again(log: Reader, replies: Iterable[Reply]) -> list[Message]:
    """Its event once more, for each author of a command that was accepted before."""
    said: list[Message] = []
    for reply in replies:
        address, acceptance = reply.address, reply.again.acceptance
        rows = log.load(address.match, after=acceptance.version - 1, limit=1)
        said += [
            feeds.message(address.voice, address.match, feeds.answer_again(row, acceptance.cards))
            for row in rows
        ]
    return said


def unscored(shelf: Shelf, rung: Iterable[str]) -> list[Unscored]:
    """Of the matches whose alarm rang those that wait for a score, and not for the first time."""
    waits = ((match, shelf.wait(match)) for match in rung)
    return [
        Unscored(match, wait.tries)
        for match, wait in waits
        if wait is not None and wait.kind == "score" and wait.tries
    ]


def latest_ends(log: Reader, waiting: Iterable[Unscored]) -> list[Ended]:
    """The latest end of a round of each match, to be published once more for scoring to see."""
    found: list[Ended] = []
    for one in waiting:
        ended = [row for row in log.load(one.match) if row.entry.type == "round_ended"]
        if ended:
            found.append(Ended(ended[-1], one.tries))
    return found
