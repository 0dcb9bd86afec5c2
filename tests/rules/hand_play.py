"""Hand for the tests of its rules: positions, what comes of an action, whole matches at random."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from random import Random
from typing import Any, Final

from msgspec import Struct

from schemas.cards import HAND_PACK, HandCard
from schemas.commands import Discard, Draw, GameAction, HandOptions, LayMelds, LayOff, SwapJoker
from schemas.events import MatchEnded, RoundScored
from schemas.ids import Seat
from schemas.refusals import Refusal
from schemas.views import Meld, Toss
from services.rules.chance import SealedChance
from services.rules.decider import Fact
from services.rules.hand import GAME
from services.rules.hand.search import candidates, pool_of, spell, ways
from services.rules.hand.state import HandState, Turn, low_ace, units
from services.rules.hand.table import shape_of
from services.rules.melds import ends_for, frees_joker, read

CHANCE: Final = SealedChance(key=bytes(32), match="m_" + "0" * 32)
CLASSIC: Final = HandOptions(variant="classic", seats=4, rounds=3)
VARIANTS: Final = [
    *(HandOptions(variant="classic", seats=seats, rounds=3) for seats in (2, 3, 4)),
    *(HandOptions(variant="saudi", seats=seats, rounds=3) for seats in (2, 3, 4)),
    HandOptions(variant="partnership", seats=4, rounds=3),
    HandOptions(variant="saudi_partnership", seats=4, rounds=3),
]
"""Every variant at every number of seats."""
TABLES: Final = tuple(sorted((table.variant, table.seats) for table in VARIANTS))
"""The same as variant and seats, in the order of the alphabet."""
LONGEST_MATCH: Final = 200_000
"""Facts. No match of random moves comes near it."""
SOME_WAYS: Final = 20
"""Openings that a random player chooses among."""

Steps = list[tuple[Fact, HandState]]
Choose = Callable[[HandState, Seat], GameAction]


# Positions ------------------------------------------------------------------------------------


def cards(text: str) -> tuple[HandCard, ...]:
    return tuple(text.split())


def lists(text: str) -> tuple[tuple[HandCard, ...], ...]:
    """Melds such as "5H1 6H1 7H1, 9S1 9H1 9D1"."""
    return tuple(map(cards, text.split(",")))


def melds(text: str, owner: Seat = 3) -> tuple[Meld, ...]:
    """Melds on the table, all of `owner`."""
    return tuple(
        Meld(id=number, owner=owner, kind="set" if _is_set(listed) else "run", cards=listed)
        for number, listed in enumerate(lists(text) if text else (), 1)
    )


def _is_set(listed: tuple[HandCard, ...]) -> bool:
    shape = read(listed)
    assert shape is not None, f"{listed} is no meld"
    return type(shape).__name__ == "SetMeld"


def tosses(text: str, seat: Seat = 3) -> tuple[Toss, ...]:
    """Discards of `seat`, none of them taken."""
    return tuple(Toss(seat=seat, card=card, taken_by=None) for card in cards(text))


def position(
    hand: str,
    *,
    table: str = "",
    fire: str = "2C1",
    opened: bool = True,
    others: str = "9C2",
    **given: Any,
) -> HandState:
    """Seat 0 of four is on turn in step `act` (or as given), holding `hand`; the other seats hold
    `others` each, and the melds on the table are seat 3's.
    """
    options = given.pop("options", CLASSIC)
    seats = options.seats
    return HandState(
        **{
            "options": options,
            "step": "act",
            "round": 1,
            "dealer": seats - 1,
            "turn": 0,
            "hands": (cards(hand), *(cards(others) for _ in range(seats - 1))),
            "stock": cards("3C2 4C2 5C2"),
            "fire": cards(fire),
            "tosses": tosses(fire),
            "melds": melds(table, seats - 1),
            "opened": (opened, *(False for _ in range(seats - 2)), bool(table)),
            "placed": (False,) * seats,
            "now": Turn(drawn="2C2"),
            "totals": (0,) * units(options),
            "contenders": tuple(range(units(options))),
        }
        | given
    )


def begun(options: HandOptions = CLASSIC) -> Steps:
    """The first deal, fact by fact."""
    state: HandState = GAME.initial_state(options)
    return follow(state, GAME.consequence(state, CHANCE))


def void_round(**given: Any) -> HandState:
    """A round that waits for its score and is void."""
    state = position("2S1 3S1", stock=(), reshuffles=3, **given)
    state = said(state, Discard(card="2S1"))[-1][1]
    assert state.step == "score"
    return state


def refusal(state: HandState, action: GameAction, seat: Seat = 0) -> Refusal | None:
    return GAME.refuse(state, seat, action)


# What comes of it -----------------------------------------------------------------------------


def follow(state: HandState, fact: Fact | None, chance: Any = CHANCE) -> Steps:
    """The fact and all that follows from it by itself, each with the state after it."""
    steps: Steps = []
    while fact is not None:
        state = GAME.evolve(state, fact)
        steps.append((fact, state))
        fact = GAME.consequence(state, chance)
    return steps


def said(state: HandState, action: GameAction, chance: Any = CHANCE) -> Steps:
    """What comes of an action of the seat on turn that must be accepted."""
    seat = GAME.turn(state)
    assert seat is not None
    refusal = GAME.refuse(state, seat, action)
    assert refusal is None, f"{action} was refused: {refusal}"
    return follow(
        state, Fact(body=GAME.act(state, seat, action), origin="player", seat=seat), chance
    )


def after(state: HandState, *actions: GameAction) -> HandState:
    """The state after actions of the seats on turn that must all be accepted."""
    for action in actions:
        state = said(state, action)[-1][1]
    return state


def lay(text: str) -> LayMelds:
    return LayMelds(melds=lists(text))


def scored(state: HandState) -> Fact:
    """The fact that records a round's score, as the rules count it."""
    score = GAME.score(state)
    totals = GAME.totals(state, score)
    return Fact(body=RoundScored(round=state.round, score=score, totals=totals), origin="rule")


