"""From what a player did back to what he said, and what of it the log does not hold."""

from hashlib import sha256
from typing import Final, assert_never

from msgspec.structs import replace

from schemas.commands import (
    AbandonMatch,
    Action,
    AddNonce,
    ChooseTrump,
    Command,
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
from schemas.refusals import Refusal
from services.event_log.chain import NO_HEAD
from services.rules import match as rules
from services.rules import opening
from services.rules.match import MatchState

ANY_ID: Final = "x" * 16
"""A command's id is nothing to the rules."""
NO_CODE: Final = ""
_OPENS: Final = sha256(NO_CODE.encode()).hexdigest()
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


def action_of(body: Said) -> Action:
    """The action that `body` answers, as far as a log tells: a seat's code and the head that a
    score is of are others, which `refuse_again` does not mind.
    """
    match body:
        case MatchOpened():
            return opening_of(body)
        case SeatTaken():
            return TakeSeat(seat=body.seat, code=NO_CODE)
        case SeatLeft():
            return LeaveSeat()
        case NonceAdded():
            return AddNonce(nonce=body.nonce)
        case MatchStarted():
            return StartMatch()
        case RoundScored():
            return RecordScore(round=body.round, of=NO_HEAD, score=body.score)
        case MatchAbandoned():
            return AbandonMatch(reason=body.reason)
        case _:
            return turn_of(body)


def opening_of(body: MatchOpened) -> OpenMatch:
    """How a match was opened, but for its ticket, which the log does not hold."""
    return OpenMatch(options=body.options, seats=body.seats, invitation=body.invitation)


def is_sound(body: MatchOpened) -> bool:
    """Would a table have opened this match?"""
    return opening.well_formed(Command(id=ANY_ID, action=opening_of(body)))


def refuse_again(state: MatchState, voice: str, action: Action) -> Refusal | None:
    """May `voice` say this now? That he had an invitation's code is believed: no log holds it."""
    asked = _with_the_code(state) if isinstance(action, TakeSeat) else state
    return rules.refuse(asked, voice, Command(id=ANY_ID, move=state.move, action=action))


def _with_the_code(state: MatchState) -> MatchState:
    return replace(state, opened=replace(state.opened, invitation=_OPENS))


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
