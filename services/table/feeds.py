"""What the table says to whom: events, snapshots and history, for each voice what it may know."""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from schemas import subjects
from schemas.cards import Card
from schemas.events import decode_event
from schemas.feed import Feed, Happened, History, Snapshot, encode_feed
from schemas.views import BotTurn, encode_turn
from services.event_log.port import Row
from services.messaging.port import Message
from services.rules import match as rules
from services.rules import seats, sight
from services.rules.history import unfold
from services.rules.match import MatchState
from services.rules.sight import cards_given
from services.table.live import Happening, LiveMatch

HISTORY_EVENTS: Final = 200
"""Events in one page of history."""


def listeners(happening: Happening) -> tuple[str, ...]:
    """Whoever sits, before or after, the owner, and the voice that this answers."""
    voices = dict.fromkeys(at_table(happening.after))
    if happening.before is not None:
        voices |= dict.fromkeys(at_table(happening.before))
    if happening.voice is not None:
        voices[happening.voice] = None
    return tuple(voices)


def at_table(state: MatchState) -> tuple[str, ...]:
    """The owner, and whoever sits."""
    players = (chair.player for chair in state.chairs if chair.player is not None)
    return tuple(dict.fromkeys((state.opened.owner, *players)))


def happened(happening: Happening, voice: str) -> Happened:
    """The event as `voice` is told it."""
    cards = cards_given(happening.before, happening.event.body, happening.after, voice)
    own = happening.command if happening.voice == voice else None
    head = happening.entry.head
    return Happened(event=happening.event, head=head, cards=cards, command=own)


def told(happening: Happening) -> tuple[Message, ...]:
    """The event for each of its listeners."""
    match = happening.event.match
    return tuple(
        message(voice, match, happened(happening, voice)) for voice in listeners(happening)
    )


def message(voice: str, match: str, feed: Feed) -> Message:
    return Message(subject=subjects.feed(voice, match), data=encode_feed(feed))


def answer_again(row: Row, cards: tuple[Card, ...]) -> Happened:
    """The answer to a command that was accepted before."""
    entry = row.entry
    event = decode_event(entry.line)
    return Happened(event=event, head=entry.head, cards=cards, command=entry.command)


def snapshot(live: LiveMatch, voice: str, *, now: int, due: int | None) -> Snapshot:
    """All that `voice` may know of the match now."""
    state = live.state
    return Snapshot(
        match=live.match,
        version=live.version,
        head=live.head,
        now=now,
        move=state.move,
        due=due,
        sitting=seats.sitting(state.chairs),
        view=sight.view(state, rules.seat_of(state, voice)),
        over=state.outcome,
    )


def history(rows: Sequence[Row], match: str, voice: str, since: int) -> History:
    """The events after version `since`, as `voice` was told them; `rows` are the whole stream."""
    page = [
        Happened(
            event=seen.event,
            head=seen.stored.head,
            cards=cards_given(seen.before, seen.event.body, seen.after, voice),
        )
        for seen in unfold(row.entry for row in rows[: since + HISTORY_EVENTS])
        if seen.event.version > since
    ]
    more = len(rows) > since + HISTORY_EVENTS
    return History(match=match, events=tuple(page), more=more)


def bot_turn(live: LiveMatch, steady: int = 0) -> tuple[Message, ...]:
    """The turn to put before a bot, if the match waits for a seat that the house holds."""
    turn = sight.bot_turn(live.match, live.state)
    return _put(None if turn is None else replace(turn, steady=steady))


def advice_turn(live: LiveMatch) -> tuple[Message, ...]:
    """The turn to put before a bot for the owner of the seat on turn, who asked for advice."""
    return _put(sight.advice_turn(live.match, live.state))


def _put(turn: BotTurn | None) -> tuple[Message, ...]:
    if turn is None:
        return ()
    return (Message(subject=subjects.turn(turn.match, turn.seat), data=encode_turn(turn)),)
