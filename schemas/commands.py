"""Commands: what a voice says on `cmdin.<match>.<voice>`.

Unknown fields are forbidden in every struct and every number is bounded, so that whatever
decodes is of the right form. Whether it may be done is for the rules to say.
"""

from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct

from schemas.advice import Candidate, Reason
from schemas.cards import HandCard, HokmCard, Suit
from schemas.decoding import decoder
from schemas.ids import AbandonReason, CommandId, Hex32, Level, MeldId, Move, Points, Round, Seat

COMMAND_BYTES: Final = 4_096
"""The largest command, in bytes; the broker stops a larger one (stream COMMANDS)."""


class Inbound(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type"):
    """Base of every action, for its decoding rules only."""


# Opening a match ------------------------------------------------------------------------------


class HokmOptions(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="game", tag="hokm"
):
    """H17, H19. The preset `hakem` is the default; 1 ≤ win ≤ kot ≤ hakem_kot is the desk's."""

    target: Points = 2
    win: Points = 1
    kot: Points = 2
    hakem_kot: Points = 3
    show_five_before_trump: bool = False


HandVariant = Literal["classic", "partnership", "saudi", "saudi_partnership"]
HandRounds = Literal[3, 5, 7, 9]


class HandOptions(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="game", tag="hand"
):
    """N1. Three seats or two only where each plays alone; the number of rounds is final."""

    variant: HandVariant
    seats: Annotated[int, Meta(ge=2, le=4)]
    rounds: HandRounds


Options = HokmOptions | HandOptions


class SeatPlan(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who a seat is for. A house seat names its level, no other does."""

    seat: Seat
    filled_by: Literal["owner", "invited", "anyone", "house"]
    level: Level | None = None


class OpenMatch(Inbound, frozen=True, kw_only=True, tag="open_match"):
    """Open the match whose id the client made; the speaker becomes its owner (H20)."""

    options: Options
    seats: Annotated[tuple[SeatPlan, ...], Meta(min_length=2, max_length=4)]
    invitation: Hex32 | None = None
    """SHA-256, in hex, of the code in the invitation link."""
    ticket: Annotated[str, Meta(max_length=512)] | None = None


# Lobby ----------------------------------------------------------------------------------------


class TakeSeat(Inbound, frozen=True, kw_only=True, tag="take_seat"):
    """Sit down at a free seat; `code` is the invitation's, for a seat that is `invited`."""

    seat: Seat
    code: Annotated[str, Meta(max_length=64)] | None = None


class LeaveSeat(Inbound, frozen=True, kw_only=True, tag="leave_seat"):
    """Get up. Before the start the seat is free again; after it the house plays it to the end."""


class AddNonce(Inbound, frozen=True, kw_only=True, tag="add_nonce"):
    """A player's own randomness, mixed into every shuffle of the match (docs/fair-deal.md)."""

    nonce: Hex32


class StartMatch(Inbound, frozen=True, kw_only=True, tag="start_match"):
    """The owner alone may, once every seat is filled."""


# Hokm -----------------------------------------------------------------------------------------


class ChooseTrump(Inbound, frozen=True, kw_only=True, tag="choose_trump"):
    """H9: the hakem names trump, once."""

    suit: Suit


class PlayCard(Inbound, frozen=True, kw_only=True, tag="play_card"):
    """H12, H13: a card of one's own to the trick; a view's `playable` are those that may be."""

    card: HokmCard


# Hand -----------------------------------------------------------------------------------------


class Draw(Inbound, frozen=True, kw_only=True, tag="draw", rename={"source": "from"}):
    """N6: take a card from the stock, or the one on top of the fire pile."""

    source: Literal["stock", "fire"]


class LayMelds(Inbound, frozen=True, kw_only=True, tag="lay_melds"):
    """Lay runs and sets; the first time their worth must reach the bar."""

    melds: Annotated[tuple[tuple[HandCard, ...], ...], Meta(min_length=1, max_length=5)]


class LayOff(Inbound, frozen=True, kw_only=True, tag="lay_off"):
    """Add a card to a meld on the table; `end` where a card or joker fits both ends of a run."""

    meld: MeldId
    card: HandCard
    end: Literal["low", "high"] | None = None


class SwapJoker(Inbound, frozen=True, kw_only=True, tag="swap_joker"):
    """Take a joker out of a meld for the card that it stands for."""

    meld: MeldId
    card: HandCard


class Discard(Inbound, frozen=True, kw_only=True, tag="discard"):
    """Throw a card on the fire pile, which ends the turn."""

    card: HandCard


# Scoring, operators, advice -------------------------------------------------------------------


class HokmScore(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="game", tag="hokm"
):
    """H16: the points of one round, for the side that won it."""

    side: Literal[0, 1]
    kind: Literal["win", "kot", "hakem_kot"]
    points: Points


class HandScore(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="game", tag="hand"
):
    """The points of one round of Hand for each seat or side; `void`: nobody went out."""

    penalties: Annotated[tuple[Annotated[int, Meta(ge=-9_999, le=9_999)], ...], Meta(max_length=4)]
    void: bool


Score = HokmScore | HandScore


class RecordScore(Inbound, frozen=True, kw_only=True, tag="record_score"):
    """Voice `scoring` only. `of` is the head at that round's `round_ended`."""

    round: Round
    of: Hex32
    score: Score


class AbandonMatch(Inbound, frozen=True, kw_only=True, tag="abandon_match"):
    """Voice `ops` only."""

    reason: AbandonReason


GameAction = ChooseTrump | PlayCard | Draw | LayMelds | LayOff | SwapJoker | Discard
"""What a seat does on its turn; such a command must name its `move`."""
HOKM_ACTIONS: Final = (ChooseTrump, PlayCard)
HAND_ACTIONS: Final = (Draw, LayMelds, LayOff, SwapJoker, Discard)
GAME_ACTIONS: Final = (*HOKM_ACTIONS, *HAND_ACTIONS)


MOST_ACTIONS: Final = 24
"""Actions in a suggestion; a turn of more is hardly possible."""


class Suggestion(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the bot would do. `actions`: the next one, then what it means to do in the rest of the
    turn, as far as no card is drawn in between. `candidates`: the cards of Hokm that could be
    played, one of those that do the same, the advised one first, then by chance; empty where
    nothing was weighed.
    """

    actions: Annotated[tuple[GameAction, ...], Meta(min_length=1, max_length=MOST_ACTIONS)]
    reason: Reason
    candidates: Annotated[tuple[Candidate, ...], Meta(max_length=13)] = ()


class Advise(Inbound, frozen=True, kw_only=True, tag="advise"):
    """Voice `house<n>` only: the master's look (H21), relayed to the feed of who owns that seat. It
    is no event, and no answer is given to it. The command's `move` is the one that it is for.
    """

    suggestion: Suggestion


LobbyAction = OpenMatch | TakeSeat | LeaveSeat | AddNonce | StartMatch
Action = GameAction | LobbyAction | RecordScore | Advise | AbandonMatch


class Command(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`id` is accepted at most once, for ever; `move` names the decision that is meant."""

    id: CommandId
    move: Move | None = None
    action: Action


_encode = msgspec.json.Encoder().encode
_decode = decoder(Command)


def encode_command(command: Command) -> bytes:
    return _encode(command)


def decode_command(data: bytes) -> Command:
    """The command in `data`; raises `msgspec.DecodeError` if it is malformed in any way."""
    command: Command = _decode(data)
    return command
