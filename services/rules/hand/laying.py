"""Melds, lay-offs and joker swaps: may I, what it makes, the table after it (N14 to N26)."""

from collections.abc import Sequence

from msgspec.structs import replace

from schemas.cards import HandCard
from schemas.commands import HandOptions, LayMelds, LayOff, SwapJoker
from schemas.events import CardLaidOff, JokerSwapped, MeldsLaid
from schemas.ids import Seat
from schemas.refusals import Refusal
from schemas.views import Meld
from services.rules.hand.ending import (
    Holding,
    after_lay_off,
    after_melds,
    after_swap,
    can_end,
    holding_of,
)
from services.rules.hand.state import HandState, is_saudi, low_ace, unit_of, with_hand
from services.rules.hand.table import (
    Melds,
    joker_in,
    meld_at,
    shape_of,
    with_card,
    with_melds,
    with_swap,
)
from services.rules.melds import (
    End,
    Shape,
    ends_for,
    frees_joker,
    has_joker,
    is_joker,
    jokers_in,
    read,
    value,
)

# New melds ------------------------------------------------------------------------------------


def refuse_melds(state: HandState, seat: Seat, action: LayMelds) -> Refusal | None:
    """All melds of a submission are accepted or all are refused (N14)."""
    cards = [card for meld in action.melds for card in meld]
    if any(card not in state.hands[seat] for card in cards):
        return Refusal.CARD_NOT_HELD
    if len(set(cards)) < len(cards):
        return Refusal.DUPLICATE_CARD
    if any(jokers_in(meld) > 1 for meld in action.melds):
        return Refusal.TOO_MANY_JOKERS
    worth = worth_of(state.options, action.melds)
    if worth is None:
        return Refusal.NOT_A_MELD
    if not state.opened[seat] and worth < state.bar:
        return Refusal.OPENING_TOO_LOW
    after = after_melds(holding_of(state, seat), action.melds)
    return None if can_end(after) else Refusal.NO_LEGAL_FINISH


def worth_of(options: HandOptions, melds: Sequence[tuple[HandCard, ...]]) -> int | None:
    """The value of a submission, None if one of its lists is no meld."""
    ace, shapes = low_ace(options), map(read, melds)
    found = [value(shape, ace) for shape in shapes if shape is not None]
    return sum(found) if len(found) == len(melds) else None


def lay_melds(state: HandState, seat: Seat, action: LayMelds) -> MeldsLaid:
    worth = worth_of(state.options, action.melds)
    assert worth is not None
    opening = not state.opened[seat]
    first = len(state.melds) + 1
    return MeldsLaid(first_id=first, melds=action.melds, value=worth, opening=opening)


def melds_laid(state: HandState, seat: Seat, laid: MeldsLaid) -> HandState:
    """The state after a submission; an opening moves the bar in Saudi (N16)."""
    gone = {card for cards in laid.melds for card in cards}
    melds = with_melds(state.melds, seat, laid.melds)
    after = _put(state, seat, gone, melds, owner=seat)
    if not laid.opening:
        return after
    return replace(
        after,
        opened=opened_with(state.options, state.opened, seat),
        bar=bar_after(state.options, state.bar, laid.value),
    )


def opened_with(options: HandOptions, opened: tuple[bool, ...], seat: Seat) -> tuple[bool, ...]:
    """By seat, who has opened once `seat` has: in Saudi partnership its side with it (N17)."""
    if options.variant != "saudi_partnership":
        return tuple(was or other == seat for other, was in enumerate(opened))
    side = unit_of(options, seat)
    return tuple(was or unit_of(options, other) == side for other, was in enumerate(opened))


def bar_after(options: HandOptions, bar: int, worth: int) -> int:
    """What the next opening must be worth after one of `worth`: in Saudi one point more (N16)."""
    return worth + 1 if is_saudi(options) else bar


# Lay-offs and swaps ---------------------------------------------------------------------------


