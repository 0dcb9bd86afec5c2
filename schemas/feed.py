"""The feed: everything the table says to one voice, on `feed.<player>.<match>`; and the ask."""

from typing import Final, Literal

import msgspec
from msgspec import Struct

from schemas.cards import Card
from schemas.commands import Suggestion
from schemas.decoding import decoder
from schemas.events import Event, Wire
from schemas.ids import CommandId, Control, Hex32, Level, MatchId, Move, Outcome, Seat
from schemas.refusals import Refusal
from schemas.stickers import StickerId
from schemas.views import View

ASK_BYTES: Final = 512
"""The largest ask, in bytes; a larger one is not read."""


class Refused(Wire, frozen=True, kw_only=True, tag="refused"):
    """`command` is null where no id could be read. `move`: the match's present move."""

    match: MatchId
    command: CommandId | None
    code: Refusal
    move: int
    args: dict[str, int | str] = msgspec.field(default_factory=dict)


class Happened(Wire, frozen=True, kw_only=True, tag="event"):
    """`cards`: those it put into your hand. `command`: your command, if this answers it."""

    event: Event
    head: Hex32
    cards: tuple[Card, ...] = ()
    command: CommandId | None = None


class Sitting(Struct, frozen=True, kw_only=True):
    """A seat: who owns it, who plays it, and if the house does at which level."""

    seat: Seat
    player: str | None
    control: Control
    level: Level | None


class Snapshot(Wire, frozen=True, kw_only=True, tag="snapshot", omit_defaults=True):
    """All that the asker may know. `now`, `due`: Unix ms; `due` is advice, events end turns."""

    match: MatchId
    version: int
    head: Hex32
    now: int
    move: int
    due: int | None
    sitting: tuple[Sitting, ...]
    view: View | None
    over: Outcome | None = None
    """The field is not there while the match goes on."""


class History(Wire, frozen=True, kw_only=True, tag="history"):
    """A page of the past as the asker was told it; `more`: ask again with the last version."""

    match: MatchId
    events: tuple[Happened, ...]
    more: bool


class Advice(Wire, frozen=True, kw_only=True, tag="advice"):
    """The master's look (H21): the best that can be done at that move."""

    match: MatchId
    move: int
    suggestion: Suggestion


class Sticker(Wire, frozen=True, kw_only=True, tag="sticker"):
    """Who owns `seat` shows a sticker. It is in no log and no history: missed is missed."""

    match: MatchId
    seat: Seat
    sticker: StickerId


Feed = Happened | Refused | Snapshot | History | Advice | Sticker


class Ask(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`ask.<match>.<player>`; `since`: the history from the version after it; `sticker`: the one to
    show, with `what` "sticker" only.
    """

    what: Literal["snapshot", "history", "advice", "sticker"] = "snapshot"
    since: Move = 0
    sticker: StickerId | None = None

    def __post_init__(self) -> None:
        if (self.what == "sticker") != (self.sticker is not None):
            raise ValueError("a sticker is named where one is to be shown, and nowhere else")


_encode = msgspec.json.Encoder().encode
_decode_feed = decoder(Feed)
_decode_ask = decoder(Ask)


def encode_feed(message: Feed) -> bytes:
    return _encode(message)


def decode_feed(data: bytes) -> Feed:
    """The feed message in `data`; raises `msgspec.DecodeError`."""
    feed: Feed = _decode_feed(data)
    return feed


def encode_ask(ask: Ask) -> bytes:
    return _encode(ask)


def decode_ask(data: bytes) -> Ask:
    """The ask in `data`, empty meaning a snapshot; raises `msgspec.DecodeError`."""
    ask: Ask = _decode_ask(data or b"{}")
    return ask
