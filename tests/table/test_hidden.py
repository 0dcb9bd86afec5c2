"""Nobody sees another's cards: two deals equal in what a seat knows give it the same bytes.

The seal is held constant; the cards that the seat has not seen are dealt to others at random, even
against the suits that they have shown to lack. Feed, snapshot, history, bot request and refusals
of the seat must be the same to the byte.
"""

import logging
import re
from random import Random
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import replace

from schemas.cards import HOKM_PACK, SUITS, Card, encode_pack
from schemas.commands import (
    Action,
    ChooseTrump,
    Command,
    HokmOptions,
    OpenMatch,
    PlayCard,
    StartMatch,
    TakeSeat,
)
from schemas.events import ControlChanged
from schemas.feed import Refused, encode_feed
from schemas.refusals import Refusal
from schemas.subjects import Address
from schemas.views import BotTurn, HokmView, decode_turn, encode_turn
from services.event_log.port import Row
from services.rules import match as rules
from services.rules import sight
from services.rules.match import MatchState
from services.rules.opening import Terms, open_match
from services.rules.seats import control_changed
from services.runtime.logs import JsonLines
from services.table import feeds
from services.table.desk import Desk, rule
from services.table.live import Grown, LiveMatch, grow, rebuild
from tests.table.hall import (
    ALL_HOUSE,
    ANNE,
    FOUR_PEOPLE,
    KEY,
    MATCH,
    PLAYERS,
    Hall,
    HandClock,
    cards_in,
)
from tests.table.playing import to_the_end_of_a_round

TERMS: Final = Terms(seal="5" * 64, shuffle="s", key="k", policy="p")
DESK: Final = Desk(KEY, "p", HandClock())
WATCHER: Final = "u_watcher00"
CARD: Final = re.compile(r"\b[2-9TJQKA][SHDC]\b")
"""A card anywhere in a text."""


class FixedChance(Struct, frozen=True):
    """The packs are given and every seal is the same: what differs is the cards alone."""

    pack: tuple[Card, ...]

    def order(self, _round: int, label: str, _items: tuple[Card, ...]) -> tuple[Card, ...]:
        return self.pack if label == "deal" else HOKM_PACK

    def seat(self, *_: object) -> int:
        return 0

    def seal(self, _round: int) -> str:
        return "6" * 64

    def seed(self, _round: int) -> str:
        return "7" * 64

    def secret(self) -> str:
        return "8" * 64


def seat_of_position(position: int, hakem: int) -> int:
    """H8: which seat the card at this place of the pack goes to."""
    five, four = divmod(position, 5)[0], (position - 20) // 4
    return (hakem + (five if position < 20 else four % 4)) % 4


class Script:
    """A match of four people, written into rows move by move."""

    def __init__(self, seed: int, options: HokmOptions) -> None:
        self.random = Random(seed)
        self.chance = FixedChance(tuple(self.random.sample(HOKM_PACK, 52)))
        self.rows: list[Row] = []
        opening = OpenMatch(options=options, seats=FOUR_PEOPLE)
        self._take(grow(None, MATCH, open_match(ANNE, opening, TERMS), time=1, cause=None))
        for seat in (1, 2, 3):
            self.say(PLAYERS[seat], TakeSeat(seat=seat))
        self.say(ANNE, StartMatch())

    def say(self, voice: str, action: Action) -> None:
        command = Command(id="x" * 16, move=self.live.state.move, action=action)
        steps = rules.decide(self.live.state, voice, command, self.chance)
        assert not isinstance(steps, Refusal), steps
        self._take(grow(self.live, MATCH, steps, time=1, cause=None))

    def move(self) -> None:
        """One random legal move, unless the round has ended."""
        seat = sight.turn(self.live.state)
        if seat is None:
            return
        view = sight.view(self.live.state, seat)
        assert isinstance(view, HokmView)
        if view.phase == "choosing_trump":
            self.say(PLAYERS[seat], ChooseTrump(suit=self.random.choice(SUITS)))
        else:
            self.say(PLAYERS[seat], PlayCard(card=self.random.choice(view.playable)))

    def _take(self, grown: Grown) -> None:
        self.live = grown.live
        for happening in grown.happenings:
            position = len(self.rows) + 1
            self.rows.append(Row(partition=0, position=position, entry=happening.entry))


def twin(script: Script, seat: int | None) -> list[Row]:
    """The same lines over another deal, equal in all that `seat` (None: anybody) has seen."""
    state = script.live.state
    seen = known(state, seat)
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


def known(state: MatchState, seat: int | None) -> set[Card]:
    """What has been on the table, and what the seat may see of its own."""
    view = sight.view(state, seat)
    assert isinstance(view, HokmView)
    tricks = (*view.earlier, view.trick)
    return {play.card for trick in tricks for play in trick} | set(view.hand)


