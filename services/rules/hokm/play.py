"""A match of Hokm from its first shuffle to its end: may I, what comes of it, the fold."""

from typing import Final

from msgspec.structs import replace

from schemas.cards import HOKM_PACK, HokmCard
from schemas.commands import ChooseTrump, GameAction, HokmOptions, Options, PlayCard
from schemas.events import (
    Body,
    CardPlayed,
    CardsShuffled,
    FiveDealt,
    HakemDrawn,
    HokmRound,
    MatchAbandoned,
    MatchEnded,
    RestDealt,
    RoundEnded,
    RoundScored,
    SeatDrawn,
    TrickTaken,
    TrumpChosen,
)
from schemas.ids import Round, Seat
from schemas.refusals import Refusal
from schemas.views import Play
from services.rules import tricks
from services.rules.decider import Chance, Fact
from services.rules.hokm import deal
from services.rules.hokm.score import next_hakem, winner
from services.rules.hokm.state import (
    SEATS,
    SIDES,
    TRICKS_TO_WIN,
    HokmState,
    more,
    next_seat,
    side_of,
)

ACE_DRAW_ROUND: Final[Round] = 1
"""The ace draw belongs to the first round's seed."""
TRUMP_CLOCK: Final = 45.0
"""Seconds to name trump (H24)."""
CARD_CLOCK: Final = 25.0
"""Seconds to play a card (H24)."""


def seats(options: Options) -> int:
    assert isinstance(options, HokmOptions)
    return SEATS


def initial_state(options: Options) -> HokmState:
    assert isinstance(options, HokmOptions)
    return HokmState(options=options)


def dealt(state: HokmState) -> bool:
    return state.round > 0


def turn(state: HokmState) -> Seat | None:
    return state.turn


def clock(state: HokmState) -> float:
    return TRUMP_CLOCK if state.step == "name_trump" else CARD_CLOCK


# May I? ---------------------------------------------------------------------------------------


def refuse(state: HokmState, seat: Seat, action: GameAction) -> Refusal | None:
    """The first refusal that applies, in the order of docs/rules: the phase before the turn."""
    if not isinstance(action, (ChooseTrump, PlayCard)):
        return Refusal.MALFORMED
    if state.step == "over":
        return Refusal.MATCH_OVER
    if state.step != ("play" if isinstance(action, PlayCard) else "name_trump"):
        return Refusal.WRONG_PHASE
    if seat != state.turn:
        return Refusal.NOT_YOUR_TURN
    return _refuse_card(state, seat, action.card) if isinstance(action, PlayCard) else None


def _refuse_card(state: HokmState, seat: Seat, card: HokmCard) -> Refusal | None:
    if card not in state.hands[seat]:
        return Refusal.CARD_NOT_HELD
    return None if card in _following(state, seat) else Refusal.MUST_FOLLOW_SUIT


def _following(state: HokmState, seat: Seat) -> tuple[HokmCard, ...]:
    led = tricks.SUIT_OF[state.trick[0].card] if state.trick else None
    return tricks.following(state.hands[seat], led)


def playable(state: HokmState, seat: Seat) -> tuple[HokmCard, ...]:
    """The cards that `seat` could play now: those that `refuse` lets pass, found at once."""
    return _following(state, seat) if state.step == "play" and seat == state.turn else ()


def act(state: HokmState, seat: Seat, action: GameAction) -> Body:
    """What an action that is not refused makes."""
    assert refuse(state, seat, action) is None, "act on what refuse lets pass"
    if isinstance(action, PlayCard):
        return CardPlayed(card=action.card)
    assert isinstance(action, ChooseTrump)
    return TrumpChosen(suit=action.suit)


# What follows by chance or by rule ------------------------------------------------------------


def consequence(state: HokmState, chance: Chance) -> Fact | None:
    """The next fact that follows, None when the game waits."""
    match state.step:
        case "start":
            return _shuffled(chance, ACE_DRAW_ROUND, "ace_draw")
        case "draw_seat":
            drawn = chance.seat(ACE_DRAW_ROUND, "ace_draw", SEATS)
            return Fact(body=SeatDrawn(label="ace_draw", seat=drawn), origin="chance")
        case "shuffle":
            return _shuffled(chance, state.round + 1, "deal")
        case _:
            body = _by_rule(state)
            return None if body is None else Fact(body=body, origin="rule")


