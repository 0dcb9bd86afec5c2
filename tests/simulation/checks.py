"""What must hold after a run, each invariant by its name, all held against fresh folds."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

import msgspec
import sqlalchemy as sa

from schemas import subjects
from schemas.commands import GAME_ACTIONS, Command
from schemas.feed import Advice, Happened, History, Refused, Snapshot
from schemas.refusals import Refusal
from schemas.views import decode_turn
from services.cli.join.following import seat_in
from services.messaging import streams
from services.replay.audit_log import audit_all
from services.rules import match as rules
from services.rules import sight
from services.rules.history import author_of, fact_of
from services.rules.match import game_of
from services.scoring.ledger import projections
from services.scoring.standings import Standings
from services.table.live import rebuild
from services.table.outbox import position_of
from tests.simulation.memory_database import MemoryDatabase
from tests.simulation.truth import Truth, cards_in, sitting_at, truths
from tests.simulation.witness import Broken, Key, Said, Told
from tests.simulation.world import World

Found = Iterator[Broken]
Truths = Mapping[str, Truth]
FORGIVEN: Final = (Refusal.UNKNOWN_MATCH, Refusal.FAULT)
"""Refusals that an accepted command may be told: of a match that is over and out of memory."""


def check(world: World) -> Iterator[Broken]:
    """Every invariant that does not hold, the log's own first."""
    yield from _audited(world)
    known = truths(world.log)
    for one in CHECKS:
        yield from one(world, known)


# The log alone --------------------------------------------------------------------------------


def _audited(world: World) -> Found:
    """Heads whole, seals and shuffles right, positions 1..n, every match where it belongs."""
    for finding in audit_all(world.log):
        if finding.first_bad is not None:
            yield Broken("audit", f"{finding.match} {finding.first_bad}")


def _once(_: World, known: Truths) -> Found:
    """No command id stands twice."""
    rows = [row for truth in known.values() for row in truth.rows]
    ids = Counter((row.entry.stream, row.entry.command) for row in rows if row.entry.command)
    for key, count in ids.items():
        if count > 1:
            yield Broken("accepted_once", f"{key} stands {count} times")


def _open_matches(world: World, known: Truths) -> Found:
    """The open matches of the log are those that are not over."""
    running = sorted(one.match for one in known.values() if not one.seen[-1].after.over)
    partitions = range(world.plan.partitions)
    listed = sorted(match for number in partitions for match in world.log.open_streams(number))
    if running != listed:
        yield Broken("open_matches", f"{listed} are listed, {running} are open")


def _rebuilt(_: World, known: Truths) -> Found:
    """What a table rebuilds is what the rules fold."""
    for truth in known.values():
        live = rebuild(truth.rows)
        events = [seen.event for seen in truth.seen]
        packs = [seen.fact.pack for seen in truth.seen]
        facts = [fact_of(event, pack) for event, pack in zip(events, packs, strict=True)]
        if live is None or live.state != rules.fold(facts) or live.version != len(truth.rows):
            yield Broken("rebuilt", truth.match)


# Commands -------------------------------------------------------------------------------------


def _authors(world: World, known: Truths) -> Found:
    """What was accepted was said, by the one who may say it, and did what it says."""
    said = world.witness.said
    for truth in known.values():
        for seen in truth.seen:
            command = seen.stored.command
            if command is None:
                continue
            voice = author_of(seen.before, seen.fact)
            one = said.get((truth.match, voice, command))
            if one is None or not _does(truth, seen.event.version, one):
                yield Broken("as_said", f"{truth.match} {seen.event.version} by {voice}")


def _does(truth: Truth, version: int, said: Said) -> bool:
    seen = truth.at(version)
    action, before = said.command.action, seen.before
    if before is None:
        return version == 1
    if rules.refuse(before, said.voice, said.command) is not None:
        return False
    if not isinstance(action, GAME_ACTIONS):
        return True
    assert seen.event.seat is not None
    return game_of(before).act(before.game, seen.event.seat, action) == seen.event.body


