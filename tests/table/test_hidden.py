"""Nobody sees another's cards: two deals equal in what a seat knows give it the same bytes.

The seal is held constant; the cards that the seat has not seen are dealt to others at random, even
against the suits that they have shown to lack. Feed, snapshot, history, bot request and refusals
of the seat must be the same to the byte.
"""

import json
import logging
import re
from random import Random
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.cards import HOKM_PACK, SUITS, Card
from schemas.commands import (
    ChooseTrump,
    Command,
    GameAction,
    HokmOptions,
    LeaveSeat,
    PlayCard,
    StartMatch,
)
from schemas.feed import Refused, encode_feed
from schemas.ids import CommandId, matches
from schemas.refusals import Refusal
from schemas.views import HokmView
from services.event_log.port import Row
from services.rules import match as rules
from services.rules import sight
from services.rules.match import MatchState
from services.runtime.logs import JsonLines
from services.table import feeds
from services.table.live import LiveMatch, grow, rebuild
from tests.table.hall import ALL_HOUSE, ANNE, MATCH, PLAYERS, Hall, cards_in
from tests.table.playing import to_the_end_of_a_round
from tests.table.twins import WATCHER, Script, everything_told, twin

CARD: Final = re.compile(r"\b[2-9TJQKA][SHDC]\b")
"""A card anywhere in a text."""


def random_move(live: LiveMatch, seat: int, random: Random) -> GameAction:
    """One random legal move."""
    view = sight.view(live.state, seat)
    assert isinstance(view, HokmView)
    if view.phase == "choosing_trump":
        return ChooseTrump(suit=random.choice(SUITS))
    return PlayCard(card=random.choice(view.playable))


def script_of(seed: int, *, show_five: bool = False) -> Script:
    options = HokmOptions(target=100, show_five_before_trump=show_five)
    return Script(seed, options, HOKM_PACK, random_move)


TRIES: Final[list[GameAction]] = [
    *(PlayCard(card=card) for card in HOKM_PACK),
    *(ChooseTrump(suit=suit) for suit in SUITS),
]


def known(state: MatchState, seat: int | None) -> set[Card]:
    """What has been on the table, and what the seat may see of its own."""
    view = sight.view(state, seat)
    assert isinstance(view, HokmView)
    tricks = (*view.earlier, view.trick)
    return {play.card for trick in tricks for play in trick} | set(view.hand)


def told(rows: list[Row], voice: str) -> list[bytes]:
    return everything_told(rows, voice, TRIES)


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
    script = script_of(seed, show_five=show_five)
    for _ in range(moves):
        script.move()
        if script.live.state.ended is not None:
            return  # the packs are revealed: nothing is hidden any more
    voice = WATCHER if seat is None else PLAYERS[seat]
    other = twin(script, known(script.live.state, seat))
    assert told(script.rows, voice) == told(other, voice)


@moments
def test_a_message_to_a_seat_names_no_card_that_it_may_not_know(
    seed: int, moves: int, seat: int | None, *, show_five: bool
) -> None:
    script = script_of(seed, show_five=show_five)
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
    for data in told(script.rows, voice):
        assert not data or cards_in(data) <= allowed


def test_at_no_moment_of_a_round_does_a_snapshot_show_a_card_of_anothers() -> None:
    """Nor any card of a hand to who watches, or has left just now."""
    script, leaver = script_of(3), PLAYERS[1]
    while (state := script.live.state).ended is None:
        on_table, gone = known(state, None), without(script, leaver)
        own = [(player, set(state.game.hands[seat])) for seat, player in enumerate(PLAYERS)]
        for voice, hand in (*own, (WATCHER, set())):
            assert shown(script.live, voice) <= on_table | hand
        assert shown(gone, leaver) <= on_table
        script.move()


def without(script: Script, player: str) -> LiveMatch:
    """The match as it is once the player has left it."""
    command = Command(id="l" * 16, action=LeaveSeat())
    steps = rules.decide(script.live.state, player, command, script.chance)
    assert not isinstance(steps, Refusal), steps
    return grow(script.live, script.live.match, steps, time=1, cause=None).live


def shown(live: LiveMatch, voice: str) -> set[Card]:
    return cards_in(encode_feed(feeds.snapshot(live, voice, now=1, due=2)))


def test_the_twin_really_is_another_deal() -> None:
    """The property above would hold trivially if the twin were the same deal."""
    script = script_of(1)
    for _ in range(6):
        script.move()
    rows = twin(script, known(script.live.state, 0))
    other = rebuild(rows)
    assert other is not None
    assert other.state.game.hands != script.live.state.game.hands
    assert other.state.game.hands[0] == script.live.state.game.hands[0]
    assert told(script.rows, PLAYERS[1]) != told(rows, PLAYERS[1])


def test_no_line_of_the_log_holds_a_card_that_is_not_on_the_table() -> None:
    script = script_of(2)
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
    (raised,) = [one for one in caplog.records if one.getMessage() == "the rules raised"]
    line = json.loads(said.format(raised))
    assert (line["match"], line["voice"]) == (MATCH, ANNE)
    assert matches(line["command"], CommandId), "a line about a command names it"
    for record in caplog.records:
        assert not CARD.findall(said.format(record)), record
