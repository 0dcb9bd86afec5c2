"""A round around its turns: shuffled, dealt, ended (N4, N25 to N29)."""

from typing import Final, Literal

from msgspec.structs import replace

from schemas.cards import HAND_PACK, HandCard
from schemas.events import CardsShuffled, HandDealt, HandRound, HokmRound, SeatDrawn
from schemas.ids import Round
from services.rules.decider import Chance, Fact
from services.rules.hand import deal
from services.rules.hand.piles import RESHUFFLES, reshuffled
from services.rules.hand.state import NOTHING_DONE, HandState, next_seat

FIRST_ROUND: Final[Round] = 1
"""The draw of the first dealer belongs to the first round's seed."""
STOCKS: Final[tuple[Literal["stock1", "stock2", "stock3"], ...]] = ("stock1", "stock2", "stock3")
"""The labels of a round's reshuffles."""
assert len(STOCKS) == RESHUFFLES


def shuffle_pack(state: HandState, chance: Chance) -> Fact:
    """A fresh shuffle of all 106 for the next round."""
    return _shuffled(chance, state.round + 1, "deal", HAND_PACK)


def shuffle_fire(state: HandState, chance: Chance) -> Fact:
    """The older cards of the fire, bottom first, shuffled into a new stock (N27)."""
    return _shuffled(chance, state.round, STOCKS[state.reshuffles], state.fire[:-1])


def _shuffled(
    chance: Chance,
    round_: Round,
    label: Literal["deal", "stock1", "stock2", "stock3"],
    cards: tuple[HandCard, ...],
) -> Fact:
    pack = chance.order(round_, label, cards)
    body = CardsShuffled(round=round_, label=label, cards=len(cards), seal=chance.seal(round_))
    return Fact(body=body, origin="chance", pack=pack)


def draw_dealer(state: HandState, chance: Chance) -> Fact:
    seat = chance.seat(FIRST_ROUND, "first_dealer", state.options.seats)
    return Fact(body=SeatDrawn(label="first_dealer", seat=seat), origin="chance")


def deal_hands(state: HandState) -> HandDealt:
    """The first dealer is drawn, the others follow each other, void rounds included (N4)."""
    first = state.round == 0
    dealer = state.dealer if first else next_seat(state.options, state.dealer)
    return HandDealt(round=state.round + 1, dealer=dealer)


def result(state: HandState) -> HandRound:
    """How the round ended; nobody went out of one that is void."""
    went_out = next((seat for seat, cards in enumerate(state.hands) if not cards), None)
    return HandRound(
        went_out=went_out,
        hand=went_out is not None and not state.placed[went_out] and not state.now.abroad,
        opened=state.opened,
        left=state.hands,
    )


def shuffled(state: HandState, body: CardsShuffled, pack: tuple[HandCard, ...]) -> HandState:
    if body.label != "deal":
        return reshuffled(state, pack)
    return replace(state, step="deal" if state.round else "draw_dealer", pack=pack)


def dealt(state: HandState, body: HandDealt) -> HandState:
    """A new round; of the old one only its result, totals and contenders stay."""
    seats, starter = state.options.seats, next_seat(state.options, body.dealer)
    return HandState(
        options=state.options,
        step="discard_first",
        round=body.round,
        dealer=body.dealer,
        turn=starter,
        hands=deal.hands(state.pack, starter, seats),
        stock=deal.stock(state.pack, seats),
        opened=(False,) * seats,
        placed=(False,) * seats,
        totals=state.totals,
        contenders=state.contenders,
        voids=state.voids,
        last=state.last,
    )


def ended(state: HandState, result: HandRound | HokmRound) -> HandState:
    """Nobody is on turn until the score is recorded (N52)."""
    assert isinstance(result, HandRound)
    return replace(state, step="score", turn=None, now=NOTHING_DONE, last=result)
