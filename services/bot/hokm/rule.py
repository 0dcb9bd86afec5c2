"""The rules of thumb as one player: the guide's seven tips and what a good partner never does. It
plays a level's moves, and every seat's in the rounds that a search plays out.
"""

from services.bot.hokm.bits import Number
from services.bot.hokm.following import follow
from services.bot.hokm.leading import lead
from services.bot.hokm.round import Round
from services.bot.hokm.sight import Sight


def rule_card(round_: Round) -> Number:
    """The card of the seat on turn, which looks at no other hand."""
    legal = round_.legal()
    if legal & (legal - 1) == 0:
        return legal.bit_length() - 1
    sight = Sight(round_, legal)
    return follow(sight) if round_.trick else lead(sight)