def _shuffled(chance: Chance, round_: Round, label: str) -> Fact:
    pack = chance.order(round_, label, HOKM_PACK)
    body = CardsShuffled(
        round=round_,
        label="ace_draw" if label == "ace_draw" else "deal",
        cards=len(HOKM_PACK),
        seal=chance.seal(round_),
    )
    return Fact(body=body, origin="chance", pack=pack)


def _by_rule(state: HokmState) -> Body | None:
    match state.step:
        case "turn_up":
            return deal.turn_up(state.pack, state.first)
        case "deal":
            return FiveDealt(round=state.round + 1, hakem=next_hakem(state))
        case "deal_rest":
            return RestDealt()
        case "take_trick":
            assert state.turn is not None
            return TrickTaken(by=state.turn, tricks=state.tricks)
        case "end_round":
            ended = HokmRound(hakem=state.hakem, tricks=state.tricks)
            return RoundEnded(round=state.round, result=ended)
        case _:
            return None


# Folding --------------------------------------------------------------------------------------


def evolve(state: HokmState, fact: Fact) -> HokmState:
    """The state after `fact`; a fact that is not this game's leaves it as it is."""
    match fact.body:
        case CardPlayed(card=card):
            return _card_played(state, fact.seat, card)
        case TrickTaken():
            won = TRICKS_TO_WIN in state.tricks
            return replace(state, step="end_round" if won else "play")
        case RoundEnded():
            return replace(state, step="score", turn=None)
        case RoundScored() as scored:
            return _round_scored(state, scored)
        case MatchEnded(winner=side):
            return replace(state, step="over", turn=None, winner=SIDES[side])
        case MatchAbandoned():
            return replace(state, step="over", turn=None)
        case _:
            return _evolve_deal(state, fact)


def _card_played(state: HokmState, seat: Seat | None, card: HokmCard) -> HokmState:
    assert seat is not None
    held = state.hands[seat]
    assert card in held, "a card that its seat does not hold"
    at = held.index(card)
    hands = (*state.hands[:seat], held[:at] + held[at + 1 :], *state.hands[seat + 1 :])
    trick = (*state.trick, Play(seat, card))
    if len(trick) == SEATS:
        return _trick_done(replace(state, hands=hands), trick)
    return replace(state, hands=hands, trick=trick, turn=next_seat(seat))


def _trick_done(state: HokmState, trick: tuple[Play, ...]) -> HokmState:
    assert state.trump is not None
    by = tricks.winner(trick, state.trump).seat
    return replace(
        state,
        step="take_trick",
        turn=by,
        trick=(),
        earlier=(*state.earlier, trick),
        tricks=more(state.tricks, side_of(by), 1),
    )


def _round_scored(state: HokmState, scored: RoundScored) -> HokmState:
    first, second = scored.totals
    after = replace(state, score=(first, second))
    return replace(after, step="shuffle" if winner(after) is None else "end_match")


def _evolve_deal(state: HokmState, fact: Fact) -> HokmState:
    match fact.body:
        case CardsShuffled(label=label):
            assert fact.pack is not None, "a shuffle without its pack"
            step = "draw_seat" if label == "ace_draw" else "deal"
            return replace(state, step=step, pack=fact.pack)
        case SeatDrawn(seat=seat):
            return replace(state, step="turn_up", first=seat)
        case HakemDrawn(hakem=hakem):
            return replace(state, step="shuffle", hakem=hakem, pack=())
        case FiveDealt() as five:
            return _five_dealt(state, five)
        case TrumpChosen(suit=suit):
            return replace(state, step="deal_rest", trump=suit)
        case RestDealt():
            return _rest_dealt(state)
        case _:
            return state


def _five_dealt(state: HokmState, five: FiveDealt) -> HokmState:
    return replace(
        state,
        step="name_trump",
        round=five.round,
        hakem=five.hakem,
        trump=None,
        turn=five.hakem,
        hands=deal.fives(state.pack, five.hakem),
        trick=(),
        earlier=(),
        tricks=(0, 0),
        pack=deal.after_fives(state.pack),
    )


def _rest_dealt(state: HokmState) -> HokmState:
    added = deal.rest(state.pack, state.hakem)
    hands = tuple(five + more for five, more in zip(state.hands, added, strict=True))
    return replace(state, step="play", hands=hands, pack=())
