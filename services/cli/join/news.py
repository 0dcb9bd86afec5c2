"""What happened, in a line of its own: who, and what; nothing that the public line does not say,
but for the cards that came into one's own hand.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec import Struct

from schemas.commands import HandScore, HokmScore, Options
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
    HandRound,
    JokerSwapped,
    MatchStarted,
    MeldsLaid,
    RoundEnded,
    RoundScored,
    SeatLeft,
    SeatTaken,
    TrickTaken,
    TrumpChosen,
    TurnTimedOut,
)
from schemas.feed import Happened
from schemas.ids import Seat
from services.cli.join.people import score, unit, who
from services.cli.join.speech import Speech
from services.rules.moves import DECISIONS
from services.scoring.terms import XO_POINTS


class Ears(Struct, frozen=True):
    """Who is told, and in which words; `masked`: the table gives XO points (H22)."""

    speech: Speech
    options: Options
    me: Seat | None
    masked: bool = False

    def who(self, seat: Seat | None) -> str:
        return "" if seat is None else who(self.speech, self.options, self.me, seat)


def told(ears: Ears, happened: Happened) -> str | None:
    """What is said of an event; None for one that changes nothing for a person."""
    event = happened.event
    tell = TELLERS.get(type(event.body))
    text = None if tell is None else tell(ears, happened)
    by_house = event.origin == "rule" and type(event.body) in DECISIONS
    return ears.speech.say("by_house", text=text) if text and by_house else text


# Hokm -----------------------------------------------------------------------------------------


def _hakem_drawn(ears: Ears, happened: Happened) -> str:
    body: HakemDrawn = _body(happened)
    return ears.speech.say("tell_ace", cards=body.shown, who=ears.who(body.hakem))


def _five_dealt(ears: Ears, happened: Happened) -> str:
    body: FiveDealt = _body(happened)
    return ears.speech.say("tell_five", round=body.round, who=ears.who(body.hakem))


def _trump_chosen(ears: Ears, happened: Happened) -> str:
    body: TrumpChosen = _body(happened)
    suit = ears.speech.say(f"suit_{body.suit}")
    return ears.speech.say("tell_trump", who=ears.who(happened.event.seat), suit=suit)


def _trick_taken(ears: Ears, happened: Happened) -> str:
    body: TrickTaken = _body(happened)
    tricks = score(ears.speech, ears.options, ears.me, body.tricks)
    return ears.speech.say("tell_trick", who=ears.who(body.by), tricks=tricks)


# Hand -----------------------------------------------------------------------------------------


def _hand_dealt(ears: Ears, happened: Happened) -> str:
    body: HandDealt = _body(happened)
    return ears.speech.say("tell_dealt", round=body.round, who=ears.who(body.dealer))


def _card_drawn(ears: Ears, happened: Happened) -> str:
    body: CardDrawn = _body(happened)
    name = "tell_drew" if happened.cards else "tell_draws"
    who_ = ears.who(happened.event.seat)
    return ears.speech.say(name, who=who_, cards=happened.cards, stock=body.stock)


def _melds_laid(ears: Ears, happened: Happened) -> str:
    body: MeldsLaid = _body(happened)
    melds = " / ".join(" ".join(meld) for meld in body.melds)
    name = "tell_opens" if body.opening else "tell_lays"
    who_ = ears.who(happened.event.seat)
    return ears.speech.say(name, who=who_, melds=melds, worth=body.value)


def _laid_off(ears: Ears, happened: Happened) -> str:
    body: CardLaidOff = _body(happened)
    who_ = ears.who(happened.event.seat)
    return ears.speech.say("tell_off", who=who_, card=body.card, meld=body.meld)


def _swapped(ears: Ears, happened: Happened) -> str:
    body: JokerSwapped = _body(happened)
    who_ = ears.who(happened.event.seat)
    return ears.speech.say("tell_swap", who=who_, card=body.card, joker=body.joker, meld=body.meld)


# Both -----------------------------------------------------------------------------------------


def _card(name: str) -> "Teller":
    """Who did something with one card."""

    def tell(ears: Ears, happened: Happened) -> str:
        body = _body(happened)
        return ears.speech.say(name, who=ears.who(happened.event.seat), card=body.card)

    return tell


def _seat(name: str) -> "Teller":
    """What became of a seat."""

    def tell(ears: Ears, happened: Happened) -> str:
        return ears.speech.say(name, who=ears.who(_body(happened).seat))

    return tell


def _control(ears: Ears, happened: Happened) -> str:
    body: ControlChanged = _body(happened)
    name = "tell_house" if body.control == "house" else "tell_owner"
    return ears.speech.say(name, who=ears.who(body.seat))


def _shuffled(ears: Ears, happened: Happened) -> str | None:
    """Each round is shuffled; only a new stock is news."""
    body: CardsShuffled = _body(happened)
    return ears.speech.say("tell_stock", cards=body.cards) if body.label[:5] == "stock" else None


def _started(ears: Ears, _happened: Happened) -> str:
    return ears.speech.say("tell_start")


def _round_ended(ears: Ears, happened: Happened) -> str:
    body: RoundEnded = _body(happened)
    result = body.result
    if not isinstance(result, HandRound):
        return ears.speech.say("tell_round", round=body.round)
    if result.went_out is None:
        return ears.speech.say("tell_void", round=body.round)
    name = "tell_hand" if result.hand else "tell_out"
    return ears.speech.say(name, round=body.round, who=ears.who(result.went_out))


def _round_scored(ears: Ears, happened: Happened) -> str:
    body: RoundScored = _body(happened)
    totals = score(ears.speech, ears.options, ears.me, body.totals)
    if isinstance(body.score, HokmScore):
        side = unit(ears.speech, ears.options, ears.me, body.score.side)
        way = ears.speech.say(f"way_{body.score.kind}")
        points = body.score.points
        text = ears.speech.say("tell_score", side=side, way=way, points=points, totals=totals)
        return text + _xo(ears, body.score)
    assert isinstance(body.score, HandScore)
    penalties = score(ears.speech, ears.options, ears.me, body.score.penalties)
    return ears.speech.say("tell_penalties", penalties=penalties, totals=totals)


def _xo(ears: Ears, scored: HokmScore) -> str:
    """In a line of its own, what the round gives to who sits here; empty if nothing (H22)."""
    if not ears.masked or ears.me is None or ears.me % 2 != scored.side:
        return ""
    return "\n" + ears.speech.say("tell_xo", points=XO_POINTS)


def _body(happened: Happened) -> Any:
    return happened.event.body


Teller = Callable[[Ears, Happened], str | None]
TELLERS: Final[Mapping[type, Teller]] = {
    SeatTaken: _seat("tell_sits"),
    SeatLeft: _seat("tell_leaves"),
    MatchStarted: _started,
    CardsShuffled: _shuffled,
    HakemDrawn: _hakem_drawn,
    FiveDealt: _five_dealt,
    TrumpChosen: _trump_chosen,
    CardPlayed: _card("tell_plays"),
    TrickTaken: _trick_taken,
    HandDealt: _hand_dealt,
    CardDrawn: _card_drawn,
    FireTaken: _card("tell_fire"),
    MeldsLaid: _melds_laid,
    CardLaidOff: _laid_off,
    JokerSwapped: _swapped,
    CardDiscarded: _card("tell_throws"),
    RoundEnded: _round_ended,
    RoundScored: _round_scored,
    TurnTimedOut: _seat("tell_late"),
    ControlChanged: _control,
}
"""By kind of event. How the match ends is told at its end."""
