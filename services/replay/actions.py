"""From what a player did back to what he said: the action that makes a stored body."""

from typing import assert_never

from schemas.commands import (
    AbandonMatch,
    Action,
    AddNonce,
    ChooseTrump,
    Discard,
    Draw,
    GameAction,
    LayMelds,
    LayOff,
    LeaveSeat,
    OpenMatch,
    PlayCard,
    RecordScore,
    StartMatch,
    SwapJoker,
    TakeSeat,
)
from schemas.events import (
    CardDiscarded,
    CardDrawn,
    CardLaidOff,
    CardPlayed,
    FireTaken,
    JokerSwapped,
    MatchAbandoned,
    MatchOpened,
    MatchStarted,
    MeldsLaid,
    NonceAdded,
    RoundScored,
    SeatLeft,
    SeatTaken,
    TrumpChosen,
)
from schemas.ids import Hex32

Done = (
    TrumpChosen
    | CardPlayed
    | CardDrawn
    | FireTaken
    | MeldsLaid
    | CardLaidOff
    | JokerSwapped
    | CardDiscarded
)
"""What a seat does on its turn."""
Said = (
    MatchOpened
    | SeatTaken
    | SeatLeft
    | NonceAdded
    | MatchStarted
    | RoundScored
    | MatchAbandoned
    | Done
)
"""The bodies that a command makes; all others follow by rule, by chance or by the clock."""


def action_of(body: Said, *, of: Hex32, code: str | None = None) -> Action:
    """The action that `body` answers.

    What the log does not hold is given: `of`, the head at the round's end, for a recorded score,
    and `code`, that of an invitation, for a seat.
    """
    match body:
        case MatchOpened():
            return opening_of(body)
        case SeatTaken():
            return TakeSeat(seat=body.seat, code=code)
        case SeatLeft():
            return LeaveSeat()
        case NonceAdded():
            return AddNonce(nonce=body.nonce)
        case MatchStarted():
            return StartMatch()
        case RoundScored():
            return RecordScore(round=body.round, of=of, score=body.score)
        case MatchAbandoned():
            return AbandonMatch(reason=body.reason)
        case _:
            return turn_of(body)


def opening_of(body: MatchOpened) -> OpenMatch:
    """How a match was opened, but for its ticket, which the log does not hold."""
    return OpenMatch(options=body.options, seats=body.seats, invitation=body.invitation)


def turn_of(body: Done) -> GameAction:
    """What a seat said on its turn."""
    match body:
        case TrumpChosen():
            return ChooseTrump(suit=body.suit)
        case CardPlayed():
            return PlayCard(card=body.card)
        case CardDrawn():
            return Draw(source="stock")
        case FireTaken():
            return Draw(source="fire")
        case MeldsLaid():
            return LayMelds(melds=body.melds)
        case CardLaidOff():
            return LayOff(meld=body.meld, card=body.card, end=body.end)
        case JokerSwapped():
            return SwapJoker(meld=body.meld, card=body.card)
        case CardDiscarded():
            return Discard(card=body.card)
        case _:
            assert_never(body)
