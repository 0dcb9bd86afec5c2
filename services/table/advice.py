"""The master's look (H21): a question put before a bot for who is on turn, and the answer to him.

Nothing of it is in the log, touches the match or holds anything up. An advice that nobody waits
for is dropped: it came too late, or from a voice that was not asked. What is remembered goes with
the owner of the partition; whoever has no answer asks again.
"""

import logging
import re
from collections import OrderedDict
from collections.abc import Iterable
from functools import partial
from typing import Final

import msgspec
from msgspec import Struct

from schemas.commands import Advise, Command, Suggestion
from schemas.feed import Advice
from schemas.ids import MatchId, house_seat
from services.messaging.port import Message
from services.rules import match as rules
from services.rules import sight
from services.runtime.clock import Clock
from services.table import feeds
from services.table.herald import no, safely
from services.table.live import LiveMatch
from services.table.shelf import Shelf
from services.table.stage import Asked, Heard

PATIENCE: Final = 2.0
"""Seconds that a bot has to answer before one is asked again, if the player asks again."""
REMEMBERED: Final = 10_000
"""Matches of which the latest question is kept; of more those are forgotten that asked longest
ago."""

_CARD: Final = re.compile(rb'"((?:[2-9TJQKA][SHDC]|JK)[12]?)"')
"""A card's code in JSON; no other string looks like one."""
_encode: Final = msgspec.json.Encoder().encode
_log = logging.getLogger(__name__)


class _Question(Struct):
    """Who wants to know what to do at `move`; a bot is not asked before `again`, in seconds of
    `Clock.ticks`. `answer` is the bot's, None until it comes.
    """

    voice: str
    move: int
    again: float
    answer: Suggestion | None = None


class Adviser:
    """The questions of one partition, one a match: only one seat is on turn."""

    def __init__(self, shelf: Shelf, clock: Clock) -> None:
        self._shelf = shelf
        self._clock = clock
        self._questions: OrderedDict[MatchId, _Question] = OrderedDict()

    def ask(self, live: LiveMatch, asked: Asked) -> list[Message]:
        """The answer if it is known, else a bot's turn; nothing while a bot thinks about it."""
        return safely(live.match, partial(self._ask, live, asked))

    def relay(self, advices: Iterable[Heard]) -> list[Message]:
        """Each advice to whoever asked for it, if that is still what the match waits for."""
        return [
            message
            for heard in advices
            for message in safely(heard.address.match, partial(self._relay, heard))
        ]

    def _ask(self, live: LiveMatch, asked: Asked) -> tuple[Message, ...]:
        voice, now = asked.address.voice, self._clock.ticks()
        refusal = sight.refuse_advice(live.state, voice)
        if refusal is not None:
            return (no(asked, refusal, live.state.move),)
        question = self._question(live, voice, now)
        if question.answer is not None:
            return (_told(live.match, question, question.answer),)
        if now < question.again:
            return ()
        question.again = now + PATIENCE
        return feeds.advice_turn(live)

    def _question(self, live: LiveMatch, voice: str, now: float) -> _Question:
        """The one that is open for this voice and move; a new one in place of any other."""
        question = self._questions.get(live.match)
        if question is None or (question.voice, question.move) != (voice, live.state.move):
            question = _Question(voice=voice, move=live.state.move, again=now)
            self._questions[live.match] = question
        self._questions.move_to_end(live.match)
        if len(self._questions) > REMEMBERED:
            self._questions.popitem(last=False)
        return question

    def _relay(self, heard: Heard) -> tuple[Message, ...]:
        match, command = heard.address.match, heard.command
        live, question = self._shelf.live.get(match), self._questions.get(match)
        assert command is not None, "an advice has been read"
        assert isinstance(command.action, Advise), "an advice advises"
        if live is None or question is None or question.answer is not None:
            return ()
        if command.move != question.move or not _waits(live, question, heard.address.voice):
            return ()
        suggestion = command.action.suggestion
        if not _playable(live, question, command, suggestion):
            return ()
        if not _shown(live, question, suggestion):
            return ()
        question.answer = suggestion
        return (_told(match, question, suggestion),)


def _waits(live: LiveMatch, question: _Question, bot: str) -> bool:
    """True while the match waits for who asked, at that move, and `bot` speaks of his seat."""
    state, seat = live.state, house_seat(bot)
    if state.move != question.move or seat is None or sight.turn(state) != seat:
        return False
    chair = state.chairs[seat]
    return chair.player == question.voice and chair.control == "owner"


def _playable(
    live: LiveMatch, question: _Question, advice: Command, suggestion: Suggestion
) -> bool:
    """False where the rules would refuse what it says to do: then it is better not to be told."""
    first = Command(id=advice.id, move=question.move, action=suggestion.actions[0])
    refusal = rules.refuse(live.state, question.voice, first)
    if refusal is not None:
        said = {"match": live.match, "move": question.move, "refusal": str(refusal)}
        _log.error("an advice would be refused and is not told", extra=said)
    return refusal is None


def _shown(live: LiveMatch, question: _Question, suggestion: Suggestion) -> bool:
    """False where it names a card that the view of who asked does not: bots are told of all hands,
    each of a seat, and one that mixed them up would tell him another's.
    """
    view = sight.view(live.state, rules.seat_of(live.state, question.voice))
    seen = set(_CARD.findall(_encode(view))) >= set(_CARD.findall(_encode(suggestion)))
    if not seen:
        said = {"match": live.match, "move": question.move}
        _log.error("an advice names a card that is hidden and is not told", extra=said)
    return seen


def _told(match: MatchId, question: _Question, suggestion: Suggestion) -> Message:
    said = Advice(match=match, move=question.move, suggestion=suggestion)
    return feeds.message(question.voice, match, said)
