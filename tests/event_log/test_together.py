"""The port's promises about what is appended together, on every adapter."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Final

import msgspec
import pytest

from services.event_log.port import Append, Batch, DeadLetter, EventLog, LogError
from tests.event_log.places import (
    MATCH,
    OTHER,
    PARTITIONS,
    Place,
    batch,
    entries,
    entry,
    positions,
    versions,
)

LETTER: Final = DeadLetter(subject=f"cmd.0.{MATCH}.u_nobody00", body="{}", error="KeyError", time=7)
ROUNDS: Final = 40
HANDLES: Final = 3
SECONDS: Final = 60.0


def both(log: EventLog, first: Batch, second: Batch) -> tuple[Append, Append]:
    """For partitions 0 and 1, claimed here."""
    return Append(log.claim(0, "me"), first), Append(log.claim(1, "me"), second)


def test_each_gets_what_it_would_get_alone(place: Place) -> None:
    log = place.log()
    first = Batch(entries=entries(1, 3), opened=(MATCH,), dead=(LETTER,), published=2)
    second = Batch(entries=(entry(1, OTHER, secret="AS KH"),), opened=(OTHER,), published=1)
    appends = both(log, first, second)
    assert log.append_together(appends) == (3, 1)
    assert tuple(row.entry for row in log.read(0, 0)) == first.entries
    assert tuple(row.entry for row in log.read(1, 0)) == second.entries
    assert (log.open_streams(0), log.open_streams(1)) == ((MATCH,), (OTHER,))
    assert [letter.error for letter in log.dead_letters()] == ["KeyError"]
    assert [log.claim(partition, "me").published for partition in (0, 1)] == [2, 1]
    closing = Batch(entries=(entry(2, OTHER),), closed=(OTHER,))
    assert log.append_together(both(log, batch(entry(4)), closing)) == (4, 2)
    assert (log.open_streams(0), log.open_streams(1)) == ((MATCH,), ())


def test_nothing_together_is_nothing(place: Place) -> None:
    assert place.log().append_together(()) == ()


def test_the_order_of_the_answers_is_that_of_the_appends(place: Place) -> None:
    log = place.log()
    first, second = both(log, batch(*entries(1, 2)), batch(entry(1, OTHER)))
    assert log.append_together((second, first)) == (1, 2)


def test_a_batch_without_entries_has_a_position_too(place: Place) -> None:
    """Position 0 of a partition without events is not "nothing was written"."""
    log = place.log()
    assert log.append_together(both(log, Batch(dead=(LETTER,)), Batch(published=0))) == (0, 0)
    assert len(log.dead_letters()) == 1


def test_a_match_that_is_opened_and_closed_at_once_is_not_open(place: Place) -> None:
    log = place.log()
    claim = log.claim(0, "me")
    log.append(claim, Batch(entries=(entry(1),), opened=(MATCH,), closed=(MATCH,)))
    again = Batch(entries=(entry(1, OTHER),), opened=(OTHER,), closed=(OTHER,))
    assert log.append_together((Append(claim, again),)) == (2,)
    assert log.open_streams(0) == ()


def test_a_claim_that_is_none_any_more_keeps_nobody_else_from_appending(place: Place) -> None:
    log = place.log()
    stale = Batch(entries=(entry(1),), opened=(MATCH,), dead=(LETTER,), published=1)
    fenced, mine = both(log, stale, batch(entry(1, OTHER)))
    place.log().claim(0, "the next")
    assert log.append_together((fenced, mine)) == (None, 1)
    assert (log.read(0, 0), log.open_streams(0), log.dead_letters()) == ((), (), ())
    assert log.claim(0, "me").published == 0
    assert versions(log.load(OTHER)) == [1]


def test_a_partition_twice_lets_no_old_claim_in(place: Place) -> None:
    """Whoever asks for it by mistake: the fence is the log's, not the caller's."""
    log = place.log()
    stale = Append(log.claim(0, "me"), Batch(entries=(entry(1),), dead=(LETTER,)))
    fresh = Append(log.claim(0, "me"), Batch())
    lasts = log.append_together((stale, fresh))
    assert lasts[0] is None
    assert (log.read(0, 0), log.dead_letters(), log.position(0)) == ((), (), 0)


@pytest.mark.parametrize(
    "wrong",
    [
        batch(entry(1)),
        batch(entry(2), entry(3, command="c-0123456789abcdef")),
        batch(msgspec.structs.replace(entry(2), line="ورق")),
    ],
    ids=["version", "command", "text"],
)
def test_what_is_wrong_with_one_is_written_by_none_and_the_others_can_go_on(
    place: Place, wrong: Batch
) -> None:
    log = place.log()
    claims = [log.claim(partition, "me") for partition in range(PARTITIONS)]
    log.append(claims[0], batch(entry(1, command="c-0123456789abcdef")))
    appends = (Append(claims[0], wrong), Append(claims[1], batch(entry(1, OTHER))))
    lasts = log.append_together(appends)
    assert lasts[0] is None
    assert versions(log.load(MATCH)) == [1]
    assert (lasts[1] is None) == (log.load(OTHER) == ()), "None is what was not written"
    with pytest.raises(LogError):
        log.append(claims[0], wrong)
    if lasts[1] is None:
        assert log.append(claims[1], appends[1].batch) == 1


def test_handles_that_take_the_partitions_from_each_other(place: Place) -> None:
    """Whoever appends together loses nothing, doubles nothing and leaves no gap, in any race."""
    logs = [place.log() for _ in range(HANDLES)]
    start = Barrier(HANDLES)
    with ThreadPoolExecutor(HANDLES) as pool:
        working = [pool.submit(own_both, log, n, start) for n, log in enumerate(logs)]
        for each in working:
            each.result(SECONDS)
    for partition in range(PARTITIONS):
        rows = logs[0].read(partition, 0)
        assert positions(rows) == list(range(1, HANDLES * ROUNDS + 1))
        for handle in range(HANDLES):
            mine = [row for row in rows if row.entry.stream == stream(handle, partition)]
            assert versions(tuple(mine)) == list(range(1, ROUNDS + 1))


def stream(handle: int, partition: int) -> str:
    return f"m_{handle:016x}{partition:016x}"


def own_both(log: EventLog, handle: int, start: Barrier) -> None:
    """Append ROUNDS entries to a stream in each partition, claiming whenever that is needed."""
    start.wait(SECONDS)
    left = dict.fromkeys(range(PARTITIONS), 1)
    claims = {partition: log.claim(partition, str(handle)) for partition in left}
    while left:
        appends = [
            Append(claims[partition], batch(entry(version, stream(handle, partition))))
            for partition, version in left.items()
        ]
        for one, last in zip(appends, log.append_together(appends), strict=True):
            partition = one.claim.partition
            if last is None:
                claims[partition] = log.claim(partition, str(handle))
                assert len(log.load(stream(handle, partition))) == left[partition] - 1
                continue
            left[partition] += 1
            if left[partition] > ROUNDS:
                del left[partition]
