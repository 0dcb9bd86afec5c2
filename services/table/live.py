"""A match in memory: its state, where its stream stands, and whose commands it has accepted."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from msgspec import Struct, field

from schemas.cards import Card, encode_pack
from schemas.events import Event, RoundEnded, encode_event, tag_of
from schemas.ids import CommandId, Hex32, MatchId
from schemas.refusals import Refusal
from services.event_log.chain import NO_HEAD, next_head
from services.event_log.port import Entry, Row
from services.rules.history import author_of, event_of, unfold
from services.rules.match import MatchState, Step
from services.rules.sight import cards_given

REFUSED_IDS: Final = 32
"""The most refused ids kept of one voice in one match."""
REFUSED_VOICES: Final = 64
"""The most voices in one match of which refused ids are kept; those who sit are the last to go."""


class Acceptance(Struct, frozen=True):
    """Who said an accepted command, its first event's version and the cards that gave him."""

    voice: str
    version: int
    cards: tuple[Card, ...] = ()


class RefusedId(Struct, frozen=True):
    """A command that was refused, and how."""

    command: CommandId
    code: Refusal


class LiveMatch(Struct, frozen=True, kw_only=True):
    """`ended_head` is the head at the latest `round_ended`; `refused` are commands whose move does
    not keep them from being accepted later, by voice: they stay refused.
    """

    match: MatchId
    state: MatchState
    version: int
    head: Hex32
    ended_head: Hex32 | None = None
    accepted: Mapping[CommandId, Acceptance] = field(default_factory=dict)
    refused: Mapping[str, tuple[RefusedId, ...]] = field(default_factory=dict)


class Happening(Struct, frozen=True, kw_only=True):
    """An event with its surroundings: what feeds, turns and the outbox are made from."""

    entry: Entry
    event: Event
    before: MatchState | None
    after: MatchState
    command: CommandId | None
    voice: str | None


class Cause(Struct, frozen=True):
    """The command that makes something happen, and who said it."""

    command: CommandId
    voice: str


NOTHING: Final[Mapping[CommandId, Acceptance]] = MappingProxyType({})


class Grown(Struct, frozen=True):
    """A match after new steps, and what happened."""

    live: LiveMatch
    happenings: tuple[Happening, ...]


def grow(
    live: LiveMatch | None, match: MatchId, steps: Iterable[Step], *, time: int, cause: Cause | None
) -> Grown:
    """`live` (None for a match that does not exist yet) after `steps`; the cause's id stands on
    the first of them.
    """
    happenings: list[Happening] = []
    for step in steps:
        happening = _happen(live, match, step, time, cause if not happenings else None)
        live = _after(live, happening)
        happenings.append(happening)
    assert live is not None, "no step, no match"
    return Grown(live, tuple(happenings))


def _happen(
    live: LiveMatch | None, match: MatchId, step: Step, time: int, cause: Cause | None
) -> Happening:
    event = event_of(step.fact, match, live.version + 1 if live else 1, time)
    line = encode_event(event).decode()
    entry = Entry(
        stream=match,
        version=event.version,
        type=tag_of(event.body),
        command=cause.command if cause else None,
        line=line,
        head=next_head(live.head if live else NO_HEAD, line),
        secret=encode_pack(step.fact.pack) if step.fact.pack else None,
    )
    return Happening(
        entry=entry,
        event=event,
        before=live.state if live else None,
        after=step.state,
        command=entry.command,
        voice=cause.voice if cause else None,
    )


def _after(live: LiveMatch | None, happening: Happening) -> LiveMatch:
    head, event = happening.entry.head, happening.event
    accepted = live.accepted if live else NOTHING
    if happening.command is not None and happening.voice is not None:
        cards = cards_given(happening.before, event.body, happening.after, happening.voice)
        acceptance = Acceptance(happening.voice, event.version, cards)
        accepted = {**accepted, happening.command: acceptance}
    ended = head if isinstance(event.body, RoundEnded) else live.ended_head if live else None
    return LiveMatch(
        match=event.match,
        state=happening.after,
        version=event.version,
        head=head,
        ended_head=ended,
        accepted=accepted,
        refused=live.refused if live else {},
    )


def rebuild(rows: Iterable[Row]) -> LiveMatch | None:
    """The match that the rows of a whole stream make, None if there are none."""
    live: LiveMatch | None = None
    accepted: dict[CommandId, Acceptance] = {}
    ended: Hex32 | None = None
    for seen in unfold(row.entry for row in rows):
        entry = seen.stored
        if entry.command is not None:
            voice = author_of(seen.before, seen.fact)
            cards = cards_given(seen.before, seen.event.body, seen.after, voice)
            accepted[entry.command] = Acceptance(voice, entry.version, cards)
        ended = entry.head if isinstance(seen.event.body, RoundEnded) else ended
        live = LiveMatch(
            match=seen.event.match,
            state=seen.after,
            version=entry.version,
            head=entry.head,
            ended_head=ended,
            accepted=accepted,
        )
    return live
