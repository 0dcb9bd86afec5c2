"""Nobody sees another's cards, in Hand: drawn stock cards and taken fire cards included (N28)."""

from functools import partial
from random import Random
from typing import Final

from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.cards import HAND_PACK, Card
from schemas.commands import Discard, Draw, GameAction, HandOptions
from schemas.views import HandView
from services.rules import sight
from services.rules.history import unfold
from services.rules.match import MatchState
from services.table.live import LiveMatch
from tests.rules.hand_play import random_action
from tests.table.hall import PLAYERS
from tests.table.twins import WATCHER, Script, everything_told, twin

VARIANTS: Final = (
    HandOptions(variant="classic", seats=2, rounds=3),
    HandOptions(variant="classic", seats=4, rounds=3),
    HandOptions(variant="partnership", seats=4, rounds=3),
    HandOptions(variant="saudi", seats=3, rounds=3),
    HandOptions(variant="saudi_partnership", seats=4, rounds=3),
)
TRIES: Final[list[GameAction]] = [
    Draw(source="stock"),
    Draw(source="fire"),
    *(Discard(card=card) for card in HAND_PACK),
]


def mover(live: LiveMatch, seat: int, random: Random) -> GameAction:
    return random_action(live.state.game, seat, luck=random)


def known(state: MatchState, seat: int | None) -> set[Card]:
    """What lies open, and what the seat may see of its own, at this moment."""
    view = sight.view(state, seat)
    if view is None:
        return set()
    assert isinstance(view, HandView)
    open_cards = {card for meld in view.melds for card in meld.cards}
    open_cards |= set(view.fire) | {toss.card for toss in view.tosses}
    return open_cards | set(view.hand)


def seen_so_far(script: Script, seat: int | None) -> set[Card]:
    """All that the seat has ever seen in this round."""
    moments = unfold(row.entry for row in script.rows)
    return set().union(*(known(moment.after, seat) for moment in moments))


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    moves=st.integers(0, 60),
    options=st.sampled_from(VARIANTS),
    seat=st.sampled_from([0, 1, 2, 3, None]),
)
def test_N28_what_a_seat_is_told_depends_on_nothing_that_it_may_not_know(
    seed: int, moves: int, options: HandOptions, seat: int | None
) -> None:
    script = Script(seed, options, HAND_PACK, mover)
    for _ in range(moves):
        script.move()
    state = script.live.state
    reshuffled = sum(row.entry.type == "cards_shuffled" for row in script.rows) > 1
    if state.ended is not None or reshuffled or (seat or 0) >= options.seats:
        return
    voice = WATCHER if seat is None else PLAYERS[seat]
    told = partial(everything_told, voice=voice, tries=TRIES)
    assert told(script.rows) == told(twin(script, seen_so_far(script, seat)))


def test_the_twin_really_is_another_deal() -> None:
    script = Script(1, VARIANTS[1], HAND_PACK, mover)
    for _ in range(20):
        script.move()
    rows = twin(script, seen_so_far(script, 0))
    told = partial(everything_told, tries=TRIES)
    assert told(script.rows, voice=PLAYERS[0]) == told(rows, voice=PLAYERS[0])
    assert told(script.rows, voice=PLAYERS[1]) != told(rows, voice=PLAYERS[1])
