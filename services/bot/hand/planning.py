"""What to put on the table: whole plans for the rest of the turn, the best of which is begun.

A plan is swaps, then one submission of melds, then lay-offs, none or more of those that fit. One
that leaves a legal end of the turn makes each of its steps legal: after each the turn can end as
planned. Only the first step is said; when asked again the rest is found anew, or something better.
"""

from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import Final

from msgspec import Struct

from schemas.cards import HandCard
from schemas.commands import LayMelds, LayOff, SwapJoker
from services.bot.hand.fitting import lay_offs, swaps
from services.bot.hand.reading import Reading
from services.rules.hand.ending import (
    Holding,
    after_lay_off,
    after_melds,
    after_swap,
    can_end,
)
from services.rules.hand.search import Spelled, highest, lightest, spell, ways
from services.rules.melds import held_value, is_joker

Step = LayMelds | LayOff | SwapJoker

WAYS: Final = 10
"""Ways to meld that are looked at beside the lightest; a few hands with two jokers have more."""
PLANS: Final = 200
"""Plans that are compared; rounds of bots came to 162."""


class Plan(Struct, frozen=True, kw_only=True):
    """`steps` on the table in order, and what is held after them."""

    steps: tuple[Step, ...]
    left: Holding


def best_plan(reading: Reading, *, swapping: int) -> Plan | None:
    """The best of the plans that were found, with `swapping` swaps at most; None if nothing can,
    may or need be laid.
    """
    start = Plan(steps=(), left=reading.held)
    plans = _growths(reading, start, swapping) if reading.bar is None else _openings(reading, start)
    found = islice(plans, PLANS)
    best = min((plan for plan in found if _ends(plan.left)), key=cost, default=start)
    return best if best.steps else None


def cost(plan: Plan) -> tuple[bool, bool, int, int]:
    """Smaller is better: going out first of all, if possible on own melds only (N26), then what is
    left in the hand.
    """
    out = goes_out(plan)
    abroad = out and any(_is_abroad(plan.left, step) for step in plan.steps)
    return not out, abroad, sum(map(held_value, plan.left.hand)), len(plan.steps)


def goes_out(plan: Plan) -> bool:
    """True if at most the card to throw is left: the round ends (N25)."""
    return len(plan.left.hand) <= 1


def _is_abroad(held: Holding, step: Step) -> bool:
    return not isinstance(step, LayMelds) and held.melds[step.meld - 1].owner != held.seat


def _ends(left: Holding) -> bool:
    spare = any(card != left.taken for card in left.hand)
    return not left.hand or (spare and not left.must_place)


# Plans ----------------------------------------------------------------------------------------


def holds_opening(reading: Reading, hand: tuple[HandCard, ...]) -> bool:
    """True if melds of `hand` reach the bar of a seat that has not opened."""
    return reading.bar is not None and highest(hand, low_ace=reading.low_ace) >= reading.bar


def _openings(reading: Reading, start: Plan) -> Iterator[Plan]:
    if holds_opening(reading, start.left.hand):
        yield from _submitted(reading, start)


def _growths(reading: Reading, start: Plan, swapping: int) -> Iterator[Plan]:
    yield from _lay_offs_after(start)
    yield from _submitted(reading, start)
    for swap in swaps(start.left) if swapping else ():
        left = after_swap(start.left, swap.meld, swap.card)
        yield from _growths(reading, _then(start, swap, left), swapping - 1)


def _submitted(reading: Reading, start: Plan) -> Iterator[Plan]:
    """Plans that go on with new melds, worth the bar if one is to be reached."""
    for melds in _submissions(reading, start.left):
        left = after_melds(start.left, melds)
        yield from _lay_offs_after(_then(start, LayMelds(melds=melds), left))


def _then(plan: Plan, step: Step, left: Holding) -> Plan:
    return Plan(steps=(*plan.steps, step), left=left)


def _submissions(reading: Reading, held: Holding) -> Iterator[Spelled]:
    """Melds for one submission: those that leave least in the hand, then some others; of two copies
    of a card one that must go down does.
    """
    ace, bar = reading.low_ace, reading.bar or 1

    def allowed(melds: Spelled) -> bool:
        return can_end(after_melds(held, melds))

    best = lightest(held.hand, low_ace=ace, bar=bar, allowed=allowed, taken=held.taken)
    if best is None:
        return
    yield best
    urgent = [card for card in (*held.must_place, held.taken) if card is not None]
    for way in islice(ways(held.hand, low_ace=ace, bar=bar), WAYS):
        for first in urgent or (None,):
            yield spell(way, held.hand, first=first)


def _lay_offs_after(plan: Plan) -> Iterator[Plan]:
    """The plan as it is, then with one lay-off more each time, as long as any fits: the last card
    may be better thrown than laid, for the sake of Hand or because the taken one cannot be.
    """
    yield plan
    while (step := _next_lay_off(plan.left)) is not None:
        left = after_lay_off(plan.left, step.meld, step.card, step.end)
        plan = _then(plan, step, left)
        yield plan


def _next_lay_off(held: Holding) -> LayOff | None:
    """The first to do: of a natural card, on an own meld (N26), on a run, which grows on, and of
    the dearest card.
    """
    return min(lay_offs(held), key=partial(_rank, held), default=None)


def _rank(held: Holding, step: LayOff) -> tuple[bool, bool, bool, int]:
    abroad = held.melds[step.meld - 1].owner != held.seat
    return is_joker(step.card), abroad, step.end is None, -held_value(step.card)
