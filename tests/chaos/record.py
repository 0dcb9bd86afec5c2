"""What one client was told of one match: all that is held against the log afterwards."""

import time

from msgspec import Struct, field

from schemas.feed import Feed, Happened, History, Refused, Snapshot
from schemas.ids import CommandId, Hex32, MatchId
from schemas.refusals import Refusal


class Refusing(Struct, frozen=True):
    """One refusal; `heard`: Unix ms when the client heard it."""

    command: CommandId
    code: Refusal
    heard: int


class Answer(Struct, frozen=True):
    """How long an accepted command took until its event was heard; `at`: when it was."""

    at: float
    seconds: float


class Record(Struct):
    """`said`: accepted commands in the order in which they were said, each one only after the one
    before it was answered. `told`: the head of each version that an event, or a page of history,
    or a snapshot named; `contradicted` counts versions that were told with two heads.
    """

    match: MatchId
    player: str
    said: list[CommandId] = field(default_factory=list)
    accepted: dict[CommandId, int] = field(default_factory=dict)
    refused: list[Refusing] = field(default_factory=list)
    told: dict[int, Hex32] = field(default_factory=dict)
    contradicted: int = 0
    answers: list[Answer] = field(default_factory=list)
    snapshots: list[Snapshot] = field(default_factory=list)

    def hear(self, feed: Feed) -> None:
        """Keep what was told."""
        match feed:
            case Happened():
                self._happened(feed)
            case Refused(command=str() as command, code=code):
                self.refused.append(Refusing(command, code, time.time_ns() // 1_000_000))
            case Snapshot():
                self.snapshots.append(feed)
                self._tell(feed.version, feed.head)
            case History(events=events):
                for happened in events:
                    self._happened(happened)
            case _:
                pass

    def _happened(self, feed: Happened) -> None:
        self._tell(feed.event.version, feed.head)
        if feed.command is not None:
            self.accepted[feed.command] = feed.event.version

    def _tell(self, version: int, head: Hex32) -> None:
        self.contradicted += self.told.setdefault(version, head) != head
