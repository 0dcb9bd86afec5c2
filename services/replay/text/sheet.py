"""The play as lines: what a person follows. Every line says who did what, or what came of it.

A line begins with what the match waits for: nothing in the lobby, `Trump`, in Hokm the trick's
number, in Hand the turn's number and its seat, `Score`. What people did meanwhile stands in
parentheses where it happened.
"""

from collections.abc import Iterable
from itertools import chain
from typing import Final

from schemas.cards import RANKS, SUITS, Card
from schemas.commands import HokmScore, Score
from schemas.events import (
    CardDiscarded,
    CardDrawn,
    CardLaidOff,
    CardPlayed,
    CardsShuffled,
    ControlChanged,
    FireTaken,
    FiveDealt,
    HakemDrawn,
    HandDealt,
    HokmRound,
    JokerSwapped,
    MatchAbandoned,
    MatchEnded,
    MatchStarted,
    MeldsLaid,
    NonceAdded,
    RestDealt,
    RoundEnded,
    RoundScored,
    SeatDrawn,
    SeatLeft,
    SeatTaken,
    TrickTaken,
    TrumpChosen,
    TurnTimedOut,
)
from schemas.ids import Seat
from services.event_log.port import Entry
from services.replay.rebuild import unit_word
from services.replay.text.form import SCORE, TRUMP
from services.rules import sight
from services.rules.history import Unfolded
from services.rules.match import MatchState

Seen = Unfolded[Entry]
_BACK: Final = {"owner": "back", "house": "house"}


def play_lines(seen: Iterable[Seen]) -> list[str]:
    """The lines of a match, a blank one before each round."""
    sheet = _Sheet()
    for one in seen:
        sheet.take(one)
    return sheet.lines()


class _Sheet:
    """Lines so far, each a list of a label and items; `_label` begins the one that goes on."""

    def __init__(self) -> None:
        self._lines: list[list[str]] = []
        self._label = ""
        self._goes_on = False
        self._number = 1
        self._drawn: Seat = 0

    def lines(self) -> list[str]:
        return [_joined(line) for line in self._lines]

    def take(self, seen: Seen) -> None:
        item = _of_people(seen) or _of_hokm(seen) or _of_hand(seen)
        if item is not None:
            self._put(item)
        whole = self._whole(seen)
        if whole:
            self._lines += [[line] for line in whole]
        self._turn_to(seen)

    def _put(self, item: str) -> None:
        if not self._goes_on:
            self._lines.append([self._label] if self._label else [])
        self._lines[-1].append(item)
        self._goes_on = self._label != ""

    def _turn_to(self, seen: Seen) -> None:
        """What the match waits for now begins the next line."""
        match seen.event.body:
            case FiveDealt():
                self._wait(TRUMP, number=0)
            case RestDealt() | TrickTaken():
                self._wait(f"{self._number + 1}.", number=self._number + 1)
            case HandDealt():
                self._wait(f"1. {sight.turn(seen.after)}:", number=1)
            case CardDiscarded():
                number = self._number + 1
                self._wait(f"{number}. {sight.turn(seen.after)}:", number=number)
            case RoundEnded():
                self._wait(SCORE, number=0)
            case _:
                pass

    def _wait(self, label: str, *, number: int) -> None:
        self._label, self._number, self._goes_on = label, number, False

    def _whole(self, seen: Seen) -> list[str]:
        """Lines of their own, which only say what follows."""
        match seen.event.body:
            case SeatDrawn(seat=seat):
                self._drawn = seat
                return []
            case HakemDrawn(shown=shown, hakem=hakem):
                turned = " ".join(f"{(self._drawn + i) % 4}:{card}" for i, card in enumerate(shown))
                return ["", f"Draw {turned} -> {hakem}"]
            case FiveDealt(round=number, hakem=hakem):
                five = grouped(sight.hand(seen.after, hakem))
                return ["", f"Round {number}, hakem {hakem}", f"Five {hakem}: {five}"]
            case RestDealt():
                return _hands(seen.after)
            case HandDealt(round=number, dealer=dealer):
                return ["", f"Round {number}, dealer {dealer}", *_hands(seen.after)]
            case RoundEnded() as ended:
                return [_ended(ended)]
            case MatchEnded(winner=winner):
                return [f"Winner {unit_word(seen.after)} {winner}"]
            case _:
                return []


