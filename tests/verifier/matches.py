"""Whole matches of both games, played by the rules, and what each voice was sent of them."""

import json
from functools import cache
from random import Random
from typing import Any, Final

from schemas.cards import decode_pack
from schemas.commands import (
    Action,
    AddNonce,
    Command,
    GameAction,
    OpenMatch,
    Options,
    PlayCard,
    RecordScore,
    SeatPlan,
    StartMatch,
    TakeSeat,
)
from schemas.ids import SCORING, Seat, house_voice
from schemas.refusals import Refusal
from schemas.views import HokmView
from services.event_log.chain import NO_HEAD, next_head
from services.event_log.port import Entry
from services.rules import match as rules
from services.rules import sight
from services.rules.games import GAMES, ruleset_of
from services.rules.hand.state import HandState
from services.rules.history import Unfolded, unfold
from services.rules.match import MatchState, game_of
from services.rules.opening import open_match
from services.table.live import Cause, Grown, LiveMatch, grow
from services.table.secrets import ShuffleKey, chance_of, key_from, terms_of
from tests.rules.hand_play import random_action
from tests.streams import match_id

PLAYERS: Final = tuple(f"u_player{seat}0" for seat in range(4))
PUBLIC: Final = "u_nobody00"
"""A voice that sits nowhere."""
HAND_RANDOM: Final = 0.7
"""How many moves of Hand are chance's; the others are the house's, which ends rounds."""


class Table:
    """A match that people alone sit at: say commands, take its entries."""

    def __init__(self, number: int, options: Options) -> None:
        self.match = match_id(number)
        self.luck = Random(number)
        self.key: ShuffleKey = key_from(self.luck.randbytes(32))
        self.seats = GAMES[ruleset_of(options)].seats(options)
        self.entries: list[Entry] = []
        self.live: LiveMatch
        self._time = 1_796_000_000_000
        opening = OpenMatch(options=options, seats=_plan(self.seats))
        steps = open_match(PLAYERS[0], opening, terms_of(self.key, self.match, "test@1"))
        self._take(grow(None, self.match, steps, time=self._time, cause=self._cause(PLAYERS[0])))

    def say(self, voice: str, action: Action, *, move: int | None = None) -> None:
        command = Command(id="x" * 16, move=move, action=action)
        chance = chance_of(self.key, self.match, self.live.state.nonces)
        steps = rules.decide(self.live.state, voice, command, chance)
        assert not isinstance(steps, Refusal), steps
        self._time += 1_000
        cause = self._cause(voice)
        self._take(grow(self.live, self.match, steps, time=self._time, cause=cause))

    def start(self, nonces: int) -> None:
        """All sit, the last `nonces` of them add one, last seat first; the match begins."""
        for seat in range(1, self.seats):
            self.say(PLAYERS[seat], TakeSeat(seat=seat))
        for seat in reversed(range(self.seats - nonces, self.seats)):
            self.say(PLAYERS[seat], AddNonce(nonce=self.luck.randbytes(32).hex()))
        self.say(PLAYERS[0], StartMatch())

    def move(self) -> None:
        """One move at random, or the score of a round that has ended."""
        state = self.live.state
        if state.ended is not None:
            assert self.live.ended_head is not None
            score = game_of(state).score(state.game)
            said = RecordScore(round=state.ended, of=self.live.ended_head, score=score)
            self.say(SCORING, said)
            return
        seat = sight.turn(state)
        assert seat is not None
        voice = state.chairs[seat].player or house_voice(seat)
        self.say(voice, _action(state, seat, self.luck), move=state.move)

    def play(self, moves: int | None = None) -> None:
        """To the end, or for that many moves."""
        done = 0
        while not self.live.state.over and (moves is None or done < moves):
            self.move()
            done += 1

    def _cause(self, voice: str) -> Cause:
        return Cause(f"command-{len(self.entries):016d}", voice)

    def _take(self, grown: Grown) -> None:
        self.live = grown.live
        self.entries += [happening.entry for happening in grown.happenings]


def _plan(seats: int) -> tuple[SeatPlan, ...]:
    others = (SeatPlan(seat=seat, filled_by="anyone") for seat in range(1, seats))
    return (SeatPlan(seat=0, filled_by="owner"), *others)


def _action(state: MatchState, seat: Seat, luck: Random) -> GameAction:
    """The house's move, or as often as the tables need it one at random."""
    view = sight.view(state, seat)
    assert view is not None
    if isinstance(state.game, HandState) and luck.random() < HAND_RANDOM:
        return random_action(state.game, seat, luck=luck)
    action = game_of(state).house_move(view)
    if isinstance(view, HokmView) and isinstance(action, PlayCard):
        return PlayCard(card=luck.choice(view.playable))
    return action


def played(number: int, options: Options, *, nonces: int = 2) -> Table:
    """The whole match of that number; it is kept, and over."""
    return _played(number, options, nonces)


@cache
def _played(number: int, options: Options, nonces: int) -> Table:
    table = Table(number, options)
    table.start(nonces)
    table.play()
    return table


def begun(number: int, options: Options, *, moves: int) -> Table:
    """The first `moves` moves of the match of that number, to go on with."""
    table = Table(number, options)
    table.start(nonces=2)
    table.play(moves)
    return table


Message = dict[str, Any]


def feed(table: Table, voice: str) -> list[Message]:
    """What the table said to `voice`, as a client reads it."""
    return [
        {
            "type": "event",
            "event": json.loads(seen.stored.line),
            "head": seen.stored.head,
            "cards": list(sight.cards_given(seen.before, seen.event.body, seen.after, voice)),
            "command": None,
        }
        for seen in unfold(table.entries)
    ]


def match_file(table: Table, viewer: str) -> list[Message]:
    """The lines of a match file for `viewer`: `judge`, `public` or `seat:N`."""
    header = {
        "format": "waraq-match@1",
        "match": table.match,
        "viewer": viewer,
        "events": len(table.entries),
        "head": table.live.head,
        "over": table.live.state.over,
        "signed": None,
    }
    return [header, *(_file_line(seen, viewer) for seen in unfold(table.entries))]


def _file_line(seen: Unfolded[Entry], viewer: str) -> Message:
    entry = seen.stored
    line = {"event": json.loads(entry.line), "head": entry.head}
    if viewer == "judge":
        pack = None if entry.secret is None else list(decode_pack(entry.secret))
        return {**line, "command": entry.command, "pack": pack}
    if viewer == "public":
        return line
    seat = int(viewer.removeprefix("seat:"))
    before = seen.before if seen.before is not None else seen.after
    return {**line, "cards": list(sight.cards_dealt(before, seen.event.body, seen.after, seat))}


def text_of(messages: list[Message]) -> str:
    """Messages as lines of JSON."""
    return "".join(json.dumps(one, separators=(",", ":")) + "\n" for one in messages)


def chained(messages: list[Message]) -> list[Message]:
    """The messages with every head made anew, as one who owns the log would forge them.

    The lines are those that JavaScript writes, lawful or not.
    """
    head, again = NO_HEAD, []
    for one in messages:
        line = json.dumps(one["event"], ensure_ascii=False, separators=(",", ":"))
        head = next_head(head, line)
        again.append({**one, "head": head})
    return again
