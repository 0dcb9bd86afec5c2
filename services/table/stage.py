"""One batch in the making: commands, asks and alarms decided on staged states.

Nothing here is told to anybody or kept until the batch is committed; if it is not, the stage is
thrown away and the live states are as they were.
"""

import logging
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Final

from msgspec import Struct

from schemas.commands import Advise, Command, OpenMatch
from schemas.events import MatchAbandoned, MatchEnded, MatchOpened
from schemas.feed import Ask, Refused
from schemas.ids import CommandId, MatchId, house_seat
from schemas.refusals import Refusal
from schemas.subjects import Address
from services.event_log.port import Batch, DeadLetter
from services.messaging.permissions import COMMAND_LINE_PLAYER
from services.messaging.port import Message
from services.runtime.faults import place_of
from services.table import desk as desks
from services.table import feeds
from services.table.desk import Again, Desk, Ruling
from services.table.live import Grown, Happening, LiveMatch
from services.table.owned import OPEN_EACH
from services.table.shelf import Shelf

DRAIN_AT: Final = 50_000
"""Open matches in one partition from which on no other is opened."""

_log = logging.getLogger(__name__)


class Heard(Struct, frozen=True):
    """A message on a command subject; `command` is None if it is malformed."""

    address: Address
    message: Message
    command: Command | None

    @property
    def opens(self) -> bool:
        return self.command is not None and isinstance(self.command.action, OpenMatch)

    @property
    def advises(self) -> bool:
        """True for a bot's advice, which decides nothing: it is relayed or dropped."""
        if self.command is None or not isinstance(self.command.action, Advise):
            return False
        return house_seat(self.address.voice) is not None


class Asked(Struct, frozen=True):
    address: Address
    ask: Ask


class Reply(Struct, frozen=True):
    """A command accepted before, whose author is to be told its event again."""

    address: Address
    again: Again


class Stage:
    """`shelf`: the matches as they are committed; `full`: no other match is opened; `refused`: the
    voice of each refusal; `codes`: how often each was the answer; `accepted`: what each event came
    of, by match and id, for an id is one command's within its match and nowhere else.
    """

    def __init__(self, desk: Desk, shelf: Shelf, *, full: bool) -> None:
        self._desk = desk
        self._shelf = shelf
        self._full = full
        self._opened: Counter[str] = Counter()
        self.changed: dict[str, LiveMatch] = {}
        self.happenings: list[Happening] = []
        self.refusals: list[Message] = []
        self.refused: list[str] = []
        self.codes: Counter[Refusal] = Counter()
        self.replies: list[Reply] = []
        self.accepted: dict[tuple[MatchId, CommandId], Heard] = {}
        self.dead: list[DeadLetter] = []

    def match(self, match: str) -> LiveMatch | None:
        """The match as this batch leaves it so far."""
        return self.changed.get(match) or self._shelf.live.get(match)

    def hear(self, heard: Heard) -> None:
        """Decide one command. One that makes the rules raise is put aside, the others go on."""
        try:
            self._hear(heard)
        except Exception as error:  # noqa: BLE001 whatever it is, it is this command's own
            _log.exception("the rules raised", extra=_ids(heard))
            self.put_aside(heard, error)

    def put_aside(self, heard: Heard, error: Exception) -> None:
        """The command becomes a dead letter, once; its author is told `fault`."""
        command = heard.command.id if heard.command else ""
        if self._shelf.bury(heard.address.match, command):
            self._bury(heard, error)
        self._refuse(heard, Refusal.FAULT)

    def _hear(self, heard: Heard) -> None:
        address, live = heard.address, self.match(heard.address.match)
        if heard.command is None:
            said = desks.malformed(address, heard.message.data, live)
            self._tell_refused(address, said)
        elif address.match in self._shelf.broken:
            self._refuse(heard, Refusal.FAULT)
        else:
            full = self._full or (heard.opens and self._has_enough(address.voice))
            ruling = desks.rule(self._desk, live, address, heard.command, full=full)
            self._take(address, ruling)
            if ruling.grown is not None and ruling.refused is None:
                self.accepted[address.match, heard.command.id] = heard

    def _has_enough(self, voice: str) -> bool:
        """True if so many open matches are this player's that he is to end one first."""
        count = self._shelf.owned.count(voice) + self._opened[voice]
        return count >= OPEN_EACH and voice != COMMAND_LINE_PLAYER

    def _take(self, address: Address, ruling: Ruling) -> None:
        if ruling.grown is not None:
            self.grow(ruling.grown)
        if ruling.live is not None:
            self.changed[address.match] = ruling.live
        if ruling.refused is not None:
            self._tell_refused(address, ruling.refused)
        if ruling.again is not None:
            self.replies.append(Reply(address, ruling.again))

    def hear_ask(self, asked: Asked) -> None:
        """An owner who asks gets back the seat that the house holds for him (H24)."""
        live = self.match(asked.address.match)
        if live is None:
            return
        try:
            grown = desks.give_back(self._desk, live, asked.address.voice)
        except Exception:  # noqa: BLE001 as in `hear`
            _log.exception("the rules raised on an ask", extra={"match": live.match})
            return
        if grown is not None:
            self.grow(grown)

    def ring(self, match: str, act: Callable[[Desk, LiveMatch], Grown]) -> None:
        """Let time do something to a match: `desk.time_out` or `desk.expire`."""
        live = self.match(match)
        if live is None or live.state.over:
            return
        try:
            self.grow(act(self._desk, live))
        except Exception:  # noqa: BLE001 as in `hear`; the alarm rings again
            _log.exception("the rules raised on an alarm", extra={"match": match})

    def grow(self, grown: Grown) -> None:
        self.changed[grown.live.match] = grown.live
        self.happenings.extend(grown.happenings)
        self._opened.update(_openers(grown.happenings))

    def openers(self) -> list[str]:
        """Who opened a match, once for each."""
        return list(self._opened.elements())

    def batch(self, published: int) -> Batch:
        """What is to be committed."""
        opened = [h.event.match for h in self.happenings if isinstance(h.event.body, MatchOpened)]
        over = (MatchEnded, MatchAbandoned)
        closed = [h.event.match for h in self.happenings if isinstance(h.event.body, over)]
        return Batch(
            entries=tuple(happening.entry for happening in self.happenings),
            opened=tuple(opened),
            closed=tuple(closed),
            dead=tuple(self.dead),
            published=published,
        )

    def _refuse(self, heard: Heard, code: Refusal) -> None:
        command = heard.command.id if heard.command else None
        live = self.match(heard.address.match)
        said = desks.refused(heard.address, command, code, live)
        self._tell_refused(heard.address, said)

    def _tell_refused(self, address: Address, said: Refused) -> None:
        self.refusals.append(feeds.message(address.voice, address.match, said))
        self.refused.append(address.voice)
        self.codes[said.code] += 1

    def _bury(self, heard: Heard, error: Exception) -> None:
        letter = DeadLetter(
            subject=heard.message.subject,
            body=heard.message.data.decode(errors="backslashreplace").replace("\0", "\\x00"),
            error=place_of(error),
            time=self._desk.clock.now(),
        )
        self.dead.append(letter)


def _openers(happenings: Iterable[Happening]) -> list[str]:
    bodies = (happening.event.body for happening in happenings)
    return [body.owner for body in bodies if isinstance(body, MatchOpened)]


def _ids(heard: Heard) -> dict[str, str | None]:
    command = heard.command.id if heard.command else None
    return {"match": heard.address.match, "voice": heard.address.voice, "command": command}
