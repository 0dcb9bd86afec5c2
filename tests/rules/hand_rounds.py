"""Rounds of Hand played at random: no dead end, no card lost, every round comes to its end.

    python -m tests.rules.hand_rounds --rounds 10000 --seed 1

Progress is on stderr, one JSON line of numbers on stdout; exit code 4 at the first thing wrong.
"""

import argparse
import json
import sys
from collections import Counter
from typing import Final

from schemas.commands import Discard, Draw
from schemas.events import CardDiscarded, JokerSwapped, RoundEnded
from services.rules.decider import Fact
from services.rules.hand import GAME
from services.rules.hand.state import HandState
from tests.rules.hand_play import ALL_CARDS, every_place, random_table, round_steps

MOST_MOVES: Final = 12
"""Moves of the house in its longest turn."""
EVERY: Final = 100
"""Rounds between two lines of progress."""


class Wrong(Exception):
    """An invariant that does not hold; the message says which and where."""


def check_round(seed: int) -> Counter[str]:
    """Play the round of `seed` and check every state of it; what was seen, counted."""
    seen: Counter[str] = Counter()
    for fact, state in round_steps(random_table(seed)):
        if not GAME.dealt(state):
            continue
        if every_place(state) != ALL_CARDS:
            raise Wrong(f"round {seed}: cards are lost or doubled after {fact.body}")
        if state.turn is not None and state.step in {"discard_first", "draw", "act"}:
            seen[_way_out(state, seed)] += 1
        _count(fact, state, seen)
    return seen


def _way_out(state: HandState, seed: int) -> str:
    """How the seat on turn can end its turn; raises `Wrong` if it cannot."""
    seat = state.turn
    assert seat is not None
    if state.step == "draw":
        if GAME.refuse(state, seat, Draw(source="stock")) is not None or not state.stock:
            raise Wrong(f"round {seed}: nothing to draw: {state}")
        return "states"
    if any(GAME.refuse(state, seat, Discard(card=card)) is None for card in state.hands[seat]):
        return "states"
    for _ in range(MOST_MOVES):
        move = GAME.house_move(GAME.view(state, seat))
        if GAME.refuse(state, seat, move) is not None:
            raise Wrong(f"round {seed}: the house's {move} is refused: {state}")
        body = GAME.act(state, seat, move)
        state = GAME.evolve(state, Fact(body=body, origin="rule", seat=seat))
        if state.step == "end_round" or isinstance(body, CardDiscarded):
            return "tight"
    raise Wrong(f"round {seed}: the turn has no end: {state}")


def _count(fact: Fact, state: HandState, seen: Counter[str]) -> None:
    match fact.body:
        case RoundEnded():
            assert state.last is not None
            void = state.last.went_out is None
            seen["void" if void else "hand" if state.last.hand else "out"] += 1
            seen["reshuffled"] += state.reshuffles > 0
        case JokerSwapped():
            seen["swaps"] += 1
        case _:
            pass


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    seen: Counter[str] = Counter()
    for number in range(asked.rounds):
        try:
            seen += check_round(asked.seed * 1_000_003 + number)
        except Wrong as wrong:
            sys.stderr.write(f"{wrong}\n")
            return 4
        if number % EVERY == EVERY - 1:
            sys.stderr.write(f"{number + 1} of {asked.rounds} rounds\n")
    sys.stdout.write(json.dumps({"rounds": asked.rounds, **dict(sorted(seen.items()))}) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
