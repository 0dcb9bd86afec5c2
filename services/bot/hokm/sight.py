"""What the seat on turn can tell: what is unseen and who may hold it.

Tip 1, "count trumps", is this page. A seat is out of a suit once it did not follow it, or once all
thirteen are accounted for.
"""

from services.bot.hokm.bits import (
    ABOVE,
    BIT,
    PACK,
    RANK_OF,
    SUIT,
    SUIT_OF,
    Cards,
    Number,
    highest,
    lowest,
)
from services.bot.hokm.round import Round
from services.rules.hokm.state import TRICKS_TO_WIN


class Sight:
    """The position as the seat on turn of `round` knows it; no other hand is looked at.

    `legal`: what it may play. `trumps`: all the cards of the trump suit. `unseen`: what the other
    three hold between them. `right` plays next, `left` before. `their_trumps`: an opponent may hold
    a trump. `deciding`: the trick makes seven for a side (H15); `saving`: the hakem's side, mine,
    has none yet (tip 7).
    """

    __slots__ = (
        "deciding",
        "hakems_side",
        "hand",
        "last",
        "left",
        "legal",
        "me",
        "ours",
        "partner",
        "right",
        "round",
        "saving",
        "their_trumps",
        "trump",
        "trumps",
        "unseen",
        "void",
    )  # fmt: skip

    def __init__(self, round_: Round, legal: Cards) -> None:
        me = (round_.leader + len(round_.trick)) & 3
        self.round = round_
        self.me = me
        self.hand = round_.hands[me]
        self.legal = legal
        self.trump = trump = round_.trump
        self.trumps = SUIT[trump]
        self.unseen = PACK & ~round_.played & ~self.hand
        self.void = void = round_.void
        self.right, self.partner, self.left = (me + 1) & 3, me ^ 2, (me + 3) & 3
        self.their_trumps = bool(self.unseen & self.trumps) and not (
            (void[self.right] & void[self.left]) >> trump & 1
        )
        self.ours = round_.taken[me & 1]
        self.hakems_side = (round_.hakem ^ me) & 1 == 0
        self.deciding = TRICKS_TO_WIN - 1 in round_.taken
        self.saving = self.hakems_side and not self.ours
        self.last = len(round_.trick) == 3


def may_hold(sight: Sight, seat: int, suit: int) -> bool:
    return bool(sight.unseen & SUIT[suit]) and not sight.void[seat] >> suit & 1


def ruffs(sight: Sight, seat: int, suit: int) -> bool:
    """True if `seat` is known to be out of the side suit `suit` and may hold a trump."""
    return (
        suit != sight.trump
        and not may_hold(sight, seat, suit)
        and may_hold(sight, seat, sight.trump)
    )


def known_ruff(sight: Sight, suit: int) -> bool:
    """True if an opponent ruffs a lead of the side suit `suit`, as far as is known."""
    return sight.their_trumps and (
        ruffs(sight, sight.right, suit) or ruffs(sight, sight.left, suit)
    )


def is_master(sight: Sight, card: Number) -> bool:
    """True if no opponent may hold a higher card of its suit."""
    if not sight.unseen & ABOVE[card]:
        return True
    return bool((sight.void[sight.right] & sight.void[sight.left]) >> SUIT_OF[card] & 1)


def partner_holds(sight: Sight) -> bool:
    """True if the trick on the table is the partner's as it lies."""
    return bool(sight.round.trick) and sight.round.best_seat == sight.partner


def winning(sight: Sight) -> Cards:
    """The legal cards that take the trick as it lies."""
    best = sight.round.best
    over = sight.legal & ABOVE[best]
    return over if SUIT_OF[best] == sight.trump else over | (sight.legal & sight.trumps)


def cheapest_equal(sight: Sight, cards: Cards) -> Number:
    """The lowest of `cards`, all of one suit, that is worth their highest: what lies between the
    two is mine or gone.
    """
    top = highest(cards)
    below = sight.unseen & SUIT[SUIT_OF[top]] & (BIT[top] - 1)
    return lowest(cards & ~(BIT[highest(below)] - 1)) if below else lowest(cards)


def weakest(cards: Cards) -> Number:
    """The lowest rank; of equal ranks the first suit's."""
    return min((lowest(cards & suit) for suit in SUIT if cards & suit), key=RANK_OF.__getitem__)
