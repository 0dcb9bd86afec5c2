"""Hokm: rules of thumb, and a search that leaves them only where it is sure.

bits        cards as bits
round       a round that is played out in thought; the rules of a trick
sight       what the seat on turn can tell; danger: how a card may lose the trick
leading, following, thumb, rule   the rules of thumb: the guide's tips
nevers      what is never done above white
position    a view as a position; worlds: where the unseen cards may lie
search      what each card leads to; prospects: what a round is worth to the match
habits      the levels; playing: a card by a level's habits
reasons     why, in H21's words
"""

from schemas.advice import Reason
from schemas.commands import ChooseTrump, PlayCard, Suggestion
from schemas.views import BotTurn, HokmView
from services.bot.hokm.bits import name_of
from services.bot.hokm.habits import HABITS, Habits
from services.bot.hokm.playing import advise, play
from services.bot.hokm.position import read
from services.bot.hokm.reasons import reason
from services.bot.hokm.sight import Sight
from services.bot.luck import luck_of
from services.rules.hokm.house import longest_suit
from services.rules.tricks import SUIT_OF


def suggest(turn: BotTurn) -> Suggestion:
    """What the level of `turn`, a turn of Hokm, does: the trump or a card, and why."""
    return suggest_by(turn, HABITS[turn.level])


def suggest_by(turn: BotTurn, habits: Habits) -> Suggestion:
    """As `suggest`, by `habits`. Only one who searches can advise."""
    view = turn.view
    assert isinstance(view, HokmView)
    assert view.seat == view.turn
    if view.trump is None:
        return _call(view)
    position = read(view)
    advising = turn.task == "advise" and habits.worlds > 0
    chosen = (advise if advising else play)(position, habits, luck_of(view))
    sight = Sight(position.round, position.round.legal())
    return Suggestion(
        actions=(PlayCard(card=name_of(chosen.card)),),
        reason=reason(sight, chosen.card),
        candidates=chosen.candidates,
    )


def searches(turn: BotTurn) -> bool:
    """True if the answer to a turn of Hokm takes a search: tens of milliseconds, not tenths."""
    view = turn.view
    assert isinstance(view, HokmView)
    several = len(view.playable) > 1 or turn.task == "advise"
    return view.trump is not None and several and HABITS[turn.level].worlds > 0


def _call(view: HokmView) -> Suggestion:
    """Trump by the guide's rule: the longest suit, of equal ones that with the higher cards."""
    suit = longest_suit(view.hand)
    cards = tuple(sorted(card for card in view.hand if SUIT_OF[card] == suit))
    return Suggestion(
        actions=(ChooseTrump(suit=suit),), reason=Reason(why="long_suit", cards=cards)
    )
