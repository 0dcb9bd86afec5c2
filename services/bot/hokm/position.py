"""A view as a position of the search: my cards, and all that was shown since the deal."""

from msgspec import Struct
from msgspec.structs import replace

from schemas.cards import SUITS
from schemas.commands import HokmOptions
from schemas.views import HokmView
from services.bot.hokm.bits import BIT, NUMBER_OF, Cards, cards_of
from services.bot.hokm.round import Round


class Position(Struct, frozen=True, kw_only=True):
    """`round`: the round as it stands; of its hands only mine is known, it is not to be played on
    but by a copy. `shown`: the cards played, by seat. `score`: the points of the match so far, by
    side.
    """

    round: Round
    me: int
    shown: tuple[Cards, ...]
    options: HokmOptions
    score: tuple[int, int]


def read(view: HokmView) -> Position:
    """The position of a view whose seat has a card to play."""
    assert view.seat is not None
    assert view.trump is not None
    hands = [0, 0, 0, 0]
    hands[view.seat] = cards_of(view.hand)
    round_ = Round(hands, SUITS.index(view.trump), view.hakem)
    shown = [0, 0, 0, 0]
    for trick in filter(None, (*view.earlier, view.trick)):
        round_.leader = trick[0].seat
        for play in trick:
            card = NUMBER_OF[play.card]
            shown[play.seat] |= BIT[card]
            round_.play(card)
    round_.leader = (view.seat - len(view.trick)) % 4
    round_.taken = list(view.tricks)
    return Position(
        round=round_,
        me=view.seat,
        shown=tuple(shown),
        options=view.options,
        score=view.score,
    )


def forgotten(position: Position) -> Position:
    """The position as one sees it who remembers the trick on the table and nothing before."""
    round_ = position.round.copy(position.round.hands)
    round_.played = sum(BIT[card] for card in round_.trick)
    round_.void, round_.first_led = [0, 0, 0, 0], [-1, -1, -1, -1]
    return replace(position, round=round_)
