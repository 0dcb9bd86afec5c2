"""Views: what one seat (or, with `seat` null, anybody) may see. Allow-lists, nothing else."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from schemas.cards import HandCard, HokmCard, Suit
from schemas.commands import HandOptions, HokmOptions
from schemas.decoding import decoder
from schemas.ids import Level, MatchId, Seat


class Play(Struct, frozen=True):
    """A card and whose it is."""

    seat: Seat
    card: HokmCard


class HokmView(Struct, frozen=True, kw_only=True, tag_field="game", tag="hokm"):
    """`hand`, `playable`: the viewer's own; empty for a spectator. `left`: cards held, by seat."""

    options: HokmOptions
    phase: Literal["choosing_trump", "playing", "scoring", "match_over"]
    round: int
    hakem: Seat
    trump: Suit | None
    turn: Seat | None
    trick: tuple[Play, ...]
    earlier: tuple[tuple[Play, ...], ...]
    tricks: tuple[int, int]
    score: tuple[int, int]
    left: tuple[int, int, int, int]
    seat: Seat | None
    hand: tuple[HokmCard, ...]
    playable: tuple[HokmCard, ...]
    winner: Literal[0, 1] | None


class Meld(Struct, frozen=True):
    """Cards that lie on the table together; a run's in order."""

    id: int
    owner: Seat
    kind: Literal["run", "set"]
    cards: tuple[HandCard, ...]


class Toss(Struct, frozen=True):
    """A card that was thrown on the fire pile, and who took it from there."""

    seat: Seat
    card: HandCard
    taken_by: Seat | None


class HandView(Struct, frozen=True, kw_only=True, tag_field="game", tag="hand"):
    """`hand`: the viewer's own; empty for a spectator. `left`, `opened`: by seat. `bar`: what an
    opening must be worth. `must_open`: the one on turn owes an opening. `must_place`: the jokers
    that he freed. `taken`: his card from the fire. `drawn`: the card that he drew, told to himself
    only. `totals`, `winner`: by seat, or by side in the partnership variants.
    """

    options: HandOptions
    phase: Literal["discard_first", "draw", "act", "scoring", "match_over"]
    round: int
    dealer: Seat
    turn: Seat | None
    bar: int
    opened: tuple[bool, ...]
    melds: tuple[Meld, ...]
    fire: tuple[HandCard, ...]
    tosses: tuple[Toss, ...]
    stock: int
    reshuffles: int
    left: tuple[int, ...]
    must_open: bool
    must_place: tuple[HandCard, ...]
    taken: HandCard | None
    drawn: HandCard | None
    totals: tuple[int, ...]
    contenders: tuple[int, ...]
    seat: Seat | None
    hand: tuple[HandCard, ...]
    winner: int | None


View = HokmView | HandView


class BotTurn(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """`turn.<match>.<seat>`: all that a bot is told. `steady`: milliseconds after which it answers,
    neither sooner nor, as far as it can, later, so that the time tells nothing of its cards; the
    field is not there where it may answer at once.
    """

    match: MatchId
    seat: Seat
    move: int
    level: Level
    task: Literal["play", "advise"]
    view: View
    steady: Annotated[int, Meta(ge=0, le=60_000)] = 0


_encode = msgspec.json.Encoder().encode
_decode = decoder(BotTurn)


def encode_turn(turn: BotTurn) -> bytes:
    return _encode(turn)


def decode_turn(data: bytes) -> BotTurn:
    """The turn in `data`; raises `msgspec.DecodeError`."""
    turn: BotTurn = _decode(data)
    return turn
