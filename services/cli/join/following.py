"""A client's own fold: the match as one player can know it, from snapshots and the feed alone.

What is not known is a card all the same: each unknown card of a hand, of the stock or of a pack is
a blank of its own, and becomes a card when the feed names it. So the very rules that the table
folds by can be folded by here, with what this player was told and with nothing else.
"""

import itertools
from collections.abc import Iterable, Iterator
from typing import Final, Literal, cast

from msgspec import Struct
from msgspec.structs import replace

from schemas.cards import Card
from schemas.commands import Options, SeatPlan
from schemas.events import (
    CardDiscarded,
    CardLaidOff,
    CardPlayed,
    CardsShuffled,
    Event,
    JokerSwapped,
    MatchOpened,
    MeldsLaid,
)
from schemas.feed import Happened, Sitting, Snapshot
from schemas.ids import Seat
from schemas.views import HandView, HokmView, View
from services.rules.games import ruleset_of
from services.rules.hand.state import HandState, Turn
from services.rules.history import fact_of
from services.rules.hokm.state import HokmState
from services.rules.match import MatchState, evolve, seat_of
from services.rules.seats import Chair

NOBODY: Final = "0" * 64
BLANK: Final = "?"


class Followed(Struct, frozen=True):
    """The match as `player` knows it; `state` is None before the first deal, unless it is known
    how the match was opened.
    """

    player: str
    version: int
    head: str
    state: MatchState | None


def from_snapshot(player: str, told: Snapshot, opened: MatchOpened | None = None) -> Followed:
    """All that was known before is replaced. `opened`, from the history, is what no snapshot
    tells: the owner, and for whom each seat is.
    """
    state: MatchState | None = None
    if told.view is not None:
        state = _state_of(told, told.view, opened or _opened(told.view.options, told.sitting))
    elif opened is not None:
        state = _lobby(told, opened)
    return Followed(player, told.version, told.head, state)


def after(followed: Followed, told: Happened) -> Followed:
    """One version further; `told` must be the next one."""
    event = told.event
    assert event.version == followed.version + 1
    state = followed.state
    if state is not None:
        state = _evolved(followed.player, state, told)
    return replace(followed, version=event.version, head=told.head, state=state)


def seat_in(followed: Followed) -> Seat | None:
    return None if followed.state is None else seat_of(followed.state, followed.player)


# From a snapshot ------------------------------------------------------------------------------


def _lobby(told: Snapshot, opened: MatchOpened) -> MatchState:
    """Nothing is dealt yet: the start and all that follows it is still to come."""
    chairs = _chairs(told.sitting, opened)
    return MatchState(opened=opened, chairs=chairs, move=told.move, outcome=told.over)


def _state_of(told: Snapshot, view: View, opened: MatchOpened) -> MatchState:
    game, totals, ended = (
        (_hokm(view), view.score, view.round)
        if isinstance(view, HokmView)
        else (_hand(view), view.totals, view.round)
    )
    return MatchState(
        opened=opened,
        chairs=_chairs(told.sitting, opened),
        move=told.move,
        started=True,
        outcome=told.over,
        ended=ended if view.phase == "scoring" else None,
        totals=totals,
        game=game,
    )


def _opened(options: Options, sitting: tuple[Sitting, ...]) -> MatchOpened:
    """What a snapshot does not tell stays empty, and no view of a running match needs it."""
    return MatchOpened(
        ruleset=ruleset_of(options),
        options=options,
        seats=tuple(map(_plan, sitting)),
        owner="",
        invitation=None,
        seal=NOBODY,
        shuffle="",
        key="",
        policy="",
    )


def _plan(one: Sitting) -> SeatPlan:
    filled: Literal["house", "anyone"] = "house" if one.level is not None else "anyone"
    return SeatPlan(seat=one.seat, filled_by=filled, level=one.level)


def _chairs(sitting: tuple[Sitting, ...], opened: MatchOpened) -> tuple[Chair, ...]:
    return tuple(
        Chair(plan=plan, player=one.player, control=one.control)
        for one, plan in zip(sitting, opened.seats, strict=True)
    )


