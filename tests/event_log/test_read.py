"""The port's promises about reading, and about the locks, on every adapter."""

import pytest

from services.event_log.port import FORMAT, Batch, LogError, LogInfo
from tests.event_log.places import (
    MATCH,
    OTHER,
    PARTITIONS,
    THIRD,
    Place,
    batch,
    entries,
    entry,
    positions,
    versions,
)


def test_the_log_says_what_it_is(place: Place) -> None:
    assert place.reader().info() == LogInfo(format=FORMAT, generation=1, partitions=PARTITIONS)


def test_an_empty_log_reads_as_empty(place: Place) -> None:
    reader = place.reader()
    assert reader.load(MATCH) == ()
    assert reader.read(0, 0) == ()
    assert reader.position(0) == 0
    assert reader.streams() == ()
    assert reader.open_streams(0) == ()
    assert reader.dead_letters() == ()


def test_a_partition_outside_the_log_is_empty_and_has_no_position(place: Place) -> None:
    reader = place.reader()
    assert reader.read(PARTITIONS, 0) == ()
    assert reader.open_streams(PARTITIONS) == ()
    with pytest.raises(LogError, match="no partition"):
        reader.position(PARTITIONS)


def test_a_stream_loads_from_a_version_on_and_up_to_a_limit(place: Place) -> None:
    log = place.log()
    log.append(log.claim(0, "me"), batch(*entries(1, 9), *entries(1, 3, OTHER)))
    reader = place.reader()
    assert versions(reader.load(MATCH)) == list(range(1, 10))
    assert versions(reader.load(MATCH, after=7)) == [8, 9]
    assert versions(reader.load(MATCH, after=2, limit=3)) == [3, 4, 5]
    assert reader.load(MATCH, after=9) == ()
    assert reader.load(MATCH, limit=0) == ()
    assert reader.load("m_" + "a" * 31) == (), "the beginning of an id is not that id"


def test_a_reader_pages_through_a_partition_and_misses_nothing(place: Place) -> None:
    log = place.log()
    log.append(log.claim(0, "me"), batch(*entries(1, 25)))
    reader, cursor = place.reader(), 0
    seen: list[int] = []
    while page := positions(reader.read(0, cursor, limit=7)):
        assert len(page) <= 7
        seen += page
        cursor = page[-1]
    assert seen == list(range(1, 26))


def test_a_page_has_a_thousand_rows_by_default(place: Place) -> None:
    log = place.log()
    log.append(log.claim(0, "me"), batch(*entries(1, 1_001)))
    assert len(log.read(0, 0)) == 1_000
    assert positions(log.read(0, 1_000)) == [1_001]


def test_position_is_the_last_one_appended(place: Place) -> None:
    log = place.log()
    claim = log.claim(1, "me")
    log.append(claim, batch(*entries(1, 3)))
    assert (place.reader().position(1), place.reader().position(0)) == (3, 0)


def test_streams_are_sorted_by_their_bytes_across_partitions(place: Place) -> None:
    ids = ["m_1", "m_B", "m_a", "m_~", "m__", "m_10", "M_z"]
    log = place.log()
    for partition in range(PARTITIONS):
        mine = ids[partition::PARTITIONS]
        log.append(log.claim(partition, "me"), batch(*(entry(1, stream) for stream in mine)))
    reader = place.reader()
    assert reader.streams() == tuple(sorted(ids))
    seen: list[str] = []
    after = ""
    while page := reader.streams(after=after, limit=3):
        assert len(page) <= 3
        seen += page
        after = page[-1]
    assert seen == sorted(ids)
    assert reader.streams(limit=0) == ()


def test_a_stream_with_many_events_is_named_once(place: Place) -> None:
    log = place.log()
    log.append(log.claim(0, "me"), batch(*entries(1, 9), *entries(1, 5, OTHER), entry(1, THIRD)))
    assert place.reader().streams() == (MATCH, OTHER, THIRD)


def test_a_reader_sees_an_append_as_soon_as_it_has_returned(place: Place) -> None:
    log, reader = place.log(), place.reader()
    claim = log.claim(0, "me")
    for version in range(1, 20):
        log.append(claim, Batch(entries=(entry(version),), opened=(f"m_{version}",)))
        assert reader.position(0) == version
        assert positions(reader.read(0, version - 1)) == [version]
        assert len(reader.open_streams(0)) == version


def test_one_handle_at_a_time_holds_a_partition(place: Place) -> None:
    first, second = place.log(), place.log()
    assert first.hold(0)
    assert first.hold(0), "it is still ours"
    assert not second.hold(0)
    assert second.hold(1), "another partition has another lock"
    assert not first.hold(1)


def test_a_released_partition_is_free(place: Place) -> None:
    first, second = place.log(), place.log()
    first.hold(0)
    first.hold(1)
    first.release(0)
    assert second.hold(0)
    assert not second.hold(1)
    assert not first.hold(0)


def test_held_twice_is_released_at_once(place: Place) -> None:
    first, second = place.log(), place.log()
    first.hold(0)
    first.hold(0)
    first.release(0)
    assert second.hold(0)


def test_releasing_what_another_holds_changes_nothing(place: Place) -> None:
    first, second = place.log(), place.log()
    first.hold(0)
    second.release(0)
    second.release(1)
    assert not second.hold(0)


def test_closing_a_handle_gives_up_its_locks(place: Place) -> None:
    first, second = place.log(), place.log()
    first.hold(0)
    first.hold(1)
    first.close()
    assert second.hold(0)
    assert second.hold(1)


def test_the_lock_is_not_the_fence(place: Place) -> None:
    holder, other = place.log(), place.log()
    assert holder.hold(0)
    old = holder.claim(0, "holder")
    new = other.claim(0, "other")
    assert other.append(new, batch(entry(1))) == 1
    with pytest.raises(LogError):
        holder.append(old, batch(entry(2)))