def refuse_growth(state: HandState, seat: Seat, action: LayOff | SwapJoker) -> Refusal | None:
    """The refusals that lay-off and swap share, then their own."""
    if action.card not in state.hands[seat]:
        return Refusal.CARD_NOT_HELD
    if not state.opened[seat]:
        return Refusal.NOT_OPENED
    meld = meld_at(state.melds, action.meld)
    if meld is None:
        return Refusal.UNKNOWN_MELD
    holding = holding_of(state, seat)
    if isinstance(action, LayOff):
        return refuse_lay_off(holding, meld, action)
    return refuse_swap(holding, meld, action.card)


def refuse_lay_off(holding: Holding, meld: Meld, action: LayOff) -> Refusal | None:
    """May one who has opened lay off a card that it holds on `meld`? (N20)"""
    shape = shape_of(meld)
    if is_joker(action.card) and has_joker(shape):
        return Refusal.TOO_MANY_JOKERS
    ends = ends_for(shape, action.card)
    on_set = None in ends
    if not ends or not (on_set or action.end is None or action.end in ends):
        return Refusal.DOES_NOT_FIT
    after = after_lay_off(holding, meld.id, action.card, end_of(shape, action))
    return None if can_end(after) else Refusal.NO_LEGAL_FINISH


def end_of(shape: Shape, action: LayOff) -> End | None:
    """Where a lay-off that fits goes: to the end asked for, else the preferred; None on a set."""
    preferred = ends_for(shape, action.card)[0]
    return preferred if preferred is None else action.end or preferred


def refuse_swap(holding: Holding, meld: Meld, card: HandCard) -> Refusal | None:
    """May one who has opened put a card that it holds in the place of a joker in `meld`? (N21)"""
    if not frees_joker(shape_of(meld), card):
        return Refusal.WRONG_SWAP_CARD
    after = after_swap(holding, meld.id, card)
    return None if can_end(after) else Refusal.NO_USE_FOR_JOKER


def lay_off(state: HandState, action: LayOff) -> CardLaidOff:
    """The fact says where the card went, also when the command left it open."""
    shape = shape_of(state.melds[action.meld - 1])
    return CardLaidOff(meld=action.meld, card=action.card, end=end_of(shape, action))


def swap_joker(state: HandState, action: SwapJoker) -> JokerSwapped:
    joker = joker_in(state.melds, action.meld)
    return JokerSwapped(meld=action.meld, card=action.card, joker=joker)


def card_laid_off(state: HandState, seat: Seat, laid: CardLaidOff) -> HandState:
    melds = with_card(state.melds, laid.meld, laid.card, laid.end)
    return _put(state, seat, {laid.card}, melds, owner=melds[laid.meld - 1].owner)


def joker_swapped(state: HandState, seat: Seat, swapped: JokerSwapped) -> HandState:
    """The freed joker is in the hand and must be placed before the turn ends (N22)."""
    melds = with_swap(state.melds, swapped.meld, swapped.card)
    after = _put(state, seat, {swapped.card}, melds, owner=melds[swapped.meld - 1].owner)
    must_place = (*after.now.must_place, swapped.joker)
    return replace(
        after,
        step="act",
        hands=with_hand(after, seat, (*after.hands[seat], swapped.joker)),
        now=replace(after.now, must_place=must_place),
    )


def _put(
    state: HandState, seat: Seat, gone: set[HandCard], melds: Melds, *, owner: Seat
) -> HandState:
    """After cards of `seat` went to melds of `owner`; an empty hand ends the round (N25)."""
    now = state.now
    left = tuple(card for card in state.hands[seat] if card not in gone)
    waiting = tuple(joker for joker in now.must_place if joker not in gone)
    return replace(
        state,
        step="act" if left else "end_round",
        hands=with_hand(state, seat, left),
        melds=melds,
        now=replace(now, must_place=waiting, placed=True, abroad=now.abroad or owner != seat),
    )
