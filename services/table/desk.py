"""The desk: one command in, and either what happened or why not. Pure but for the clock."""

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from schemas.commands import Command, OpenMatch, RecordScore, decode_command
from schemas.decoding import decoder
from schemas.feed import Refused
from schemas.ids import SCORING, CommandId, MatchId, Voice, matches
from schemas.refusals import Refusal
from schemas.subjects import Address
from services.messaging.permissions import COMMAND_LINE_PLAYER
from services.rules import match as rules
from services.rules import overtime
from services.rules.opening import open_match, well_formed
from services.runtime.clock import Clock
from services.runtime.signing_keys import Keys
from services.runtime.tickets import check
from services.table.live import (
    REFUSED_IDS,
    REFUSED_VOICES,
    Acceptance,
    Cause,
    Grown,
    LiveMatch,
    RefusedId,
    grow,
)
from services.table.secrets import ShuffleKey, chance_of, terms_of


class Desk(Struct, frozen=True):
    """What deciding needs besides the match: the key, the bots' policy, the clock, the pace, and
    where opening a match takes a ticket the keys of tickets.
    """

    key: ShuffleKey
    policy: str
    clock: Clock
    pace: float = 0.0
    tickets: Keys | None = None


class Again(Struct, frozen=True):
    """The command was accepted before: its author is told its event again."""

    command: CommandId
    acceptance: Acceptance


class Ruling(Struct, frozen=True, kw_only=True):
    """What comes of a command: `grown` and perhaps `refused` (an owner whose seat is given back
    and whose command is refused), `refused` alone, or `again`.
    """

    grown: Grown | None = None
    refused: Refused | None = None
    again: Again | None = None
    live: LiveMatch | None = None


class _IdOnly(Struct):
    id: CommandId


_decode_id = decoder(_IdOnly)


def known_voice(address: Address) -> bool:
    """False for a subject that no honest client can have: there is nobody to answer."""
    return matches(address.match, MatchId) and matches(address.voice, Voice)


def read(data: bytes) -> Command | None:
    """The command in `data`, None if it is malformed."""
    try:
        command = decode_command(data)
    except msgspec.DecodeError:
        return None
    return command if well_formed(command) else None


def refused(
    address: Address, command: CommandId | None, code: Refusal, live: LiveMatch | None
) -> Refused:
    move = live.state.move if live else 0
    return Refused(match=address.match, command=command, code=code, move=move)


def malformed(address: Address, data: bytes, live: LiveMatch | None) -> Refused:
    """The refusal of what could not be read, with its id where that much is legible."""
    try:
        command = _decode_id(data).id
    except msgspec.DecodeError:
        command = None
    return refused(address, command, Refusal.MALFORMED, live)


def rule(
    desk: Desk, live: LiveMatch | None, address: Address, command: Command, *, full: bool = False
) -> Ruling:
    """What comes of `command` in the match as it stands, None being one that does not exist.

    `full`: no match is opened any more.
    """
    if live is None:
        return _rule_unknown(desk, address, command, full=full)
    acceptance = live.accepted.get(command.id)
    if acceptance is not None:
        return _rule_known_id(live, address, command, acceptance)
    return _rule_new(desk, live, address, command)


def _rule_unknown(desk: Desk, address: Address, command: Command, *, full: bool) -> Ruling:
    action = command.action
    if not isinstance(action, OpenMatch):
        return Ruling(refused=refused(address, command.id, Refusal.UNKNOWN_MATCH, None))
    if not rules.may_say(address.voice, action):
        return Ruling(refused=refused(address, command.id, Refusal.NOT_ALLOWED, None))
    if full:
        return Ruling(refused=refused(address, command.id, Refusal.DRAINING, None))
    if not _may_open(desk, address, action):
        return Ruling(refused=refused(address, command.id, Refusal.TICKET_INVALID, None))
    terms = terms_of(desk.key, address.match, desk.policy)
    steps = open_match(address.voice, action, terms)
    cause = Cause(command.id, address.voice)
    return Ruling(grown=grow(None, address.match, steps, time=desk.clock.now(), cause=cause))


