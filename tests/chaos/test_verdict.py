"""The verdict finds what it is there to find: each planted lie is counted, the truth is not."""

import msgspec
import pytest

from schemas.commands import HokmOptions
from schemas.events import decode_event
from schemas.feed import Happened, History, Refused
from schemas.refusals import Refusal
from services.event_log.port import Row
from services.table.feeds import snapshot
from services.table.live import rebuild
from tests.chaos import verdict
from tests.chaos.record import Record, Refusing
from tests.streams import OWNER, Played, played

LATER = 10**15
"""Unix ms after everything; 0 is before it."""


@pytest.fixture(scope="module")
def match() -> Played:
    return played(7, moves=30, options=HokmOptions(target=1))


def own(row: Row) -> bool:
    """Was it the owner's command that made this row?"""
    event = decode_event(row.entry.line)
    return row.entry.command is not None and event.origin == "player" and event.seat == 0


@pytest.fixture
def record(match: Played) -> Record:
    """A client that was told everything, and the truth."""
    found = Record(match.match, OWNER)
    for row in match.rows:
        event, command = decode_event(row.entry.line), row.entry.command if own(row) else None
        found.hear(Happened(event=event, head=row.entry.head, command=command))
        if command is not None:
            found.said.append(command)
    for last in (10, 20, len(match.rows)):
        live = rebuild(match.rows[:last])
        assert live is not None
        found.hear(snapshot(live, OWNER, now=0, due=None))
    return found


def count(record: Record, match: Played) -> dict[str, int]:
    return verdict.count_records([record], {match.match: verdict.fold(match.rows)})


def wrong(record: Record, match: Played) -> set[str]:
    """What is counted that must not be."""
    found = count(record, match)
    return {name for name in verdict.NOTHING if found[name]}


def test_the_truth_is_nothing_to_complain_of(record: Record, match: Played) -> None:
    found = count(record, match)
    assert wrong(record, match) == set()
    assert found["accepted"] == len(record.said) > 3
    assert found["snapshots"] == 3
    assert found["told"] == len(match.rows)


def test_an_accepted_command_that_the_log_has_not_is_lost(record: Record, match: Played) -> None:
    record.accepted["x" * 16] = 3
    assert wrong(record, match) == {"lost"}


def test_an_accepted_command_that_stands_elsewhere_is_found(record: Record, match: Played) -> None:
    record.accepted[record.said[0]] += 1
    assert wrong(record, match) == {"moved"}


def test_commands_in_another_order_than_they_were_said_are_found(
    record: Record, match: Played
) -> None:
    record.said[0], record.said[1] = record.said[1], record.said[0]
    assert wrong(record, match) == {"order_broken"}


def test_a_refusal_before_the_acceptance_of_an_id_is_found(record: Record, match: Played) -> None:
    record.refused.append(Refusing(record.said[2], Refusal.UNKNOWN_MATCH, 0))
    assert wrong(record, match) == {"refused_then_accepted"}


def test_a_refusal_after_it_is_wrong_unless_the_match_is_over_and_forgotten(
    record: Record, match: Played
) -> None:
    record.refused.append(Refusing(record.said[2], Refusal.UNKNOWN_MATCH, LATER))
    assert wrong(record, match) == {"refused_wrongly"}, "the match is not over"
    whole = played(7, options=HokmOptions(target=1))
    command = next(row.entry.command for row in whole.rows if own(row))
    assert command is not None
    for code, bad in ((Refusal.UNKNOWN_MATCH, set()), (Refusal.STALE_MOVE, {"refused_wrongly"})):
        over = Record(whole.match, OWNER)
        over.hear(Refused(match=whole.match, command=command, code=code, move=0))
        assert wrong(over, whole) == bad


def test_an_event_that_the_log_has_not_is_found(record: Record, match: Played) -> None:
    last = match.rows[-1]
    event = msgspec.structs.replace(decode_event(last.entry.line), version=len(match.rows) + 1)
    record.hear(Happened(event=event, head="0" * 64))
    assert wrong(record, match) == {"told_not_in_log"}


def test_a_version_that_was_told_in_two_ways_is_found(record: Record, match: Played) -> None:
    told = Happened(event=decode_event(match.rows[4].entry.line), head="0" * 64)
    record.hear(History(match=match.match, events=(told,), more=False))
    assert wrong(record, match) == {"told_twice_differently"}


@pytest.mark.parametrize("what", ["move", "view", "sitting", "head"])
def test_a_snapshot_that_is_no_fold_is_found(record: Record, match: Played, what: str) -> None:
    first, *_, last = record.snapshots
    wrongs = {
        "move": first.move,
        "view": first.view,
        "sitting": last.sitting[::-1],
        "head": last.head[::-1],
    }
    other = msgspec.structs.replace(last, **{what: wrongs[what]})
    record.snapshots.append(other)
    assert wrong(record, match) == {"snapshots_other"}


def test_a_snapshot_of_a_version_that_never_was_is_found(record: Record, match: Played) -> None:
    later = msgspec.structs.replace(record.snapshots[-1], version=len(match.rows) + 1)
    record.snapshots.append(later)
    assert wrong(record, match) == {"snapshots_other"}


def test_what_a_match_waits_for_is_said() -> None:
    lobby = Played("m_" + "1" * 32, HokmOptions())
    over = played(7, options=HokmOptions(target=1))
    found = [verdict.fold(one.rows) for one in (lobby, over)]
    assert verdict.waiting({"m_1": found[0], "m_2": found[1]}) == {"lobby: for a start": 1}