def _joined(line: list[str]) -> str:
    """A turn of Hand has commas between its parts, since a part has several words."""
    label, *items = line
    return f"{label} {', '.join(items)}" if label.endswith(":") else " ".join(line)


def _of_people(seen: Seen) -> str | None:
    """Asides: who came, went, was late; and what the table did about it."""
    match seen.event.body:
        case SeatTaken(seat=seat, player=player):
            return f"({seat} sits {player})"
        case SeatLeft(seat=seat):
            return f"({seat} leaves)"
        case NonceAdded(nonce=nonce):
            return f"({seen.event.seat} nonce {nonce})"
        case MatchStarted():
            return "(start)"
        case TurnTimedOut(seat=seat):
            return f"({seat} late)"
        case ControlChanged(seat=seat, control=control):
            return f"({seat} {_BACK[control]})"
        case MatchAbandoned(reason=reason):
            return f"(abandoned {reason})"
        case _:
            return None


def _of_hokm(seen: Seen) -> str | None:
    match seen.event.body:
        case TrumpChosen(suit=suit):
            return f"{seen.event.seat}:{suit}"
        case CardPlayed(card=card):
            return f"{seen.event.seat}:{card}"
        case TrickTaken(by=by):
            return f"-> {by}"
        case RoundScored(score=score, totals=totals):
            return f"{_score(score)}, now {':'.join(map(str, totals))}"
        case _:
            return None


def _of_hand(seen: Seen) -> str | None:
    match seen.event.body:
        case CardDrawn() as drawn:
            assert seen.before is not None
            assert seen.event.seat is not None
            cards = sight.cards_dealt(seen.before, drawn, seen.after, seen.event.seat)
            return f"stock {' '.join(cards)}"
        case FireTaken(card=card):
            return f"fire {card}"
        case MeldsLaid() as laid:
            return _laid(laid)
        case CardLaidOff(meld=meld, card=card, end=end):
            return f"off #{meld} {card}" + (f" {end}" if end else "")
        case JokerSwapped(meld=meld, card=card, joker=joker):
            return f"swap #{meld} {card} for {joker}"
        case CardDiscarded(card=card):
            return f"drop {card}"
        case CardsShuffled(label="stock1" | "stock2" | "stock3", cards=cards):
            return f"(new stock {cards})"
        case _:
            return None


def _laid(laid: MeldsLaid) -> str:
    """An opening says what it is worth; a meld's number stands before its cards."""
    verb = f"open {laid.value}" if laid.opening else "lay"
    numbered = enumerate(laid.melds, laid.first_id)
    return " ".join(chain([verb], *([f"#{number}", *cards] for number, cards in numbered)))


def _score(score: Score) -> str:
    if isinstance(score, HokmScore):
        return f"side {score.side} {score.kind} {score.points}"
    return "void" if score.void else " ".join(map(str, score.penalties))


def _ended(ended: RoundEnded) -> str:
    result = ended.result
    if isinstance(result, HokmRound):
        return f"Ended {result.tricks[0]}:{result.tricks[1]}"
    if result.went_out is None:
        return "Ended void"
    return f"Ended {result.went_out} went out" + (" with Hand" if result.hand else "")


# Cards ----------------------------------------------------------------------------------------


def _hands(state: MatchState) -> list[str]:
    seats = range(len(state.chairs))
    return [f"Cards {seat}: {grouped(sight.hand(state, seat))}" for seat in seats]


def grouped(cards: tuple[Card, ...]) -> str:
    """By suit, spades first, the higher before the lower; - for a void; jokers last."""
    suits = [_suit(cards, suit) for suit in SUITS]
    jokers = [card for card in cards if card.startswith("JK")]
    return " | ".join([*suits, " ".join(sorted(jokers))] if jokers else suits)


def _suit(cards: tuple[Card, ...], suit: str) -> str:
    held = [card for card in cards if card[1] == suit and not card.startswith("JK")]
    return " ".join(sorted(held, key=lambda card: (-RANKS.index(card[0]), card))) or "-"
