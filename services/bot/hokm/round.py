"""A round as it is played out in thought: the rules of a trick on bits (H12 to H15).

It changes in place, for a search plays some thousand cards for one of its own; whoever starts from
a position copies it. That it plays by the very rules is tested against `services.rules`.
"""

from typing import Self

from services.bot.hokm.bits import ABOVE, BIT, SUIT, SUIT_OF, Cards, Number


class Round:
    """`hands`: by seat; those that are not known are empty. `trick`: the cards on the table, led by
    `leader`; `best`, of `best_seat`, holds it. `taken`: tricks by side. `played`: cards that were
    shown, on the table included. `void`: by seat, a bit for each suit that it did not follow.
    `first_led`: by seat the suit of its first lead, -1 before that.
    """

    __slots__ = (
        "best", "best_seat", "first_led", "hakem", "hands", "leader", "played", "taken", "trick",
        "trump", "void",
    )  # fmt: skip

    def __init__(self, hands: list[Cards], trump: int, hakem: int) -> None:
        self.hands = hands
        self.trump = trump
        self.hakem = hakem
        self.leader = hakem
        self.trick: list[Number] = []
        self.best = -1
        self.best_seat = -1
        self.taken = [0, 0]
        self.played: Cards = 0
        self.void = [0, 0, 0, 0]
        self.first_led = [-1, -1, -1, -1]

    def copy(self, hands: list[Cards]) -> Self:
        """The same position with other cards in the hands."""
        other = object.__new__(type(self))
        other.hands = hands[:]
        other.trump, other.hakem, other.leader = self.trump, self.hakem, self.leader
        other.trick, other.best, other.best_seat = self.trick[:], self.best, self.best_seat
        other.taken, other.played = self.taken[:], self.played
        other.void, other.first_led = self.void[:], self.first_led[:]
        return other

    @property
    def turn(self) -> int:
        return (self.leader + len(self.trick)) & 3

    def legal(self) -> Cards:
        """What the seat on turn may play (H13)."""
        held = self.hands[(self.leader + len(self.trick)) & 3]
        if not self.trick:
            return held
        return held & SUIT[SUIT_OF[self.trick[0]]] or held

    def play(self, card: Number) -> None:
        """The seat on turn plays `card`; the fourth card ends the trick (H14)."""
        trick, seat = self.trick, (self.leader + len(self.trick)) & 3
        self.hands[seat] &= ~BIT[card]
        self.played |= BIT[card]
        suit = SUIT_OF[card]
        if not trick:
            self.best, self.best_seat = card, seat
            if self.first_led[seat] < 0:
                self.first_led[seat] = suit
        else:
            if suit != SUIT_OF[trick[0]]:
                self.void[seat] |= 1 << SUIT_OF[trick[0]]
            if self._beats(card, suit):
                self.best, self.best_seat = card, seat
            if len(trick) == 3:
                self.taken[self.best_seat & 1] += 1
                self.leader, self.trick = self.best_seat, []
                return
        trick.append(card)

    def _beats(self, card: Number, suit: int) -> bool:
        return (
            bool(BIT[card] & ABOVE[self.best]) if suit == SUIT_OF[self.best] else suit == self.trump
        )
