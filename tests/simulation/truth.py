"""The truth about each match: a fresh fold of what the log holds, and what follows from it."""

from collections.abc import Iterable, Mapping

import msgspec
from msgspec import Struct

from schemas.events import FiveDealt, HandDealt
from schemas.views import View
from services.event_log.port import Entry, Reader, Row
from services.rules import match as rules
from services.rules import seats, sight
from services.rules.history import Unfolded, unfold
from services.rules.match import MatchState
from services.rules.sight import cards_given


class Truth(Struct, frozen=True):
    """One match: its rows and, by version from 1, what they fold to."""

    match: str
    rows: tuple[Row, ...]
    seen: tuple[Unfolded[Entry], ...]
    shown: tuple[frozenset[str], ...]
    """By version: the cards that lines have named for all to see since the latest deal."""

    def has(self, version: int) -> bool:
        return 1 <= version <= len(self.seen)

    def at(self, version: int) -> Unfolded[Entry]:
        return self.seen[version - 1]

    def state(self, version: int) -> MatchState:
        return self.at(version).after

    def view(self, voice: str, version: int) -> View | None:
        state = self.state(version)
        return sight.view(state, rules.seat_of(state, voice))

    def given(self, voice: str, version: int) -> tuple[str, ...]:
        """The cards that this event put into the hand of `voice`."""
        seen = self.at(version)
        return cards_given(seen.before, seen.event.body, seen.after, voice)

    def allowed(self, voice: str, version: int) -> frozenset[str]:
        """Every card that `voice` may know: what all were shown in this round, and its own."""
        state = self.state(version)
        seat = rules.seat_of(state, voice)
        own = () if seat is None else sight.hand(state, seat)
        return self.shown[version - 1] | frozenset(own)

    def moves(self) -> Mapping[int, list[int]]:
        """The versions at which each decision was the next."""
        found: dict[int, list[int]] = {}
        for version, seen in enumerate(self.seen, 1):
            found.setdefault(seen.after.move, []).append(version)
        return found


def truths(log: Reader) -> dict[str, Truth]:
    """Of every match in the log."""
    return {match: _truth(match, log.load(match)) for match in log.streams(limit=10_000)}


def _truth(match: str, rows: tuple[Row, ...]) -> Truth:
    seen = tuple(unfold(row.entry for row in rows))
    return Truth(match, rows, seen, tuple(_shown(seen)))


def _shown(seen: Iterable[Unfolded[Entry]]) -> Iterable[frozenset[str]]:
    shown: frozenset[str] = frozenset()
    for one in seen:
        named = cards_in(one.stored.line.encode())
        deals = isinstance(one.event.body, FiveDealt | HandDealt)
        shown = named if deals else shown | named
        yield shown


def cards_in(data: bytes) -> frozenset[str]:
    """Every card that is named anywhere in a message."""
    found: set[str] = set()
    _collect(msgspec.json.decode(data), found)
    return frozenset(found)


def _collect(value: object, found: set[str]) -> None:
    if isinstance(value, str):
        if is_card(value):
            found.add(value)
    elif isinstance(value, list):
        for one in value:
            _collect(one, found)
    elif isinstance(value, dict):
        for one in value.values():
            _collect(one, found)


def is_card(word: str) -> bool:
    """A card of either game as it is written on the wire."""
    if word in ("JK1", "JK2"):
        return True
    fits = len(word) == 2 or (len(word) == 3 and word[2] in "12")
    return fits and word[0] in "23456789TJQKA" and word[1] in "SHDC"


def sitting_at(truth: Truth, version: int) -> object:
    return seats.sitting(truth.state(version).chairs)
