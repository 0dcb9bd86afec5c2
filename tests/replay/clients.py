"""Clients that keep what they saw: each version that one could fold, as it stood for its eyes."""

from typing import Any

import msgspec
from msgspec import Struct

from schemas.events import Event, SeatTaken
from schemas.feed import Feed, Happened, History, Snapshot
from schemas.ids import Seat
from services.cli.join.following import Followed, after, from_snapshot, seat_in
from services.rules import sight
from services.rules.sight import DEALS


class Saw(Struct, frozen=True):
    """A version as a client knew it; `view` in plain JSON values, None before the first deal."""

    version: int
    head: str
    seat: Seat | None
    view: Any


class Client:
    """The whole client of the contract: a snapshot replaces all, an event must be the next one.

    `gap`: it has missed something, or what happened is told by a snapshot only. `folded` is what
    it made of events, `told` what snapshots said.
    """

    def __init__(self, player: str) -> None:
        self.player = player
        self.gap = True
        self.folded: list[Saw] = []
        self.told: list[Saw] = []
        self._followed: Followed | None = None

    def hear(self, feed: Feed) -> None:
        match feed:
            case Snapshot():
                self._replace(feed)
            case Happened():
                self._happened(feed)
            case History():
                for happened in feed.events:
                    self._happened(happened)
            case _:
                pass

    @property
    def version(self) -> int:
        return self._followed.version if self._followed else 0

    def _replace(self, told: Snapshot) -> None:
        assert told.version >= self.version, "a snapshot of the past"
        self._followed = from_snapshot(self.player, told)
        self.gap = False
        view = msgspec.to_builtins(told.view)
        seat = told.view.seat if told.view else None
        self.told.append(Saw(told.version, told.head, seat, view))

    def _happened(self, told: Happened) -> None:
        have = self._followed
        if have is None or told.event.version > have.version + 1:
            self.gap = True
        elif told.event.version == have.version + 1 and not self.gap:
            self._followed = after(have, told)
            self.gap = self._must_ask(have, told.event)
            if not self.gap:
                self.folded.append(self._saw(self._followed))

    def _must_ask(self, have: Followed, event: Event) -> bool:
        """True where a client's cards lie on the table already: told by a snapshot only."""
        if isinstance(event.body, SeatTaken):
            return event.body.player == self.player
        return have.state is None and isinstance(event.body, DEALS)

    @staticmethod
    def _saw(followed: Followed) -> Saw:
        seat, state = seat_in(followed), followed.state
        view = None if state is None else msgspec.to_builtins(sight.view(state, seat))
        return Saw(followed.version, followed.head, seat, view)