def everything_told(rows: list[Row], voice: str) -> list[bytes]:
    """All bytes that the table can say to `voice` about the match as it stands."""
    live = rebuild(rows)
    assert live is not None
    told = [encode_feed(feeds.snapshot(live, voice, now=1, due=2))]
    told.append(encode_feed(feeds.history(rows, MATCH, voice, 0)))
    seat = rules.seat_of(live.state, voice)
    if seat is not None and sight.turn(live.state) == seat:
        told += [encode_turn(held_by_house(live, seat))]
    return told + refusals(live, voice)


def held_by_house(live: LiveMatch, seat: int) -> BotTurn:
    """What a bot would be told if the house held the seat."""
    chairs = control_changed(live.state.chairs, ControlChanged(seat=seat, control="house"))
    (message,) = feeds.bot_turn(replace(live, state=replace(live.state, chairs=chairs)))
    return decode_turn(message.data)


def refusals(live: LiveMatch, voice: str) -> list[bytes]:
    """What comes of every card and suit that the voice could try; empty where it is accepted."""
    actions: list[Action] = [PlayCard(card=card) for card in HOKM_PACK]
    actions += [ChooseTrump(suit=suit) for suit in SUITS]
    found = []
    for action in actions:
        command = Command(id="y" * 16, move=live.state.move, action=action)
        refused = rule(DESK, live, Address(MATCH, voice), command).refused
        found.append(encode_feed(refused) if refused else b"")
    return found


moments = given(
    seed=st.integers(0, 2**32),
    moves=st.integers(0, 40),
    seat=st.sampled_from([0, 1, 2, 3, None]),
    show_five=st.booleans(),
)


@moments
def test_H23_what_a_seat_is_told_depends_on_nothing_that_it_may_not_know(
    seed: int, moves: int, seat: int | None, *, show_five: bool
) -> None:
    script = Script(seed, HokmOptions(target=100, show_five_before_trump=show_five))
    for _ in range(moves):
        script.move()
        if script.live.state.ended is not None:
            return  # the packs are revealed: nothing is hidden any more
    voice = WATCHER if seat is None else PLAYERS[seat]
    other = twin(script, seat)
    assert everything_told(script.rows, voice) == everything_told(other, voice)


@moments
def test_a_message_to_a_seat_names_no_card_that_it_may_not_know(
    seed: int, moves: int, seat: int | None, *, show_five: bool
) -> None:
    script = Script(seed, HokmOptions(target=100, show_five_before_trump=show_five))
    for _ in range(moves):
        script.move()
        if script.live.state.ended is not None:
            return
    voice = WATCHER if seat is None else PLAYERS[seat]
    shown = {
        card
        for row in script.rows
        if row.entry.type == "hakem_drawn"
        for card in cards_in(row.entry.line.encode())
    }
    allowed = known(script.live.state, seat) | shown
    for data in everything_told(script.rows, voice):
        assert not data or cards_in(data) <= allowed


def test_the_twin_really_is_another_deal() -> None:
    """The property above would hold trivially if the twin were the same deal."""
    script = Script(1, HokmOptions(target=100))
    for _ in range(6):
        script.move()
    other = rebuild(twin(script, 0))
    assert other is not None
    assert other.state.game.hands != script.live.state.game.hands
    assert other.state.game.hands[0] == script.live.state.game.hands[0]
    assert everything_told(script.rows, PLAYERS[1]) != everything_told(twin(script, 0), PLAYERS[1])


def test_no_line_of_the_log_holds_a_card_that_is_not_on_the_table() -> None:
    script = Script(2, HokmOptions(target=100))
    for _ in range(20):
        script.move()
    view = sight.view(script.live.state, None)
    assert isinstance(view, HokmView)
    on_table = known(script.live.state, None)
    for row in script.rows:
        if row.entry.type != "hakem_drawn":
            assert cards_in(row.entry.line.encode()) <= on_table


def naming_a_card(*_: object) -> None:
    raise KeyError("AS is not among 2C KD")


async def test_logs_hold_no_cards(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(logging.DEBUG)
    async with Hall() as hall:
        await hall.start(ALL_HOUSE)
        await to_the_end_of_a_round(hall)
        await hall.send(ANNE, b'{"id":"0190aa176b1e7c3e9d54","move":1,"action":"AS"}')
        monkeypatch.setattr(rules, "decide", naming_a_card)
        assert isinstance(await hall.say(ANNE, StartMatch()), Refused)
    said = JsonLines("table")
    assert caplog.records
    for record in caplog.records:
        assert not CARD.findall(said.format(record)), record
