"""Hand in a terminal: the table as one seat sees it, and its moves in words."""

from collections.abc import Sequence
from typing import Final

from schemas.cards import HandCard
from schemas.commands import Discard, Draw, GameAction, LayMelds, LayOff, SwapJoker
from schemas.views import HandView, Meld
from services.cli.join.games.cards import by_rank, by_suit, in_groups
from services.cli.join.people import score, who
from services.cli.join.speech import Speech
from services.rules.hand.state import low_ace
from services.rules.melds import read, value

FIRE_CARDS: Final = 10
"""The top cards of the fire that are shown."""
ORDERS: Final = ("suit", "rank", "time")
"""How one's own hand may be sorted: `time` is the order in which the cards came."""


def page(speech: Speech, view: HandView, order: str) -> list[str]:
    """The table and one's own cards; `order` is one of `ORDERS`."""
    return [
        speech.say(
            "head_hand", round=view.round, rounds=view.options.rounds, score=_score(speech, view)
        ),
        speech.say("piles", stock=view.stock, fire=_fire(speech, view), bar=view.bar),
        *(_meld(speech, view, meld) for meld in view.melds),
        speech.say("others", left=_left(speech, view)),
        speech.say("hand_of", count=len(view.hand), cards=sorted_hand(view.hand, order)),
        *_duties(speech, view),
    ]


def sorted_hand(cards: Sequence[HandCard], order: str) -> str:
    if order == "suit":
        return in_groups(by_suit(cards))
    return " ".join(by_rank(cards) if order == "rank" else cards)


def _score(speech: Speech, view: HandView) -> str:
    return score(speech, view.options, view.seat, view.totals)


def _fire(speech: Speech, view: HandView) -> str:
    """The top card last."""
    top = view.fire[-FIRE_CARDS:]
    if not top:
        return speech.say("nothing")
    return speech.put(("…", *top) if len(view.fire) > len(top) else top)


def _meld(speech: Speech, view: HandView, meld: Meld) -> str:
    owner = who(speech, view.options, view.seat, meld.owner)
    return speech.say("meld", meld=meld.id, cards=meld.cards, owner=owner)


def _left(speech: Speech, view: HandView) -> str:
    return speech.say("comma").join(
        speech.say(
            "opened_left" if view.opened[seat] else "closed_left",
            who=who(speech, view.options, view.seat, seat),
            count=count,
        )
        for seat, count in enumerate(view.left)
    )


def _duties(speech: Speech, view: HandView) -> list[str]:
    """What this turn owes, while it is one's own."""
    if view.turn != view.seat:
        return []
    duties = []
    if view.must_open:
        duties.append(speech.say("duty_open", bar=view.bar))
    if view.must_place:
        duties.append(speech.say("duty_place", cards=view.must_place))
    if view.taken is not None:
        duties.append(speech.say("duty_taken", card=view.taken))
    if view.drawn is not None:
        duties.append(speech.say("drawn", card=view.drawn))
    return duties


# Moves in words -------------------------------------------------------------------------------


def offer_text(speech: Speech, view: HandView, action: GameAction) -> str:
    match action:
        case Draw(source="stock"):
            return speech.say("offer_stock", stock=view.stock)
        case Draw():
            return speech.say("offer_fire", card=view.fire[-1])
        case LayMelds():
            return _melds_text(speech, view, action)
        case LayOff():
            end = "" if action.end is None else speech.say(f"end_{action.end}")
            return speech.say("offer_off", card=action.card, meld=action.meld, end=end).rstrip()
        case SwapJoker():
            return speech.say("offer_swap", card=action.card, meld=action.meld)
        case Discard():
            return speech.say("offer_drop", card=action.card)
        case _:
            raise AssertionError(action)


def _melds_text(speech: Speech, view: HandView, action: LayMelds) -> str:
    melds = " / ".join(" ".join(meld) for meld in action.melds)
    shapes = [shape for meld in action.melds if (shape := read(meld)) is not None]
    worth = sum(value(shape, low_ace(view.options)) for shape in shapes)
    return speech.say("offer_lay", melds=melds, worth=worth)