# Playing at random ----------------------------------------------------------------------------


class Table(Struct, frozen=True):
    """A match to be played: the seed decides the cards, `choose` the moves."""

    options: HandOptions
    seed: int
    choose: Choose

    @property
    def chance(self) -> SealedChance:
        return SealedChance(key=self.seed.to_bytes(8, "big"), match="m_" + "0" * 32)


def random_table(seed: int, options: HandOptions | None = None) -> Table:
    """A table of random legal moves; without options the seed chooses them too."""
    luck = Random(seed)
    return Table(options or luck.choice(VARIANTS), seed, partial(random_action, luck=luck))


def match_steps(table: Table) -> Iterator[tuple[Fact, HandState]]:
    """A whole match, fact by fact."""
    state: HandState = GAME.initial_state(table.options)
    chance = table.chance
    for _ in range(LONGEST_MATCH):
        fact = _next_fact(state, chance, table.choose)
        if fact is None:
            return
        state = GAME.evolve(state, fact)
        yield fact, state
    raise AssertionError("the match does not end")


def round_steps(table: Table) -> Steps:
    """The first round of a match, up to its end."""
    steps: Steps = []
    for fact, state in match_steps(table):
        steps.append((fact, state))
        if state.step == "score":
            break
    return steps


def _next_fact(state: HandState, chance: SealedChance, choose: Choose) -> Fact | None:
    if state.step == "over":
        return None
    fact = GAME.consequence(state, chance)
    if fact is not None:
        return fact
    if state.turn is not None:
        action = choose(state, state.turn)
        return Fact(body=GAME.act(state, state.turn, action), origin="player", seat=state.turn)
    winner = GAME.winner(state)
    if winner is None:
        return scored(state)
    body = MatchEnded(winner=winner, totals=state.totals, secret=chance.secret())
    return Fact(body=body, origin="rule")


def random_action(state: HandState, seat: Seat, *, luck: Random) -> GameAction:
    """A legal action: the fire and the table are used as often as they can be, a throw now and
    then although more could be done.
    """
    if state.step == "draw":
        fire = Draw(source="fire")
        wanted = luck.random() < 0.5 and GAME.refuse(state, seat, fire) is None
        return fire if wanted else Draw(source="stock")
    throws: list[GameAction] = [Discard(card=card) for card in state.hands[seat]]
    luck.shuffle(throws)
    more = [] if state.step == "discard_first" else table_actions(state, seat, luck)
    early = luck.random() < 0.2
    for action in (*throws, *more) if early else (*more, *throws):
        if GAME.refuse(state, seat, action) is None:
            return action
    raise AssertionError(f"no legal action: {state}")


def table_actions(state: HandState, seat: Seat, luck: Random) -> list[GameAction]:
    """Melds, lay-offs and swaps that fit, in any order; whether they are legal is not asked."""
    hand, ace = state.hands[seat], low_ace(state.options)
    if not state.opened[seat]:
        found = list(islice(ways(hand, low_ace=ace, bar=state.bar), SOME_WAYS))
        luck.shuffle(found)
        return [LayMelds(melds=spell(way, hand, first=luck.choice(hand))) for way in found]
    actions: list[GameAction] = [
        LayMelds(melds=spell((meld,), hand, first=luck.choice(hand)))
        for meld in candidates(pool_of(hand), ace)
    ]
    for meld in state.melds:
        actions += _on_meld(meld, hand)
    luck.shuffle(actions)
    return actions


def _on_meld(meld: Meld, hand: tuple[HandCard, ...]) -> Iterator[GameAction]:
    shape = shape_of(meld)
    for card in hand:
        for end in ends_for(shape, card):
            yield LayOff(meld=meld.id, card=card, end=end)
        if frees_joker(shape, card):
            yield SwapJoker(meld=meld.id, card=card)


def every_place(state: HandState) -> list[HandCard]:
    """Every card wherever it is, by code point; `HAND_PACK` sorted if none is lost or doubled."""
    held = [card for hand in state.hands for card in hand]
    laid = [card for meld in state.melds for card in meld.cards]
    return sorted((*state.stock, *state.fire, *held, *laid))


ALL_CARDS: Final = sorted(HAND_PACK)
