"""Events: the line that is stored, hashed, exported and published.

A line is ASCII JSON with integers below 2^53, no floats, no keys of digits, every field written
in declared order, so that any language gets its bytes back by parse-and-stringify. No line holds
a hidden card, a name or prose. Tags are frozen; a later shape is a new tag (`card_played@2`).
"""

from typing import Final, Literal

import msgspec
from msgspec import Struct

from schemas.cards import Card, HandCard, HokmCard, Suit
from schemas.commands import Options, Score, SeatPlan
from schemas.decoding import decoder
from schemas.ids import AbandonReason, Control, Hex32, MatchId, Name, Origin, PlayerId, Seat, Time


class Wire(Struct, frozen=True, kw_only=True, tag_field="type"):
    """Base of every event body and feed message, for its tag field only."""


# A match: opened, seated, started, ended ------------------------------------------------------


class MatchOpened(Wire, frozen=True, kw_only=True, tag="match_opened"):
    """What is fixed from the first line on: rules, seats, seals."""

    ruleset: Name
    """`hokm@1` or `hand@1`; a match never changes it."""
    options: Options
    seats: tuple[SeatPlan, ...]
    owner: PlayerId
    invitation: Hex32 | None
    seal: Hex32
    """SHA-256 of the match's secret (docs/fair-deal.md)."""
    shuffle: Name
    """The name of the shuffle: `waraq-shuffle@1`."""
    key: Name
    """The id of the master key that the secret comes from."""
    policy: Name
    """The version of the bots' policy."""


class SeatTaken(Wire, frozen=True, kw_only=True, tag="seat_taken"):
    """Somebody sat down."""

    seat: Seat
    player: PlayerId


class SeatLeft(Wire, frozen=True, kw_only=True, tag="seat_left"):
    """Somebody got up."""

    seat: Seat


class NonceAdded(Wire, frozen=True, kw_only=True, tag="nonce_added"):
    """A player's randomness goes into every shuffle of the match (docs/fair-deal.md)."""

    nonce: Hex32


class MatchStarted(Wire, frozen=True, kw_only=True, tag="match_started"):
    """From here on the table, the clocks and the house see to it that the match ends."""


class TurnTimedOut(Wire, frozen=True, kw_only=True, tag="turn_timed_out"):
    """The seat's time was up at that move; what the house plays for it follows."""

    seat: Seat
    move: int


class ControlChanged(Wire, frozen=True, kw_only=True, tag="control_changed"):
    """Who plays the seat from now on: its owner, or the house for him (H24)."""

    seat: Seat
    control: Control


class MatchEnded(Wire, frozen=True, kw_only=True, tag="match_ended"):
    """`winner` is a side in games of two sides, else a seat; `secret` opens the match's seal."""

    winner: int
    totals: tuple[int, ...]
    secret: Hex32


class MatchAbandoned(Wire, frozen=True, kw_only=True, tag="match_abandoned"):
    """The match ended without a winner; `secret` opens its seal."""

    reason: AbandonReason
    secret: Hex32


# Chance ---------------------------------------------------------------------------------------


class CardsShuffled(Wire, frozen=True, kw_only=True, tag="cards_shuffled"):
    """`seal` is SHA-256 of the round's seed; the order itself is the row's secret."""

    round: int
    label: Literal["ace_draw", "deal", "stock1", "stock2", "stock3"]
    cards: int
    seal: Hex32


class SeatDrawn(Wire, frozen=True, kw_only=True, tag="seat_drawn"):
    """A seat drawn by chance: who gets the first card, or who deals first."""

    label: Literal["ace_draw", "first_dealer"]
    seat: Seat


# Hokm -----------------------------------------------------------------------------------------


class HakemDrawn(Wire, frozen=True, kw_only=True, tag="hakem_drawn"):
    """H5: the cards shown, in order, and the seat that got the first ace."""

    shown: tuple[HokmCard, ...]
    hakem: Seat


class FiveDealt(Wire, frozen=True, kw_only=True, tag="five_dealt"):
    """H8: each seat has five cards; before trump is named only the hakem sees his (H10)."""

    round: int
    hakem: Seat


class TrumpChosen(Wire, frozen=True, kw_only=True, tag="trump_chosen"):
    """H9: the suit that the hakem named."""

    suit: Suit


class RestDealt(Wire, frozen=True, kw_only=True, tag="rest_dealt"):
    """H8: each seat has its thirteen cards."""


class CardPlayed(Wire, frozen=True, kw_only=True, tag="card_played"):
    """H12, H13: a card to the trick."""

    card: HokmCard


