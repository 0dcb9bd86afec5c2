"""Whole matches as rows, made by the rules alone: what a log holds after real play."""

from random import Random
from typing import Final

from schemas.commands import (
    Action,
    AddNonce,
    Command,
    HokmOptions,
    OpenMatch,
    RecordScore,
    SeatPlan,
    StartMatch,
    TakeSeat,
)
from schemas.ids import SCORING, house_voice
from schemas.refusals import Refusal
from services.event_log.port import Batch, EventLog, Row
from services.rules import match as rules
from services.rules import sight
from services.rules.match import game_of
from services.rules.opening import open_match
from services.runtime.settings import BOT_POLICY
from services.table.live import Cause, Grown, LiveMatch, grow
from services.table.secrets import ShuffleKey, chance_of, key_from, terms_of

OWNER: Final = "u_owner0000"
FRIEND: Final = "u_friend000"
MASKED: Final = (
    SeatPlan(seat=0, filled_by="owner"),
    SeatPlan(seat=1, filled_by="house", level="black"),
    SeatPlan(seat=2, filled_by="anyone"),
    SeatPlan(seat=3, filled_by="house", level="black"),
)
KEY: Final = key_from(b"k" * 32)
NONCE: Final = "0f" * 32


class Played:
    """A match being played by the rules: say commands, take its rows."""

    def __init__(self, match: str, options: HokmOptions, key: ShuffleKey = KEY) -> None:
        self.match = match
        self.rows: list[Row] = []
        self.live: LiveMatch
        self._key = key
        self._time = 1_796_000_000_000
        opening = OpenMatch(options=options, seats=MASKED)
        steps = open_match(OWNER, opening, terms_of(key, match, BOT_POLICY))
        self._take(grow(None, match, steps, time=self._time, cause=self._cause(OWNER)))

    def say(self, voice: str, action: Action, *, move: int | None = None) -> None:
        command = Command(id="x" * 16, move=move, action=action)
        chance = chance_of(self._key, self.match, self.live.state.nonces)
        steps = rules.decide(self.live.state, voice, command, chance)
        assert not isinstance(steps, Refusal), steps
        self._time += 1_000
        cause = self._cause(voice)
        self._take(grow(self.live, self.match, steps, time=self._time, cause=cause))

    def seat_everybody(self) -> None:
        self.say(FRIEND, TakeSeat(seat=2))
        self.say(OWNER, AddNonce(nonce=NONCE))
        self.say(OWNER, StartMatch())

    def move(self, random: Random) -> None:
        """One move: a legal one at random, or the score of a round that has ended."""
        state = self.live.state
        if state.ended is not None:
            self._score()
            return
        seat = sight.turn(state)
        view = sight.view(state, seat)
        assert seat is not None
        assert view is not None
        action = game_of(state).house_move(view)
        if view.phase == "playing" and random.random() < 0.5:
            action = type(action)(card=random.choice(view.playable))  # type: ignore[call-arg]
        player = state.chairs[seat].player
        self.say(player or house_voice(seat), action, move=state.move)

    def _score(self) -> None:
        state, of = self.live.state, self.live.ended_head
        assert state.ended is not None
        assert of is not None
        score = game_of(state).score(state.game)
        self.say(SCORING, RecordScore(round=state.ended, of=of, score=score))

    def _cause(self, voice: str) -> Cause:
        return Cause(f"command-{len(self.rows):016d}", voice)

    def _take(self, grown: Grown) -> None:
        self.live = grown.live
        for happening in grown.happenings:
            position = len(self.rows) + 1
            self.rows.append(Row(partition=0, position=position, entry=happening.entry))


def match_id(number: int) -> str:
    return f"m_{number:032x}"


def played(seed: int, *, moves: int | None = None, options: HokmOptions | None = None) -> Played:
    """A match of `seed`, whole or its first `moves` moves."""
    match, random = Played(match_id(seed), options or HokmOptions()), Random(seed)
    match.seat_everybody()
    done = 0
    while not match.live.state.over and (moves is None or done < moves):
        match.move(random)
        done += 1
    return match


def store(log: EventLog, matches: list[Played]) -> None:
    """Append whole matches to partition 0 of `log`."""
    claim = log.claim(0, "test")
    for match in matches:
        entries = tuple(row.entry for row in match.rows)
        closed = (match.match,) if match.live.state.over else ()
        log.append(claim, Batch(entries=entries, opened=(match.match,), closed=closed))