def _order(world: World, known: Truths) -> Found:
    """A player's commands are accepted in the order in which it said them."""
    said = world.witness.said
    for truth in known.values():
        last: dict[str, int] = {}
        for seen in truth.seen:
            command = seen.stored.command
            voice = author_of(seen.before, seen.fact) if command else ""
            one = said.get((truth.match, voice, command or ""))
            if one is None or not voice.startswith("u_"):
                continue
            if one.order < last.get(voice, 0):
                yield Broken("order_of_sending", f"{truth.match} {seen.event.version} {voice}")
            last[voice] = one.order


def _decided(world: World, _: Truths) -> Found:
    """What reached a table was decided, unless the broker lost it before."""
    witness = world.witness
    for key in witness.delivered:
        if not witness.is_decided(key) and key not in witness.lost:
            yield Broken("decided", f"{key}")


def _two_answers(world: World, known: Truths) -> Found:
    """Nobody is refused what is accepted; who named the present move is not accepted later."""
    witness = world.witness
    for told in witness.told:
        refused = told.feed
        if not isinstance(refused, Refused) or refused.command is None:
            continue
        key: Key = (told.match, told.voice, refused.command)
        if refused.code not in FORGIVEN and _contradicts(world, known, key, told, refused):
            yield Broken("two_answers", f"{key} {refused.code}")


def _contradicts(world: World, known: Truths, key: Key, told: Told, refused: Refused) -> bool:
    match, voice, command = key
    accepted = world.witness.accepted.get((match, command))
    said = world.witness.said.get(key)
    if accepted is None or said is None or voice not in _authors_of(known[match], command):
        return False
    move = said.command.move
    return accepted < told.order or (move is not None and move <= refused.move)


def _authors_of(truth: Truth, command: str) -> tuple[str, ...]:
    return tuple(
        author_of(seen.before, seen.fact) for seen in truth.seen if seen.stored.command == command
    )


# What was told --------------------------------------------------------------------------------


def _told(world: World, known: Truths) -> Found:
    """Each event, snapshot and page of history is what a fresh fold has to say to that voice."""
    for told in world.witness.told:
        truth = known.get(told.match)
        if isinstance(told.feed, Refused):
            continue
        if truth is None:
            yield Broken("told_is_true", f"{told.match} is not in the log: {told.feed}")
            continue
        for what in _parts(told):
            yield from _told_right(truth, told.voice, what)


def _parts(told: Told) -> Iterable[Happened | Snapshot]:
    if isinstance(told.feed, History):
        return told.feed.events
    return (told.feed,) if isinstance(told.feed, Happened | Snapshot) else ()


def _told_right(truth: Truth, voice: str, told: Happened | Snapshot) -> Found:
    version = told.version if isinstance(told, Snapshot) else told.event.version
    where = f"{truth.match} {version} to {voice}"
    if not truth.has(version):
        yield Broken("told_is_true", f"{where}: the log has no such version")
        return
    named = cards_in(msgspec.json.encode(told))
    if not named <= truth.allowed(voice, version):
        yield Broken("hidden_cards", f"{where}: {sorted(named - truth.allowed(voice, version))}")
    right = _happened_right if isinstance(told, Happened) else _snapshot_right
    if not right(truth, voice, told):  # type: ignore[arg-type]  # chosen by the type
        yield Broken("told_is_true", f"{where}: {told}")


def _happened_right(truth: Truth, voice: str, told: Happened) -> bool:
    version = told.event.version
    seen = truth.at(version)
    own = told.command is None or (
        told.command == seen.stored.command and voice == author_of(seen.before, seen.fact)
    )
    return (
        told.event == seen.event
        and told.head == seen.stored.head
        and told.cards == truth.given(voice, version)
        and own
    )


def _snapshot_right(truth: Truth, voice: str, told: Snapshot) -> bool:
    version = told.version
    state = truth.state(version)
    return (
        told.head == truth.at(version).stored.head
        and told.move == state.move
        and told.sitting == sitting_at(truth, version)
        and told.view == truth.view(voice, version)
    )


