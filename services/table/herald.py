"""What is said of the matches on a shelf: events, snapshots, stickers to feeds, turns to bots."""

import logging
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from schemas.feed import Refused, Sticker
from schemas.refusals import Refusal
from services.messaging.port import Message
from services.rules import seats
from services.runtime.clock import Clock
from services.table import feeds
from services.table.live import Happening, LiveMatch
from services.table.shelf import Shelf
from services.table.stage import Asked
from services.table.stickers import Manners

_log = logging.getLogger(__name__)


class Herald:
    """Makes messages and sends none. What is wrong with one match is its own and stops no other."""

    def __init__(self, shelf: Shelf, clock: Clock) -> None:
        self._shelf = shelf
        self._clock = clock
        self._manners = Manners()

    def told(self, happenings: Iterable[Happening]) -> list[Message]:
        """Each event for each of its listeners."""
        return [
            message
            for happening in happenings
            for message in safely(happening.event.match, partial(feeds.told, happening))
        ]

    def bot_turn(self, live: LiveMatch) -> list[Message]:
        """The turn to put before a bot, if the match waits for one."""
        return safely(live.match, partial(feeds.bot_turn, live, self._shelf.steady(live)))

    def snapshot(self, live: LiveMatch, voice: str) -> list[Message]:
        """All that `voice` may know of the match now, with the end of its clock."""
        wait, now, due = self._shelf.wait(live.match), self._clock.now(), None
        if wait is not None and wait.kind in ("owner", "house"):
            due = now + round((wait.due - self._clock.ticks()) * 1000)

        def make() -> list[Message]:
            said = feeds.snapshot(live, voice, now=now, due=due)
            return [feeds.message(voice, live.match, said)]

        return safely(live.match, make)

    def wake(self, live: LiveMatch) -> list[Message]:
        """To all who sit and to the bot on turn, after a take-over."""
        voices = feeds.at_table(live.state)
        said = [message for voice in voices for message in self.snapshot(live, voice)]
        return said + self.bot_turn(live)

    def sticker(self, live: LiveMatch, asked: Asked) -> list[Message]:
        """The sticker for all at the table; none from who does not sit, or shows too many (H23)."""
        seat, sticker = seats.chair_of(live.state.chairs, asked.address.voice), asked.ask.sticker
        if seat is None or sticker is None:
            return []
        now, match = self._clock.ticks(), live.match
        if not self._manners.allow(match, seat, since=live.ended_head, now=now):
            return []
        said = Sticker(match=match, seat=seat, sticker=sticker)
        return [feeds.message(voice, match, said) for voice in feeds.at_table(live.state)]


def safely(match: str, make: Callable[[], Sequence[Message]]) -> list[Message]:
    """What `make` makes; nothing, and a line in the log, if it raises."""
    try:
        return list(make())
    except Exception:  # noqa: BLE001 as said
        _log.exception("a match cannot be told", extra={"match": match})
        return []


def no(asked: Asked, code: Refusal, move: int = 0) -> Message:
    """The answer to an ask that is refused; `move`: the match's present one, where it is known."""
    match, voice = asked.address.match, asked.address.voice
    return feeds.message(voice, match, Refused(match=match, command=None, code=code, move=move))
