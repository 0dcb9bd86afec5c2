"""Hokm's rules of thumb: the guide's seven tips and what a good partner never does.

Levels do not differ yet: white, black and chrome all play these rules.
"""

from schemas.advice import Reason
from schemas.commands import ChooseTrump, PlayCard, Suggestion
from schemas.views import BotTurn, HokmView
from services.bot.hokm.following import follow
from services.bot.hokm.leading import lead
from services.bot.hokm.reading import read
from services.rules.hokm.house import longest_suit


def suggest(turn: BotTurn) -> Suggestion:
    assert isinstance(turn.view, HokmView)
    return Suggestion(actions=(choose(turn.view),), reason=Reason(why="low_card", cards=()))


def choose(view: HokmView) -> ChooseTrump | PlayCard:
    """What the seat of `view`, which must be on turn, says: the trump or a card.

    Trump by the guide's rule: the longest suit, of equal ones that with the higher cards.
    """
    assert view.seat is not None
    assert view.seat == view.turn
    if view.trump is None:
        return ChooseTrump(suit=longest_suit(view.hand))
    if len(view.playable) == 1:
        return PlayCard(card=view.playable[0])
    reading = read(view)
    return PlayCard(card=lead(reading) if reading.best is None else follow(reading))
