"""Who sees everything: what was said, written and told, in one order, and a hash of all of it."""

from hashlib import sha256
from typing import Final

import msgspec
from msgspec import Struct

from schemas import subjects
from schemas.commands import Command
from schemas.decoding import decoder
from schemas.feed import Advice, Feed, Refused, decode_feed
from schemas.ids import CommandId
from services.event_log.port import Batch, Claim
from services.messaging.port import Message
from services.table import desk
from services.table.stage import Heard
from tests.simulation.process import Process


class Broken(Struct, frozen=True):
    """An invariant that does not hold, and where."""

    invariant: str
    where: str


class Said(Struct, frozen=True):
    """A command as its author said it first; `order` is the witness's own count."""

    order: int
    match: str
    voice: str
    command: Command


class Told(Struct, frozen=True):
    """A feed message as a table said it, whether or not it arrived."""

    order: int
    match: str
    voice: str
    data: bytes
    feed: Feed


Key = tuple[str, str, str]
"""Match, voice and command id."""


class _IdOnly(Struct):
    id: CommandId


_decode_id = decoder(_IdOnly)


class Witness:
    """A `Tap` and a `Ledger`."""

    def __init__(self) -> None:
        self.broken: list[Broken] = []
        self.said: dict[Key, Said] = {}
        self.told: list[Told] = []
        self.turns: list[Message] = []
        self.published: list[Message] = []
        self.delivered: dict[Key, Message] = {}
        self.refused: dict[Key, Told] = {}
        self.accepted: dict[tuple[str, str], int] = {}
        self.lost: set[Key] = set()
        self.counts: dict[str, int] = {}
        self._order = 0
        self._trace: Final = sha256()

    @property
    def trace(self) -> str:
        return self._trace.hexdigest()

    def note(self, kind: str, *what: object) -> None:
        """One more thing that happened: part of the trace, and counted."""
        self._order += 1
        self.counts[kind] = self.counts.get(kind, 0) + 1
        self._trace.update(repr((kind, *what)).encode())

    def breaks(self, invariant: str, where: str) -> None:
        self.broken.append(Broken(invariant, where))

    # What crosses connections -----------------------------------------------------------------

    def sent(self, process: Process, message: Message) -> None:
        first, *rest = message.subject.split(".")
        self.note(f"sent_{first}", process.name, message.subject, message.data)
        if first == "feed":
            self._tell(rest[1], rest[0], message.data)
        elif first == "cmdin":
            self._say(rest[0], rest[1], message.data)
        elif first == "turn":
            self.turns.append(message)
        elif first == "event":
            self.published.append(message)

    def _say(self, match: str, voice: str, data: bytes) -> None:
        command = desk.read(data)
        if command is not None:
            said = Said(self._order, match, voice, command)
            self.said.setdefault((match, voice, command.id), said)

    def _tell(self, match: str, voice: str, data: bytes) -> None:
        told = Told(self._order, match, voice, data, decode_feed(data))
        self.told.append(told)
        self.counts["advised"] = self.counts.get("advised", 0) + isinstance(told.feed, Advice)
        if isinstance(told.feed, Refused) and told.feed.command is not None:
            self.refused.setdefault((match, voice, told.feed.command), told)

    def arrived(self, process: Process, message: Message) -> None:
        self.note("arrived", process.name, message.subject, message.data)
        key = command_key(message)
        if key is not None:
            self.delivered.setdefault(key, message)

    def acked(self, process: Process, message: Message) -> None:
        self.note("acked", process.name, message.subject)
        key = command_key(message)
        if key is not None and not self.is_decided(key):
            self.breaks("acknowledged_undecided", f"{process.name}: {key}")

    def is_decided(self, key: Key) -> bool:
        match, _, command = key
        return key in self.refused or (match, command) in self.accepted

    # What is written --------------------------------------------------------------------------

    def claimed(self, process: Process, claim: Claim) -> None:
        self.note("claimed", process.name, claim.partition, claim.epoch)

    def appended(self, process: Process, claim: Claim, batch: Batch, *, newest: int) -> None:
        heads = tuple(entry.head for entry in batch.entries)
        self.note("appended", process.name, claim.partition, claim.epoch, heads, batch.published)
        if claim.epoch != newest:
            self.breaks("fenced", f"{process.name} appended under {claim.epoch} after {newest}")
        for entry in batch.entries:
            if entry.command is not None:
                self.accepted.setdefault((entry.stream, entry.command), self._order)


def command_key(message: Message) -> Key | None:
    """Whose command a delivery is, None where no honest client can have said it, and for a bot's
    advice, to which no answer is given.
    """
    if not message.subject.startswith("cmd."):
        return None
    address = subjects.command_address(message.subject)
    if not desk.known_voice(address):
        return None
    if Heard(address, message, desk.read(message.data)).advises:
        return None
    try:
        return address.match, address.voice, _decode_id(message.data).id
    except msgspec.DecodeError:
        return None
