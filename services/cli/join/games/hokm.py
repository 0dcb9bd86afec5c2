"""Hokm in a terminal: the table as one seat sees it, what may be played, what a line means."""

from collections.abc import Sequence

from schemas.cards import SUITS
from schemas.commands import ChooseTrump, GameAction, PlayCard
from schemas.views import HokmView, Play
from services.cli.join.games.cards import by_suit, in_groups, typed_card, typed_suit
from services.cli.join.games.trouble import Read, Trouble
from services.cli.join.people import score, who
from services.cli.join.speech import Speech
from services.rules.tricks import winner


def page(speech: Speech, view: HokmView) -> list[str]:
    """The table and one's own cards."""
    lines = [speech.say("head", round=view.round, score=_score(speech, view))]
    if view.trump is not None:
        trump, hakem = speech.say(f"suit_{view.trump}"), _who(speech, view, view.hakem)
        lines.append(speech.say("trump", suit=trump, hakem=hakem))
        tricks = score(speech, view.options, view.seat, view.tricks)
        lines.append(speech.say("tricks", tricks=tricks))
    if view.earlier and not view.trick:
        lines.append(_last(speech, view))
    if view.trick:
        lines.append(speech.say("on_table", plays=_plays(speech, view, view.trick)))
    hand = in_groups(by_suit(view.hand)) or speech.say("hidden")
    return [*lines, speech.say("hand", cards=hand)]


def _score(speech: Speech, view: HokmView) -> str:
    points = score(speech, view.options, view.seat, view.score)
    return speech.say("score_to", score=points, target=view.options.target)


def _last(speech: Speech, view: HokmView) -> str:
    assert view.trump is not None
    last = view.earlier[-1]
    by = _who(speech, view, winner(last, view.trump).seat)
    return speech.say("last_trick", plays=_plays(speech, view, last), by=by)


def _plays(speech: Speech, view: HokmView, plays: Sequence[Play]) -> str:
    return speech.say("comma").join(
        f"{_who(speech, view, play.seat)} {speech.put(play.card)}" for play in plays
    )


def _who(speech: Speech, view: HokmView, seat: int) -> str:
    return who(speech, view.options, view.seat, seat)


# What may be done -----------------------------------------------------------------------------


def offers(view: HokmView) -> tuple[GameAction, ...]:
    """Every legal move, in the order of the list that is shown."""
    if view.phase == "choosing_trump":
        return tuple(ChooseTrump(suit=suit) for suit in SUITS)
    return tuple(PlayCard(card=card) for card in by_suit(view.playable))


def offer_text(speech: Speech, action: GameAction) -> str:
    if isinstance(action, ChooseTrump):
        return speech.say(f"suit_{action.suit}")
    assert isinstance(action, PlayCard)
    return speech.put(action.card)


def read(speech: Speech, view: HokmView, line: str) -> Read:
    """What `line` means: a suit while trump is named, else a card."""
    words = line.split()
    if view.phase == "choosing_trump":
        suit = typed_suit(line.strip()) or typed_suit(speech.meaning(line))
        return Trouble("no_suit", {"word": line}) if suit is None else ChooseTrump(suit=suit)
    card = typed_card(words[-1]) if words else None
    if card is None or len(card) != 2 or len(words) > 2:
        return Trouble("no_card", {"word": line})
    return PlayCard(card=card)
