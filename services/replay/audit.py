"""The audit of a match: is it the one that was sealed, played by its rules, and whole?

Versions are dense, every line is of the form that was promised and chains to its head, and every
event is made again (services/replay/reexecution.py): players, operators and the clock are believed,
all else must come out byte for byte. What this proves, and what not, is in docs/fair-deal.md.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, Literal

import msgspec
from msgspec import Struct, field

from schemas.cards import Card, decode_pack, encode_pack
from schemas.commands import GameAction
from schemas.events import (
    END_TAGS,
    CardsShuffled,
    Event,
    MatchAbandoned,
    MatchEnded,
    RoundRevealed,
    decode_event,
    encode_event,
    tag_of,
)
from schemas.ids import CommandId, MatchId, matches
from schemas.views import BotTurn
from services.event_log.chain import NO_HEAD, next_head
from services.event_log.port import Entry
from services.replay import luck, reexecution
from services.replay.heads import Seen, missing, other_command
from services.replay.luck import Sealed, luck_of
from services.replay.reexecution import Point, RecordedChance, Unlawful
from services.rules import match as rules
from services.rules import sight
from services.rules.decider import Chance, Fact
from services.rules.history import author_of, fact_of
from services.rules.match import MatchState
from services.rules.moves import DECISIONS
from services.runtime.faults import place_of

PACK_CHARS: Final = 4_096
"""The longest pack, written; one of Hand has 642 characters."""


class Fault(Struct, frozen=True):
    """The first version at which a stream is not what it should be, and why."""

    version: int
    reason: str


class Bots(Struct, frozen=True):
    """How many decisions of the house were made again, if its policy is the one at hand."""

    policy: str
    verdict: Literal["checked", "not checked"]
    decisions: int


class Finding(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What came of one match (or, with `match` null, of one partition's positions).

    `bots` where they were asked about; `unproven`: the version from which on a viewer's file of a
    running match can be checked for its chain only.
    """

    match: str | None
    events: int
    ok: bool
    first_bad: Fault | None
    bots: Bots | None = None
    unproven: int | None = None


class Policy(Struct, frozen=True):
    """The bots that this program has: what they decide, under the name that matches give it."""

    name: str
    choose: Callable[[BotTurn], GameAction]


class Questions(Struct, frozen=True, kw_only=True):
    """What is asked of a stream besides the rules. `viewers`: it is from a viewer's file, whose
    rows say no commands, and whose last packs may be hidden still; `policy`: bots whose decisions
    are made again; `seen`: heads that somebody kept, by match.
    """

    viewers: bool = False
    policy: Policy | None = None
    seen: Mapping[MatchId, Seen] = field(default_factory=dict)


LOG: Questions = Questions()
"""What is asked of a log's rows."""


def audit_match(entries: Sequence[Entry], asked: Questions = LOG) -> Finding:
    """Check one whole stream, of one event at least."""
    told = luck_of(e.line for e in entries if e.type in luck.TELLING)
    checks = _Checks(told, asked, over=entries[-1].type in END_TAGS)
    fault = _first_fault(checks, entries)
    seen = asked.seen.get(entries[0].stream)
    if seen is not None:
        lost = missing([entry.head for entry in entries], seen)
        if lost is None and not asked.viewers:
            lost = other_command([entry.command for entry in entries], seen)
        if lost is not None and (fault is None or lost.version < fault.version):
            fault = Fault(lost.version, lost.reason)
    return Finding(
        match=entries[0].stream,
        events=len(entries),
        ok=fault is None,
        first_bad=fault,
        bots=checks.bots(),
        unproven=checks.unproven,
    )


def _first_fault(checks: "_Checks", entries: Sequence[Entry]) -> Fault | None:
    for version, entry in enumerate(entries, 1):
        try:
            checks.take(version, entry)
        except Unlawful as found:
            return Fault(version, str(found))
        except Exception as error:  # noqa: BLE001 whatever else is wrong is wrong at this version
            return Fault(version, f"the row is of no form that a log has: {place_of(error)}")
    end = checks.missing()
    return None if end is None else Fault(len(entries) + 1, end)


