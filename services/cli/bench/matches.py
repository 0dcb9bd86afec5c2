"""Matches made by the rules ahead of time: what to say to a table, and what a log would hold.

All luck of a match follows from the shuffle key and the match's id. Whoever has the key, as a load
generator on the same machine has, knows every card before the table has heard of the match, and
so can say a whole round without looking at the feed.
"""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from schemas import subjects
from schemas.commands import (
    Action,
    Command,
    GameAction,
    HandOptions,
    HokmOptions,
    OpenMatch,
    Options,
    RecordScore,
    SeatPlan,
    StartMatch,
    encode_command,
)
from schemas.ids import SCORING, Level, MatchId, house_voice
from schemas.refusals import Refusal
from schemas.views import BotTurn
from services.bot.policy import choose
from services.event_log.chain import NO_HEAD, next_head
from services.event_log.port import Entry
from services.messaging.permissions import COMMAND_LINE_PLAYER
from services.messaging.port import Message
from services.rules import match as rules
from services.rules import sight
from services.rules.games import GAMES, ruleset_of
from services.rules.match import game_of
from services.rules.opening import open_match
from services.runtime.settings import BOT_POLICY
from services.table.live import Cause, Grown, LiveMatch, grow
from services.table.secrets import ShuffleKey, chance_of, key_from, terms_of

KEY: Final = b"the bench deals every run alike."
HOKM: Final = HokmOptions()
HAND: Final = HandOptions(variant="classic", seats=4, rounds=3)
TIME: Final = 1_700_000_000_000
"""Unix ms at which all of it happened: so long ago that no owner of a log that is filled with it
would send it to EVENTS again.
"""

Bot = Callable[[BotTurn], GameAction]


class Said(Struct, frozen=True):
    """A command, ready to be said, and the version of the event that it makes."""

    match: MatchId
    version: int
    message: Message


class Script(Struct, frozen=True, kw_only=True):
    """A match's first round: what opens it, what is said in it but for its last card, and the
    entries that a log has after each of these.
    """

    match: MatchId
    opening: tuple[Said, ...]
    moves: tuple[Said, ...]
    entries: tuple[Entry, ...]
    marks: tuple[int, ...]
    """How many entries there are after the opening and after each move."""


class Play:
    """A match in the making; every seat is the house's, at `level`, played by `bot`."""

    def __init__(
        self, match: MatchId, options: Options, *, level: Level = "white", bot: Bot = choose
    ) -> None:
        self.match = match
        self.entries: list[Entry] = []
        self.said: list[Said] = []
        self.live: LiveMatch
        self._key = shuffle_key()
        self._bot = bot
        seats = GAMES[ruleset_of(options)].seats(options)
        plan = tuple(SeatPlan(seat=seat, filled_by="house", level=level) for seat in range(seats))
        opening = OpenMatch(options=options, seats=plan)
        steps = open_match(COMMAND_LINE_PLAYER, opening, terms_of(self._key, match, BOT_POLICY))
        cause = self._note(COMMAND_LINE_PLAYER, opening, None)
        self._take(grow(None, match, steps, time=TIME, cause=cause))
        self._say(COMMAND_LINE_PLAYER, StartMatch(), 0)

    def step(self) -> None:
        """The next command: the seat on turn moves, or scoring records a round."""
        state = self.live.state
        if state.ended is not None:
            self._score()
            return
        seat = sight.turn(state)
        view = sight.view(state, seat)
        assert seat is not None, "a match in play waits for a seat"
        assert view is not None, "a match in play has been dealt"
        level = state.chairs[seat].plan.level
        assert level is not None, "every seat is the house's"
        turn = BotTurn(
            match=self.match, seat=seat, move=state.move, level=level, task="play", view=view
        )
        self._say(house_voice(seat), self._bot(turn), state.move)

    def _score(self) -> None:
        state, of = self.live.state, self.live.ended_head
        assert state.ended is not None, "there is a round to score"
        assert of is not None, "a round that ended has a head"
        score = game_of(state).score(state.game)
        self._say(SCORING, RecordScore(round=state.ended, of=of, score=score), None)

    def _say(self, voice: str, action: Action, move: int | None) -> None:
        cause = self._note(voice, action, move)
        command = Command(id=cause.command, move=move, action=action)
        chance = chance_of(self._key, self.match, self.live.state.nonces)
        steps = rules.decide(self.live.state, voice, command, chance)
        assert not isinstance(steps, Refusal), f"{action} was refused: {steps}"
        self._take(grow(self.live, self.match, steps, time=TIME, cause=cause))

    def _note(self, voice: str, action: Action, move: int | None) -> Cause:
        command = Command(id=f"{self.match[-24:]}-{len(self.said)}", move=move, action=action)
        subject = subjects.command_in(self.match, voice)
        message = Message(subject=subject, data=encode_command(command))
        self.said.append(Said(self.match, len(self.entries) + 1, message))
        return Cause(command.id, voice)

    def _take(self, grown: Grown) -> None:
        self.live = grown.live
        self.entries += [happening.entry for happening in grown.happenings]


def shuffle_key() -> ShuffleKey:
    return key_from(KEY)


def match_id(number: int) -> MatchId:
    return f"m_{number:032x}"


@cache
def script(number: int) -> Script:
    """The first round of Hokm of match `number`, the same in every run."""
    play = Play(match_id(number), HOKM)
    marks = [len(play.entries)]
    while True:
        play.step()
        if play.live.state.ended is not None:
            break
        marks.append(len(play.entries))
    return Script(
        match=play.match,
        opening=tuple(play.said[:2]),
        moves=tuple(play.said[2:-1]),
        entries=tuple(play.entries[: marks[-1]]),
        marks=tuple(marks),
    )


def whole_match(number: int, options: Options) -> tuple[Entry, ...]:
    """The entries of a whole match of bots."""
    play = Play(match_id(number), options)
    while not play.live.state.over:
        play.step()
    return tuple(play.entries)


def long_match(number: int, events: int) -> tuple[Entry, ...]:
    """The first `events` entries of a match that goes on and on."""
    play = Play(match_id(number), HokmOptions(target=100))
    while len(play.entries) < events:
        play.step()
    return tuple(play.entries[:events])


def copies(template: tuple[Entry, ...], numbers: range) -> Iterator[tuple[Entry, ...]]:
    """The template as it would stand under other ids, each with a whole chain of heads.

    Filling only: the seals in it are those of the template's own id.
    """
    own = template[0].stream
    for number in numbers:
        match, head, entries = match_id(number), NO_HEAD, []
        for entry in template:
            line = entry.line.replace(own, match)
            head = next_head(head, line)
            entries.append(replace(entry, stream=match, line=line, head=head))
        yield tuple(entries)
