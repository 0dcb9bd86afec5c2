"""Either game in a terminal: its page, what is offered, what a line means."""

from collections.abc import Callable, Sequence
from typing import Final

from schemas.commands import Discard, GameAction, PlayCard
from schemas.refusals import Refusal
from schemas.views import HokmView, View
from services.cli.join.games import hand, hand_offers, hand_reading, hokm
from services.cli.join.games.trouble import Read, Trouble
from services.cli.join.speech import Speech

SHORT: Final = (PlayCard, Discard)
"""Moves of which many stand in one line."""


def page(speech: Speech, view: View, order: str) -> list[str]:
    """The table and one's own cards; `order` is how a hand of Hand is sorted."""
    if isinstance(view, HokmView):
        return hokm.page(speech, view)
    return hand.page(speech, view, order)


def offers(view: View, may: Callable[[GameAction], Refusal | None]) -> tuple[GameAction, ...]:
    """The legal moves that are shown, in their order."""
    return hokm.offers(view) if isinstance(view, HokmView) else hand_offers.offers(view, may)


def offer_lines(speech: Speech, view: View, offered: Sequence[GameAction]) -> list[str]:
    """The offers with their numbers: single cards in one line, all else in a line each."""
    numbered = list(enumerate(offered, 1))
    lines = [
        speech.say("offer", number=number, text=offer_text(speech, view, action))
        for number, action in numbered
        if not isinstance(action, SHORT)
    ]
    short = [
        speech.say("short_offer", number=number, card=action.card)
        for number, action in numbered
        if isinstance(action, SHORT)
    ]
    if not short:
        return lines
    name = "may_play" if isinstance(view, HokmView) else "may_drop"
    return [*lines, speech.say(name, cards="   ".join(short))]


def offer_text(speech: Speech, view: View, action: GameAction) -> str:
    if isinstance(view, HokmView):
        return hokm.offer_text(speech, action)
    return hand.offer_text(speech, view, action)


def hint(speech: Speech, view: View) -> list[str]:
    """In Hand before one's opening: how near the hand is to the bar."""
    if isinstance(view, HokmView) or view.phase != "act" or hand_offers.opened(view):
        return []
    worth = hand_offers.worth(view)
    return [speech.say("worth", worth=worth, bar=view.bar)] if worth < view.bar else []


def ask(view: View) -> str:
    """The name of the prompt."""
    return f"ask_{view.phase}"


def how(view: View) -> str:
    """The name of the page of help."""
    return "help_hokm" if isinstance(view, HokmView) else "help_hand"


def read(speech: Speech, view: View, offered: Sequence[GameAction], line: str) -> Read:
    """What `line` means: the number of an offer, or the game's own words."""
    if line.isdecimal():
        return _offered(offered, line)
    if isinstance(view, HokmView):
        return hokm.read(speech, view, line)
    return hand_reading.read(speech, view, line)


def _offered(offered: Sequence[GameAction], line: str) -> Read:
    at = int(line[-9:])
    if len(line) > 3 or not 1 <= at <= len(offered):
        return Trouble("no_number", {"most": len(offered)})
    return offered[at - 1]
