"""Twin deals: the same lines over another deal, equal in all that one seat has seen.

The seal is held constant; what the seat has not seen is dealt to others at random, even against
what they have shown to lack. Whatever the table can say to that seat must be the same to the byte.
"""

from collections.abc import Callable, Iterable
from random import Random
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from schemas.cards import HOKM_PACK, Card, encode_pack
from schemas.commands import (
    Action,
    Command,
    GameAction,
    OpenMatch,
    Options,
    SeatPlan,
    StartMatch,
    TakeSeat,
)
from schemas.events import ControlChanged
from schemas.feed import encode_feed
from schemas.refusals import Refusal
from schemas.subjects import Address
from schemas.views import BotTurn, decode_turn, encode_turn
from services.event_log.port import Row
from services.rules import match as rules
from services.rules import sight
from services.rules.opening import Terms, open_match
from services.rules.seats import control_changed
from services.table import feeds
from services.table.desk import Desk, rule
from services.table.live import Grown, LiveMatch, grow, rebuild
from tests.clocks import HandClock
from tests.table.hall import ANNE, KEY, MATCH, PLAYERS

TERMS: Final = Terms(seal="5" * 64, shuffle="s", key=KEY.id, policy="p")
DESK: Final = Desk(KEY, "p", HandClock())
WATCHER: Final = "u_watcher00"

Mover = Callable[[LiveMatch, int, Random], GameAction]


class FixedChance(Struct, frozen=True):
    """The packs are given and every seal is the same: what differs is the cards alone."""

    pack: tuple[Card, ...]

    def order(self, _round: int, label: str, items: tuple[Card, ...]) -> tuple[Card, ...]:
        return self.pack if label == "deal" else HOKM_PACK if label == "ace_draw" else items

    def seat(self, *_: object) -> int:
        return 0

    def seal(self, _round: int) -> str:
        return "6" * 64

    def seed(self, _round: int) -> str:
        return "7" * 64

    def secret(self) -> str:
        return "8" * 64


class Script:
    """A match of people, written into rows move by move; `mover` chooses the moves."""

    def __init__(self, seed: int, options: Options, pack: tuple[Card, ...], mover: Mover) -> None:
        self.random = Random(seed)
        self.chance = FixedChance(tuple(self.random.sample(pack, len(pack))))
        self.rows: list[Row] = []
        self._mover = mover
        seats = getattr(options, "seats", 4)
        plan = tuple(
            SeatPlan(seat=seat, filled_by="anyone" if seat else "owner") for seat in range(seats)
        )
        opening = OpenMatch(options=options, seats=plan)
        self._take(grow(None, MATCH, open_match(ANNE, opening, TERMS), time=1, cause=None))
        for seat in range(1, seats):
            self.say(PLAYERS[seat], TakeSeat(seat=seat))
        self.say(ANNE, StartMatch())

    def say(self, voice: str, action: Action) -> None:
        command = Command(id="x" * 16, move=self.live.state.move, action=action)
        steps = rules.decide(self.live.state, voice, command, self.chance)
        assert not isinstance(steps, Refusal), steps
        self._take(grow(self.live, MATCH, steps, time=1, cause=None))

    def move(self) -> None:
        """One move, unless the round has ended."""
        seat = sight.turn(self.live.state)
        if seat is not None:
            self.say(PLAYERS[seat], self._mover(self.live, seat, self.random))

    def _take(self, grown: Grown) -> None:
        self.live = grown.live
        for happening in grown.happenings:
            position = len(self.rows) + 1
            self.rows.append(Row(partition=0, position=position, entry=happening.entry))


def twin(script: Script, seen: set[Card]) -> list[Row]:
    """The same lines over a deal in which only the cards of `seen` lie where they lay."""
    places = [at for at, card in enumerate(script.chance.pack) if card not in seen]
    cards = [script.chance.pack[at] for at in places]
    script.random.shuffle(cards)
    pack = list(script.chance.pack)
    for at, card in zip(places, cards, strict=True):
        pack[at] = card
    return [
        replace(row, entry=replace(row.entry, secret=encode_pack(tuple(pack))))
        if row.entry.type == "cards_shuffled" and '"deal"' in row.entry.line
        else row
        for row in script.rows
    ]


def everything_told(rows: list[Row], voice: str, tries: Iterable[GameAction]) -> list[bytes]:
    """All bytes that the table can say to `voice` about the match as it stands; `tries`: what
    the voice might say, each at a time.
    """
    live = rebuild(rows)
    assert live is not None
    told = [encode_feed(feeds.snapshot(live, voice, now=1, due=2))]
    told.append(encode_feed(feeds.history(rows, MATCH, voice, 0)))
    seat = rules.seat_of(live.state, voice)
    if seat is not None and sight.turn(live.state) == seat:
        told += [encode_turn(held_by_house(live, seat))]
        told += [message.data for message in feeds.advice_turn(live)]
    return told + [refusal(live, voice, action) for action in tries]


def held_by_house(live: LiveMatch, seat: int) -> BotTurn:
    """What a bot would be told if the house held the seat."""
    chairs = control_changed(live.state.chairs, ControlChanged(seat=seat, control="house"))
    (message,) = feeds.bot_turn(replace(live, state=replace(live.state, chairs=chairs)))
    return decode_turn(message.data)


def refusal(live: LiveMatch, voice: str, action: GameAction) -> bytes:
    """How the action is refused; empty if it is accepted."""
    command = Command(id="y" * 16, move=live.state.move, action=action)
    refused = rule(DESK, live, Address(MATCH, voice), command).refused
    return encode_feed(refused) if refused else b""
