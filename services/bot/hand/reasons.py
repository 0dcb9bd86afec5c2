"""Why, in the words of `schemas.advice`: one reason for what is done next (H21)."""

from msgspec import Struct

from schemas.advice import HandWhy, Reason
from schemas.cards import HandCard
from schemas.commands import Discard, GameAction, LayMelds, LayOff, SwapJoker
from services.bot.hand.planning import Plan, Step, goes_out
from services.bot.hand.reading import Reading
from services.rules.hand.table import joker_in


class Decision(Struct, frozen=True, kw_only=True):
    """The next action of the seat on turn, and why."""

    action: GameAction
    reason: Reason


def begun(reading: Reading, plan: Plan) -> Decision:
    """The first step of `plan`, for the sake of which it is done if it ends the round."""
    step = plan.steps[0]
    if goes_out(plan):
        kept = {*plan.left.hand}
        cards = tuple(card for card in reading.held.hand if card not in kept)
        return Decision(action=step, reason=Reason(why="go_out", cards=cards))
    return Decision(action=step, reason=Reason(why=_why(reading, step), cards=named(reading, step)))


def owed(reading: Reading, action: GameAction) -> Decision:
    """What must still go to the table, in the house's way, or the only card that may be thrown."""
    return Decision(action=action, reason=Reason(why="finish_duty", cards=named(reading, action)))


def because(action: GameAction, why: HandWhy, *cards: HandCard) -> Decision:
    return Decision(action=action, reason=Reason(why=why, cards=cards))


def _why(reading: Reading, step: Step) -> HandWhy:
    match step:
        case LayMelds():
            return "lay_melds" if reading.bar is None else "open_hand"
        case LayOff():
            return "lay_off"
        case SwapJoker():
            return "free_joker"


def named(reading: Reading, action: GameAction) -> tuple[HandCard, ...]:
    """The cards that `action` moves; of a swap first the card that is given for the joker."""
    match action:
        case LayMelds(melds=melds):
            return tuple(card for meld in melds for card in meld)
        case SwapJoker(meld=meld, card=card):
            return card, joker_in(reading.held.melds, meld)
        case LayOff(card=card) | Discard(card=card):
            return (card,)
        case _:
            return ()