class _Checks:
    """What is known of a match so far: its head, its state, its seals, its commands."""

    def __init__(self, told: luck.Luck, asked: Questions, *, over: bool) -> None:
        self.unproven: int | None = None
        self._over = over
        self._luck = told
        self._asked = asked
        self._head = NO_HEAD
        self._at = Point()
        self._sealed: list[Sealed] = []
        self._commands: set[CommandId] = set()
        self._decisions = 0
        self._time = 0

    def take(self, version: int, entry: Entry) -> None:
        """Check the next entry of the stream; raises `Unlawful`."""
        self._check_chain(version, entry)
        event = _check_line(entry)
        if self.unproven is not None:
            return
        if not self._asked.viewers:
            self._check_command(entry, event)
        hidden = self._is_hidden(entry, event)
        pack = None if hidden else _pack(entry, event)
        self._check_fact(event, fact_of(event, pack), hidden=hidden)
        self.unproven = version if hidden else None

    def missing(self) -> str | None:
        """What a stream that is whole would have next, None if nothing must follow."""
        state = self._at.state
        if state is None or self.unproven is not None:
            return None
        nothing = Fact(body=state.opened, origin="rule")
        follows = reexecution.due(self._at, self._chance(nothing))
        return None if follows is None else f"the log ends where {tag_of(follows.body)} must follow"

    def bots(self) -> Bots | None:
        """What came of the question about bots."""
        policy, state = self._asked.policy, self._at.state
        if policy is None or state is None:
            return None
        ours = state.opened.policy == policy.name
        return Bots(state.opened.policy, "checked" if ours else "not checked", self._decisions)

    def _check_chain(self, version: int, entry: Entry) -> None:
        if entry.version != version:
            raise Unlawful(f"version {entry.version} where {version} belongs")
        self._head = next_head(self._head, entry.line)
        if self._head != entry.head:
            raise Unlawful("the line does not chain to its head")

    def _check_command(self, entry: Entry, event: Event) -> None:
        """A command's id stands where a command was, and nowhere else; and once."""
        command, said = entry.command, _answers_a_command(event)
        if command is None:
            if said and not isinstance(event.body, MatchAbandoned):
                raise Unlawful(f"a {entry.type} without the command that it answers")
            return
        if not said or not matches(command, CommandId):
            raise Unlawful(f"this {entry.type} answers no command")
        if command in self._commands:
            raise Unlawful("a command is accepted for the second time")
        self._commands.add(command)

    def _is_hidden(self, entry: Entry, event: Event) -> bool:
        """A shuffle whose pack a viewer is not told yet; once a match is over he is told of all."""
        shuffled = isinstance(event.body, CardsShuffled)
        return self._asked.viewers and not self._over and shuffled and entry.secret is None

    def _check_fact(self, event: Event, fact: Fact, *, hidden: bool) -> None:
        state = self._at.state
        if state is None and self._luck.odd_seal:
            raise Unlawful("the seal is not that of the secret which every round was dealt from")
        self._check_told(event, state)
        if reexecution.check(self._at, fact, self._chance(fact), hidden=hidden):
            self._check_time(event)
        self._time = event.time
        if self._asked.policy is not None and state is not None:
            self._check_decision(event, fact, state, self._asked.policy)
        if not hidden:
            self._at = _advanced(self._at, fact)

    def _check_time(self, event: Event) -> None:
        """What follows from an act by itself has the act's time."""
        if event.time != self._time:
            raise Unlawful(f"this {tag_of(event.body)} has not the time of what it follows from")

    def _chance(self, fact: Fact) -> Chance:
        body = fact.body
        latest = self._sealed[-1].seal if self._sealed else None
        seal = body.seal if isinstance(body, CardsShuffled) else latest
        return self._luck.chance(self._at.state, fact, seal)

    def _check_told(self, event: Event, state: MatchState | None) -> None:
        """Seeds and secrets are those that were sealed."""
        match event.body:
            case CardsShuffled(seal=seal):
                luck.check_seal(seal, self._sealed)
                self._sealed.append(Sealed(event.version, seal))
            case RoundRevealed() as revealed:
                luck.check_seed(revealed, self._sealed)
                self._sealed = []
            case MatchEnded(secret=secret) | MatchAbandoned(secret=secret) if state is not None:
                luck.check_secret(state, secret)
            case _:
                pass

    def _check_decision(self, event: Event, fact: Fact, state: MatchState, policy: Policy) -> None:
        """What a bot decided is what it decides again on the same view."""
        if fact.origin != "player" or type(fact.body) not in DECISIONS:
            return
        turn = sight.bot_turn(event.match, state)
        if turn is None or state.opened.policy != policy.name:
            return
        self._decisions += 1
        if _decided(state, fact, turn, policy) != fact:
            bot = f"the bot of seat {turn.seat} ({policy.name}, {turn.level})"
            raise Unlawful(f"{bot} decides otherwise on this view")


def _decided(state: MatchState, fact: Fact, turn: BotTurn, policy: Policy) -> Fact:
    try:
        action = policy.choose(turn)
        return rules.act(state, author_of(state, fact), action, RecordedChance(fact))
    except Exception as error:
        raise Unlawful(f"{policy.name} cannot play this view: {place_of(error)}") from error


def _answers_a_command(event: Event) -> bool:
    """A move of the house after time was up is no answer; the score that a worker said is."""
    kind = type(event.body)
    return kind in reexecution.SAID and not (kind in DECISIONS and event.origin == "rule")


def _advanced(at: Point, fact: Fact) -> Point:
    try:
        return reexecution.advance(at, fact)
    except Exception as error:
        raise Unlawful(f"the rules cannot take this event: {place_of(error)}") from error


def _check_line(entry: Entry) -> Event:
    try:
        event = decode_event(entry.line)
    except msgspec.DecodeError as error:
        raise Unlawful(f"the line cannot be read: {error}") from error
    if encode_event(event).decode() != entry.line or not entry.line.isascii():
        raise Unlawful("the line is not written in the promised form")
    if (event.match, event.version) != (entry.stream, entry.version):
        raise Unlawful("the line speaks of another match or version")
    if tag_of(event.body) != entry.type:
        raise Unlawful(f"the line is no {entry.type}")
    return event


def _pack(entry: Entry, event: Event) -> tuple[Card, ...] | None:
    if (entry.secret is not None) != isinstance(event.body, CardsShuffled):
        raise Unlawful("a pack belongs to cards_shuffled and to nothing else")
    if entry.secret is None:
        return None
    if len(entry.secret) > PACK_CHARS:
        raise Unlawful(f"the pack has over {PACK_CHARS} characters")
    try:
        pack = decode_pack(entry.secret)
    except msgspec.DecodeError as error:
        raise Unlawful(f"the pack cannot be read: {error}") from error
    if encode_pack(pack) != entry.secret:
        raise Unlawful("the pack is not written in the promised form")
    return pack
