"""What a game is to the rest of the rules: facts, and the functions that make and fold them.

A match is a fold of facts. An accepted action makes one fact; what follows from it by rule or by
chance are its consequences, one at a time, until the game waits for somebody:

    facts = (act(state, seat, action), consequence(…), consequence(…), …)

So an auditor who feeds only what players, chance and operators did regenerates all the rest.
"""

from typing import Any, Protocol

from msgspec import Struct

from schemas.cards import Card
from schemas.commands import GameAction, Options, Score
from schemas.events import Body, HandRound, HokmRound
from schemas.ids import Hex32, Origin, Round, Seat
from schemas.refusals import Refusal
from schemas.views import View


class Fact(Struct, frozen=True, kw_only=True):
    """One thing that happened, before the log numbers and dates it.

    `pack` is the order of a shuffled pack, with `cards_shuffled` only.
    """

    body: Body
    origin: Origin
    seat: Seat | None = None
    pack: tuple[Card, ...] | None = None


class Chance(Protocol):
    """All the luck of a match, as a pure value. A label is used once in a round."""

    def order(self, round_: Round, label: str, items: tuple[Card, ...]) -> tuple[Card, ...]:
        """`items` shuffled."""
        ...

    def seat(self, round_: Round, label: str, seats: int) -> Seat:
        """A seat below `seats`, uniformly."""
        ...

    def seal(self, round_: Round) -> Hex32:
        """SHA-256 of the round's seed."""
        ...

    def seed(self, round_: Round) -> Hex32:
        """What every shuffle of the round comes from, told when the round has ended."""
        ...

    def secret(self) -> Hex32:
        """What every seed comes from, told when the match has ended."""
        ...


class Game(Protocol):
    """One game's rules; `state` is that game's own frozen struct and nobody else looks into it.

    `services.rules.games` names every ruleset; adding one touches no other game.
    """

    def seats(self, options: Options) -> int:
        """How many seats the options ask for."""
        ...

    def sound(self, options: Options) -> bool:
        """False if the options break a clause that their struct cannot say (H17, N1)."""
        ...

    def initial_state(self, options: Options) -> Any:
        """The state at `match_started`, before anything is shuffled."""
        ...

    def refuse(self, state: Any, seat: Seat, action: GameAction) -> Refusal | None:
        """The one truth about "may I?": the first refusal in the order of the rules page."""
        ...

    def act(self, state: Any, seat: Seat, action: GameAction) -> Body:
        """What an action that is not refused makes."""
        ...

    def consequence(self, state: Any, chance: Chance) -> Fact | None:
        """The next fact that follows by rule or chance, None when the game waits."""
        ...

    def evolve(self, state: Any, fact: Fact) -> Any:
        """The state after `fact`. Never refuses: what is in the stream has happened."""
        ...

    def round_score(self, options: Options, ended: HokmRound | HandRound) -> Score:
        """The points of a round that ended so."""
        ...

    def round_winners(self, score: Score) -> tuple[Seat, ...]:
        """The seats whose round it was."""
        ...

    def score(self, state: Any) -> Score:
        """The points of the round that has ended and is not scored yet."""
        ...

    def totals(self, state: Any, score: Score) -> tuple[int, ...]:
        """The match's totals once `score` is recorded."""
        ...

    def winner(self, state: Any) -> int | None:
        """The winner, once the last round is scored: a side, or in Hand a seat."""
        ...

    def turn(self, state: Any) -> Seat | None:
        """The seat the game waits for, None if for none."""
        ...

    def clock(self, state: Any) -> float:
        """Seconds that the seat on turn has (H24, N50)."""
        ...

    def dealt(self, state: Any) -> bool:
        """True once a round has been dealt: from then on there is something to see."""
        ...

    def hand(self, state: Any, seat: Seat) -> tuple[Card, ...]:
        """The cards that `seat` may see of its own, in the order it got them."""
        ...

    def view(self, state: Any, seat: Seat | None) -> View:
        """What `seat` may see, or with None anybody. Call it only once dealt."""
        ...

    def judge(self, state: Any) -> Struct:
        """What an omniscient judge sees, with the keys of tests/cases/README.md."""
        ...

    def house_move(self, view: View) -> GameAction:
        """What the house plays for a seat whose time is up, from that seat's view alone."""
        ...