def _may_open(desk: Desk, address: Address, action: OpenMatch) -> bool:
    """False where a ticket is needed and this is none for this player and match, today (H22)."""
    keys, ticket, voice = desk.tickets, action.ticket, address.voice
    if keys is None or voice == COMMAND_LINE_PLAYER:
        return True
    if ticket is None:
        return False
    now = desk.clock.now()
    return check(keys, ticket, player=voice, match=address.match, now=now) is None


def _rule_known_id(
    live: LiveMatch, address: Address, command: Command, acceptance: Acceptance
) -> Ruling:
    if acceptance.voice != address.voice:
        return Ruling(refused=refused(address, command.id, Refusal.NOT_ALLOWED, live))
    return Ruling(again=Again(command.id, acceptance))


def _rule_new(desk: Desk, live: LiveMatch, address: Address, command: Command) -> Ruling:
    back = give_back(desk, live, address.voice)
    if back is not None:
        live = back.live
    refusal = _refuse_here(live, address.voice, command)
    if refusal is None:
        chance = chance_of(desk.key, live.match, live.state.nonces)
        decided = rules.decide(live.state, address.voice, command, chance)
        if not isinstance(decided, Refusal):
            cause = Cause(command.id, address.voice)
            grown = grow(live, live.match, decided, time=desk.clock.now(), cause=cause)
            return Ruling(grown=_joined(back, grown))
        refusal = decided
    live = remember_refused(live, address.voice, command, refusal)
    said = refused(address, command.id, refusal, live)
    return Ruling(grown=back and replace(back, live=live), refused=said, live=live)


def _refuse_here(live: LiveMatch, voice: str, command: Command) -> Refusal | None:
    """What only the desk can know: what it refused before, and the head of a round's end."""
    for before in live.refused.get(voice, ()):
        if before.command == command.id:
            return before.code
    action = command.action
    if voice != SCORING or not isinstance(action, RecordScore) or live.state.over:
        return None
    return None if action.of == live.ended_head else Refusal.STALE_MOVE


def remember_refused(live: LiveMatch, voice: str, command: Command, code: Refusal) -> LiveMatch:
    """A refused command must not be accepted later. One that names the present move or an earlier
    one never is; one that names a later move or none is remembered.
    """
    pinned = command.move is not None and command.move <= live.state.move
    before = live.refused.get(voice, ())
    if pinned or any(one.command == command.id for one in before):
        return live
    kept = (*before, RefusedId(command.id, code))[-REFUSED_IDS:]
    others = {name: ids for name, ids in live.refused.items() if name != voice}
    if len(others) >= REFUSED_VOICES:
        strangers = [name for name in others if rules.seat_of(live.state, name) is None]
        del others[(strangers or list(others))[0]]
    return replace(live, refused={**others, voice: kept})


def give_back(desk: Desk, live: LiveMatch, voice: str) -> Grown | None:
    """An owner who asks or speaks gets back the seat that the house holds for him (H24)."""
    if live.state.over:
        return None
    seat = rules.seat_of(live.state, voice)
    if seat is None:
        return None
    chair = live.state.chairs[seat]
    if chair.player != voice or chair.control == "owner":
        return None
    chance = chance_of(desk.key, live.match, live.state.nonces)
    steps = rules.follow(live.state, (rules.returned(seat),), chance)
    return grow(live, live.match, steps, time=desk.clock.now(), cause=None)


def _joined(first: Grown | None, second: Grown) -> Grown:
    if first is None:
        return second
    return Grown(second.live, first.happenings + second.happenings)


def time_out(desk: Desk, live: LiveMatch) -> Grown:
    """The house plays for the seat whose time is up."""
    chance = chance_of(desk.key, live.match, live.state.nonces)
    steps = overtime.time_out(live.state, chance)
    return grow(live, live.match, steps, time=desk.clock.now(), cause=None)


def expire(desk: Desk, live: LiveMatch) -> Grown:
    """A lobby in which nobody started the match is closed."""
    chance = chance_of(desk.key, live.match, live.state.nonces)
    facts = (rules.abandoned("expired", chance),)
    steps = rules.follow(live.state, facts, chance)
    return grow(live, live.match, steps, time=desk.clock.now(), cause=None)
