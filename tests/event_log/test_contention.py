"""Several owners at once: nothing lost, nothing twice, no gap, and a reader misses nothing."""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import chain
from threading import Barrier, Event
from typing import Final, TypeVar

import pytest

from services.event_log.port import Batch, Claim, Conflict, Crew, EventLog, Fenced, Reader, Row
from tests.event_log.places import PARTITIONS, Place, batch, entry, positions

Result = TypeVar("Result")

OWNERS: Final = 4
APPENDS: Final = 25
ATTEMPTS: Final = 5_000
"""Far more take-overs than an owner that makes progress at all can need."""
SECONDS: Final = 60.0
"""A test that waits longer has found a deadlock."""


def stream_of(owner: int) -> str:
    return f"m_{owner:032x}"


def together(*work: Callable[[], Result]) -> list[Result]:
    """Run all of `work` at once; raises what any of it raised."""
    with ThreadPoolExecutor(len(work)) as pool:
        return [done.result(SECONDS) for done in [pool.submit(task) for task in work]]


def own(log: EventLog, partition: int, owner: int, start: Barrier) -> int:
    """Claim, wait for the others to have claimed, then append APPENDS entries one by one,
    claiming again whenever fenced; how often that was.
    """
    stream, fenced = stream_of(owner), 0
    claim = log.claim(partition, str(owner))
    start.wait(SECONDS)
    for version in range(1, APPENDS + 1):
        while not _appended(log, claim, Batch(entries=(entry(version, stream),), opened=(stream,))):
            fenced += 1
            assert fenced < ATTEMPTS, "an owner made no progress"
            claim = log.claim(partition, str(owner))
            assert len(log.load(stream)) == version - 1, "a fenced append left something"
    return fenced


def _appended(log: EventLog, claim: Claim, wanted: Batch) -> bool:
    try:
        log.append(claim, wanted)
    except Fenced:
        return False
    return True


def follow(reader: Reader, partition: int, done: Event) -> list[Row]:
    """All that a reader by cursor sees until nothing more can come."""
    seen: list[Row] = []
    while True:
        last_look = done.is_set()
        page = reader.read(partition, seen[-1].position if seen else 0, limit=7)
        seen += page
        if last_look and not page:
            return seen


def assert_whole(rows: Sequence[Row], owners: Sequence[int]) -> None:
    assert positions(tuple(rows)) == list(range(1, len(owners) * APPENDS + 1))
    for owner in owners:
        mine = [row.entry for row in rows if row.entry.stream == stream_of(owner)]
        assert mine == [entry(version, stream_of(owner)) for version in range(1, APPENDS + 1)]


def test_owners_that_take_one_partition_from_each_other(place: Place) -> None:
    logs = [place.log() for _ in range(OWNERS)]
    reader, done, start = place.reader(), Event(), Barrier(OWNERS)
    with ThreadPoolExecutor(1) as pool:
        following = pool.submit(follow, reader, 0, done)
        try:
            fenced = together(*(partial(own, log, 0, o, start) for o, log in enumerate(logs)))
        finally:
            done.set()
        seen = following.result(SECONDS)
    assert sum(fenced) >= OWNERS - 1, "all but the last to claim were fenced at least once"
    assert_whole(seen, range(OWNERS))
    assert tuple(seen) == reader.read(0, 0)
    assert reader.position(0) == OWNERS * APPENDS
    assert reader.open_streams(0) == tuple(stream_of(owner) for owner in range(OWNERS))


def test_owners_of_different_partitions_do_not_disturb_each_other(place: Place) -> None:
    done, start = Event(), Barrier(PARTITIONS)
    readers = [place.reader() for _ in range(PARTITIONS)]
    logs = [place.log() for _ in range(PARTITIONS)]
    with ThreadPoolExecutor(PARTITIONS) as pool:
        following = [pool.submit(follow, readers[p], p, done) for p in range(PARTITIONS)]
        try:
            fenced = together(*(partial(own, logs[p], p, p, start) for p in range(PARTITIONS)))
        finally:
            done.set()
        for partition, seen in enumerate(following):
            assert_whole(seen.result(SECONDS), [partition])
    assert fenced == [0] * PARTITIONS


def test_one_handle_serves_the_threads_of_several_owners(place: Place) -> None:
    log, start = place.log(), Barrier(PARTITIONS)
    together(*(partial(own, log, p, p, start) for p in range(PARTITIONS)))
    for partition in range(PARTITIONS):
        assert_whole(log.read(partition, 0), [partition])


def test_the_same_version_is_appended_by_one_of_many(place: Place) -> None:
    """The last net: owners that (by a bug) share a claim still cannot fork a stream."""
    logs = [place.log() for _ in range(OWNERS)]
    claim = logs[0].claim(0, "all of them")
    start = Barrier(OWNERS)

    def race(log: EventLog) -> list[int]:
        won = []
        for version in range(1, APPENDS + 1):
            start.wait(SECONDS)
            try:
                log.append(claim, batch(entry(version)))
            except Conflict:
                continue
            won.append(version)
        return won

    won = together(*(partial(race, log) for log in logs))
    assert sorted(chain.from_iterable(won)) == list(range(1, APPENDS + 1))
    assert positions(logs[0].read(0, 0)) == list(range(1, APPENDS + 1))


def test_many_claim_at_once_and_each_has_its_own_epoch(place: Place) -> None:
    logs = [place.log() for _ in range(OWNERS)]

    def take(log: EventLog) -> list[Claim]:
        return [log.claim(0, "me") for _ in range(APPENDS)]

    claims = list(chain.from_iterable(together(*(partial(take, log) for log in logs))))
    assert sorted(c.epoch for c in claims) == list(range(1, OWNERS * APPENDS + 1))
    newest = max(claims, key=lambda claim: claim.epoch)
    for claim in claims:
        if claim is not newest:
            with pytest.raises(Fenced):
                logs[0].append(claim, batch(entry(1)))
    assert logs[0].append(newest, batch(entry(1))) == 1


def test_one_of_many_holds_the_lock(place: Place) -> None:
    logs = [place.log() for _ in range(OWNERS)]
    start = Barrier(OWNERS)

    def grab(log: EventLog) -> bool:
        start.wait(SECONDS)
        return log.hold(0)

    held = together(*(partial(grab, log) for log in logs))
    assert sorted(held) == [False] * (OWNERS - 1) + [True]


def test_workers_that_want_a_log_are_counted_and_ranked(place: Place) -> None:
    first, second = place.log(), place.log()
    assert [first.join(), first.join()] == [Crew(workers=1, rank=0)] * 2
    crews = [second.join(), first.join()]
    # SQLite has one writer process, which counts no others.
    assert [crew.workers for crew in crews] in ([2, 2], [1, 1])
    assert sorted(crew.rank for crew in crews) == list(range(crews[0].workers)) or (
        crews[0].workers == 1
    )
    second.leave()
    assert first.join() == Crew(workers=1, rank=0)
    assert first.hold(0)


def test_who_leaves_gives_up_its_locks_and_may_come_back(place: Place) -> None:
    first, second = place.log(), place.log()
    assert first.hold(0)
    assert not second.hold(0)
    first.leave()
    assert held_soon(second, 0)
    assert not first.hold(0)
    second.leave()
    assert held_soon(first, 0)


def held_soon(log: EventLog, partition: int) -> bool:
    """True once the lock is ours: a server may take a moment to see that a session ended."""
    end = time.monotonic() + SECONDS
    while not log.hold(partition):
        assert time.monotonic() < end, "the lock was not given up"
    return True