class TrickTaken(Wire, frozen=True, kw_only=True, tag="trick_taken"):
    """`tricks`: per side, this one included."""

    by: Seat
    tricks: tuple[int, int]


class HokmRound(Struct, frozen=True, kw_only=True, tag_field="game", tag="hokm"):
    """A round of Hokm as it ended, `tricks` per side."""

    hakem: Seat
    tricks: tuple[int, int]


# Hand -----------------------------------------------------------------------------------------


class HandDealt(Wire, frozen=True, kw_only=True, tag="hand_dealt"):
    """N4: each seat has its fourteen cards, the starter (after the dealer) fifteen."""

    round: int
    dealer: Seat


class CardDrawn(Wire, frozen=True, kw_only=True, tag="card_drawn"):
    """A card from the stock; `stock` is how many it has left."""

    stock: int


class FireTaken(Wire, frozen=True, kw_only=True, tag="fire_taken"):
    """The top card of the fire pile."""

    card: HandCard


class MeldsLaid(Wire, frozen=True, kw_only=True, tag="melds_laid"):
    """Melds with ids from `first_id` on; `value`: their worth. `opening`: the seat's first."""

    first_id: int
    melds: tuple[tuple[HandCard, ...], ...]
    value: int
    opening: bool


class CardLaidOff(Wire, frozen=True, kw_only=True, tag="card_laid_off"):
    """A card added to a meld, at that end of a run."""

    meld: int
    card: HandCard
    end: Literal["low", "high"] | None


class JokerSwapped(Wire, frozen=True, kw_only=True, tag="joker_swapped"):
    """The card went into the meld, the joker into the player's cards."""

    meld: int
    card: HandCard
    joker: HandCard


class CardDiscarded(Wire, frozen=True, kw_only=True, tag="card_discarded"):
    """A card on the fire pile; the turn is over."""

    card: HandCard


class HandRound(Struct, frozen=True, kw_only=True, tag_field="game", tag="hand"):
    """A round of Hand as it ended: `left` are the cards that each seat still held."""

    went_out: Seat | None
    hand: bool
    opened: tuple[bool, ...]
    left: tuple[tuple[HandCard, ...], ...]


RoundResult = HokmRound | HandRound


# The end of a round ---------------------------------------------------------------------------


class RoundEnded(Wire, frozen=True, kw_only=True, tag="round_ended"):
    """The cards are down. Its points follow with `round_scored`, once they are recorded."""

    round: int
    result: RoundResult


class RoundRevealed(Wire, frozen=True, kw_only=True, tag="round_revealed"):
    """What opens the round's seals: its seed, and its packs in the order of their shuffling."""

    round: int
    seed: Hex32
    packs: tuple[tuple[Card, ...], ...]


class RoundScored(Wire, frozen=True, kw_only=True, tag="round_scored"):
    """The round's points, and all points so far per seat or side."""

    round: int
    score: Score
    totals: tuple[int, ...]


Body = (
    MatchOpened
    | SeatTaken
    | SeatLeft
    | NonceAdded
    | MatchStarted
    | CardsShuffled
    | SeatDrawn
    | HakemDrawn
    | FiveDealt
    | TrumpChosen
    | RestDealt
    | CardPlayed
    | TrickTaken
    | HandDealt
    | CardDrawn
    | FireTaken
    | MeldsLaid
    | CardLaidOff
    | JokerSwapped
    | CardDiscarded
    | RoundEnded
    | RoundRevealed
    | RoundScored
    | TurnTimedOut
    | ControlChanged
    | MatchEnded
    | MatchAbandoned
)


ENDS: Final = (MatchEnded, MatchAbandoned)
"""What ends a match: nothing follows it, and it tells the match's secret."""
END_TAGS: Final = frozenset({"match_ended", "match_abandoned"})


class Event(Struct, frozen=True, kw_only=True):
    """`version` counts from 1 in its match; `time` is data and no clock."""

    match: MatchId
    version: int
    time: Time
    origin: Origin
    seat: Seat | None
    body: Body


_encode = msgspec.json.Encoder().encode
_decode = decoder(Event)


def encode_event(event: Event) -> bytes:
    """The line of `event`: the exact bytes that are stored, hashed and published."""
    return _encode(event)


def decode_event(line: bytes | str) -> Event:
    """The event in `line`; raises `msgspec.DecodeError`."""
    event: Event = _decode(line)
    return event


def tag_of(body: Body) -> str:
    """The body's tag, such as `card_played`: the row's type and the subject's last word."""
    tag = body.__struct_config__.tag
    assert isinstance(tag, str)
    return tag