def _hokm(view: HokmView) -> HokmState:
    blanks = _blanks()
    steps = {
        "choosing_trump": "name_trump",
        "playing": "play",
        "scoring": "score",
        "match_over": "over",
    }
    undealt = 52 - sum(view.left) if view.phase == "choosing_trump" else 0
    return HokmState(
        options=view.options,
        step=cast("Literal['play']", steps[view.phase]),
        round=view.round,
        hakem=view.hakem,
        trump=view.trump,
        turn=view.turn,
        hands=_hands(view, blanks),
        trick=view.trick,
        earlier=view.earlier,
        tricks=view.tricks,
        score=view.score,
        pack=_take(blanks, undealt),
        winner=view.winner,
    )


def _hand(view: HandView) -> HandState:
    blanks = _blanks()
    steps = {"scoring": "score", "match_over": "over"}
    return HandState(
        options=view.options,
        step=cast("Literal['draw']", steps.get(view.phase, view.phase)),
        round=view.round,
        dealer=view.dealer,
        turn=view.turn,
        hands=_hands(view, blanks),
        stock=_take(blanks, view.stock),
        fire=view.fire,
        tosses=view.tosses,
        melds=view.melds,
        opened=view.opened,
        placed=(False,) * len(view.left),
        bar=view.bar,
        reshuffles=view.reshuffles,
        finished=len(view.tosses),
        now=Turn(drawn=view.drawn, taken=view.taken, must_place=view.must_place),
        totals=view.totals,
        contenders=view.contenders,
        winner=view.winner,
    )


def _hands(view: View, blanks: Iterator[Card]) -> tuple[tuple[Card, ...], ...]:
    return tuple(
        view.hand if seat == view.seat and view.hand else _take(blanks, count)
        for seat, count in enumerate(view.left)
    )


def _blanks(start: int = 0) -> Iterator[Card]:
    return (f"{BLANK}{number}" for number in itertools.count(start))


def _take(blanks: Iterator[Card], count: int) -> tuple[Card, ...]:
    return tuple(itertools.islice(blanks, count))


# From the feed --------------------------------------------------------------------------------


def _evolved(player: str, state: MatchState, told: Happened) -> MatchState:
    event = told.event
    pack = None
    if isinstance(event.body, CardsShuffled):
        pack = _take(_blanks(1_000 * event.version), event.body.cards)
    if event.seat is not None:
        state = _showing(state, event.seat, _shown(event))
    state = evolve(state, fact_of(event, pack))
    seat = seat_of(state, player)
    return state if seat is None else _known(state, seat, told.cards)


def _shown(event: Event) -> tuple[Card, ...]:
    """The cards that leave a hand in this event for all to see."""
    match event.body:
        case CardPlayed(card=card) | CardDiscarded(card=card) | CardLaidOff(card=card):
            return (card,)
        case JokerSwapped(card=card):
            return (card,)
        case MeldsLaid(melds=melds):
            return tuple(card for meld in melds for card in meld)
        case _:
            return ()


def _showing(state: MatchState, seat: Seat, shown: tuple[Card, ...]) -> MatchState:
    """Blanks in the hand of `seat` become the cards that it is about to show."""
    hand = state.game.hands[seat] if state.game is not None else ()
    return _known(state, seat, tuple(card for card in shown if card not in hand))


def _known(state: MatchState, seat: Seat, cards: tuple[Card, ...]) -> MatchState:
    """The blanks in the hand of `seat` become `cards`, in the order in which they came."""
    game = state.game
    if game is None or not cards:
        return state
    new = iter([card for card in cards if card not in game.hands[seat]])
    names = {card: next(new, card) for card in game.hands[seat] if card.startswith(BLANK)}
    hand = _named(names, game.hands[seat])
    hands = (*game.hands[:seat], hand, *game.hands[seat + 1 :])
    game = replace(game, hands=hands)
    if isinstance(game, HandState) and game.now.drawn is not None:
        game = replace(game, now=replace(game.now, drawn=names.get(game.now.drawn, game.now.drawn)))
    return replace(state, game=game)


def _named(names: dict[Card, Card], cards: Iterable[Card]) -> tuple[Card, ...]:
    return tuple(names.get(card, card) for card in cards)
