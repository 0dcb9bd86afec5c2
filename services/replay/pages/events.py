"""An event in words: what its public line says, for every eye the same."""

from typing import Final, assert_never

from schemas.cards import Card
from schemas.commands import HandScore, HokmScore
from schemas.events import (
    Body,
    CardDiscarded,
    CardDrawn,
    CardLaidOff,
    CardPlayed,
    CardsShuffled,
    ControlChanged,
    Event,
    FireTaken,
    FiveDealt,
    HakemDrawn,
    HandDealt,
    HandRound,
    HokmRound,
    JokerSwapped,
    MatchAbandoned,
    MatchEnded,
    MatchOpened,
    MatchStarted,
    MeldsLaid,
    NonceAdded,
    RestDealt,
    RoundEnded,
    RoundRevealed,
    RoundScored,
    SeatDrawn,
    SeatLeft,
    SeatTaken,
    TrickTaken,
    TrumpChosen,
    TurnTimedOut,
)
from services.replay.pages.layout import MARKS, in_order
from services.rules.moves import DECISIONS

Lobby = MatchOpened | SeatTaken | SeatLeft | NonceAdded | MatchStarted
Dealing = CardsShuffled | SeatDrawn | HakemDrawn | FiveDealt | RestDealt | HandDealt
Trick = TrumpChosen | CardPlayed | TrickTaken
Turn = CardDrawn | FireTaken | MeldsLaid | CardLaidOff | JokerSwapped | CardDiscarded
Ending = RoundEnded | RoundRevealed | RoundScored | MatchEnded | MatchAbandoned
Clock = TurnTimedOut | ControlChanged
_WAYS: Final = {"win": "win", "kot": "kot", "hakem_kot": "kot of the hakem"}


def words(event: Event, unit: str) -> str:
    """What happened, in one line; `unit`: what wins this match, a side or a seat."""
    body = event.body
    by_house = event.origin == "rule" and type(body) in DECISIONS
    return _words(body, f"seat {event.seat}", unit) + (
        " (the house, for time was up)" if by_house else ""
    )


def _words(body: Body, who: str, unit: str) -> str:
    if isinstance(body, Turn):
        return _turn(body, who)
    if isinstance(body, Trick):
        return _trick(body, who)
    if isinstance(body, Lobby):
        return _lobby(body, who)
    if isinstance(body, Dealing):
        return _dealing(body)
    return _clock(body) if isinstance(body, Clock) else _ending(body, unit)


def _lobby(body: Lobby, who: str) -> str:
    match body:
        case MatchOpened():
            return f"{body.owner} opens the match ({body.ruleset})"
        case SeatTaken():
            return f"{body.player} takes seat {body.seat}"
        case SeatLeft():
            return f"seat {body.seat} is left by its player"
        case NonceAdded():
            return f"{who} adds randomness of its own"
        case MatchStarted():
            return "the match starts"
        case _:
            assert_never(body)


def _dealing(body: Dealing) -> str:
    match body:
        case CardsShuffled():
            return f"{body.cards} cards are shuffled ({body.label} of round {body.round})"
        case SeatDrawn():
            return f"seat {body.seat} is drawn ({body.label})"
        case HakemDrawn():
            return f"seat {body.hakem} draws the ace and is hakem: {in_order(body.shown)}"
        case FiveDealt():
            return f"round {body.round}: five cards each, seat {body.hakem} is hakem"
        case RestDealt():
            return "the other cards are dealt"
        case HandDealt():
            return f"round {body.round}: seat {body.dealer} deals"
        case _:
            assert_never(body)


def _trick(body: Trick, who: str) -> str:
    match body:
        case TrumpChosen():
            return f"{who} names {MARKS[body.suit]} {body.suit} trump"
        case CardPlayed():
            return f"{who} plays {body.card}"
        case TrickTaken():
            return f"seat {body.by} takes the trick, {_numbers(body.tricks)}"
        case _:
            assert_never(body)


def _turn(body: Turn, who: str) -> str:
    match body:
        case CardDrawn():
            return f"{who} draws from the stock, {body.stock} are left"
        case FireTaken():
            return f"{who} takes {body.card} from the fire"
        case MeldsLaid():
            does = "opens with" if body.opening else "lays"
            return f"{who} {does} {_melds(body.melds)} (worth {body.value})"
        case CardLaidOff():
            end = f", {body.end} end" if body.end else ""
            return f"{who} lays {body.card} off on meld {body.meld}{end}"
        case JokerSwapped():
            return f"{who} swaps {body.card} for {body.joker} of meld {body.meld}"
        case CardDiscarded():
            return f"{who} throws {body.card}"
        case _:
            assert_never(body)


def _ending(body: Ending, unit: str) -> str:
    match body:
        case RoundEnded():
            return f"round {body.round} ends: {_result(body.result)}"
        case RoundRevealed():
            return f"round {body.round}: its seed and packs are revealed"
        case RoundScored():
            return (
                f"round {body.round} is scored: {_score(body.score)}; now {_numbers(body.totals)}"
            )
        case MatchEnded():
            return f"the match ends: {unit} {body.winner} wins with {_numbers(body.totals)}"
        case MatchAbandoned():
            return f"the match is abandoned ({body.reason})"
        case _:
            assert_never(body)


def _clock(body: Clock) -> str:
    if isinstance(body, TurnTimedOut):
        return f"time is up for seat {body.seat}"
    if body.control == "house":
        return f"the house plays seat {body.seat} from now on"
    return f"seat {body.seat} is played by its owner again"


def _result(result: HokmRound | HandRound) -> str:
    if isinstance(result, HokmRound):
        return f"tricks {_numbers(result.tricks)}"
    if result.went_out is None:
        return "void, nobody went out"
    return f"seat {result.went_out} goes out" + (" with Hand" if result.hand else "")


def _score(score: HokmScore | HandScore) -> str:
    if isinstance(score, HokmScore):
        return f"{score.points} for side {score.side} ({_WAYS[score.kind]})"
    return f"{'void, ' if score.void else ''}penalties {_numbers(score.penalties)}"


def _melds(melds: tuple[tuple[Card, ...], ...]) -> str:
    return " + ".join(map(in_order, melds))


def _numbers(numbers: tuple[int, ...]) -> str:
    return ":".join(map(str, numbers))