def _turns(world: World, known: Truths) -> Found:
    """A bot is asked with its own seat's view at the decision that it is asked for: to play where
    the house holds the seat, to advise where its player does.
    """
    moves = {match: truth.moves() for match, truth in known.items()}
    for message in world.witness.turns:
        turn = decode_turn(message.data)
        truth = known.get(turn.match)
        versions = moves.get(turn.match, {}).get(turn.move, [])
        make = sight.bot_turn if turn.task == "play" else sight.advice_turn
        right = [make(turn.match, truth.state(v)) for v in versions] if truth else []
        if turn not in right or message.subject != subjects.turn(turn.match, turn.seat):
            yield Broken("bots_view", f"{turn.match} {turn.seat} {turn.move}")


def _advised(world: World, known: Truths) -> Found:
    """An advice is told to the player of the seat on turn, names no card that he may not know, and
    says first what the rules let him do.
    """
    for told in world.witness.told:
        advice, truth = told.feed, known.get(told.match)
        if not isinstance(advice, Advice) or truth is None:
            continue
        versions = truth.moves().get(advice.move, [])
        if not any(_advises(truth, version, told.voice, advice) for version in versions):
            yield Broken("advice", f"{told.match} {advice.move} to {told.voice}")


def _advises(truth: Truth, version: int, voice: str, advice: Advice) -> bool:
    state, action = truth.state(version), advice.suggestion.actions[0]
    seat = sight.turn(state)
    if seat is None or state.chairs[seat].player != voice:
        return False
    named = cards_in(msgspec.json.encode(advice.suggestion))
    first = Command(id="-" * 16, move=advice.move, action=action)
    return named <= truth.allowed(voice, version) and rules.refuse(state, voice, first) is None


def _folded(world: World, known: Truths) -> Found:
    """What each client has folded from its feed is what it may see of a fresh fold."""
    for match, followed in world.followed:
        truth, version = known[match], followed.version
        where = f"{match} {version} {followed.player}"
        if not truth.has(version) or truth.at(version).stored.head != followed.head:
            yield Broken("clients_fold", f"{where}: no such version or head")
        elif followed.state is not None:
            mine = sight.view(followed.state, seat_in(followed))
            right = truth.view(followed.player, version)
            if mine != right:
                yield Broken("clients_fold", f"{where}: {mine} is {right}")


# What others keep -----------------------------------------------------------------------------


def _stream_is_log(world: World, known: Truths) -> Found:
    """EVENTS has every row of the log, and nothing else at its position."""
    rows = {(row.partition, row.position): row for one in known.values() for row in one.rows}
    there: set[tuple[int, int]] = set()
    for one in world.broker.stream(streams.EVENTS).matching("event.>"):
        at = (int(one.message.subject.split(".")[1]), position_of(one.message))
        row = rows.get(at)
        entry = row.entry if row else None
        head = one.message.headers[subjects.HEAD_HEADER]
        if entry is None or (entry.line.encode(), entry.head) != (one.message.data, head):
            yield Broken("events_are_the_log", f"{at} is not the log's")
        there.add(at)
    missing = sorted(rows.keys() - there)
    if missing:
        yield Broken("events_are_the_log", f"{len(missing)} are missing, from {missing[0]} on")


def _standings(world: World, _: Truths) -> Found:
    """The standings are a fresh projection of the log."""
    database = MemoryDatabase()
    fresh = Standings(database.engine())
    fresh.create()
    fresh.catch_up(world.log)
    kept, made = _tables_of(world.database.engine()), _tables_of(database.engine())
    database.close()
    if kept != made:
        yield Broken("standings", f"{kept} are {made}")


def _tables_of(engine: sa.Engine) -> dict[str, list[tuple[object, ...]]]:
    with engine.connect() as connection:
        return {
            table.name: sorted(map(tuple, connection.execute(sa.select(table))), key=repr)
            for table in projections.sorted_tables
        }


CHECKS: Final[tuple[Callable[[World, Truths], Found], ...]] = (
    _once,
    _open_matches,
    _rebuilt,
    _authors,
    _order,
    _decided,
    _two_answers,
    _told,
    _turns,
    _advised,
    _folded,
    _stream_is_log,
    _standings,
)
