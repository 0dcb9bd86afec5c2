"""What owners of one worker append at the same time is one transaction."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from threading import Event
from typing import Final

import pytest

from services.event_log.memory import MemoryLog, MemoryStore
from services.event_log.port import Append, EventLog, LogUnreachable
from services.runtime.tasks import end
from services.table.commits import Commits
from services.table.log_thread import LogThread
from tests.around import LogAround
from tests.event_log.places import batch, entry
from tests.waiting import until

PARTITIONS: Final = 4


class Gated(LogAround):
    """Appends nothing while the gate is shut; knows what was asked for together."""

    def __init__(self, inner: EventLog) -> None:
        super().__init__(inner)
        self.gate = Event()
        self.gate.set()
        self.groups: list[list[int]] = []
        self.broken = False

    def append_together(self, appends: Sequence[Append]) -> tuple[int | None, ...]:
        self.groups.append([one.claim.partition for one in appends])
        self.gate.wait()
        if self.broken:
            raise LogUnreachable("gone")
        return super().append_together(appends)


@pytest.fixture
def log() -> Gated:
    return Gated(MemoryLog(MemoryStore(partitions=PARTITIONS)))


@pytest.fixture
async def commits(log: Gated) -> AsyncIterator[Commits]:
    found, thread = Commits(), LogThread(log, "commits")
    running = asyncio.create_task(found.run(thread))
    yield found
    log.gate.set()
    await end(running)
    thread.close()


def append(log: Gated, partition: int) -> Append:
    return Append(log.claim(partition, "me"), batch(entry(1, f"m_{partition:032x}")))


async def shut(log: Gated, commits: Commits) -> asyncio.Task[int | None]:
    """One append that is under way and does not end before the gate is opened."""
    log.gate.clear()
    first = asyncio.create_task(commits.append(append(log, 0)))
    await until(lambda: log.groups == [[0]], "the first is under way")
    return first


async def test_one_that_comes_alone_does_not_wait(log: Gated, commits: Commits) -> None:
    assert await commits.append(append(log, 0)) == 1


async def test_what_comes_meanwhile_goes_together(log: Gated, commits: Commits) -> None:
    first = await shut(log, commits)
    others = [asyncio.create_task(commits.append(append(log, number))) for number in (1, 2, 3)]
    await asyncio.sleep(0)
    log.gate.set()
    assert [await one for one in (first, *others)] == [1] * PARTITIONS
    assert log.groups == [[0], [1, 2, 3]]


async def test_what_is_too_much_for_one_transaction_is_left_for_the_next(
    log: Gated, commits: Commits, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.table.commits.GROUP_EVENTS", 2)
    first = await shut(log, commits)
    others = [asyncio.create_task(commits.append(append(log, number))) for number in (1, 2, 3)]
    await asyncio.sleep(0)
    log.gate.set()
    assert [await one for one in (first, *others)] == [1] * PARTITIONS
    assert log.groups == [[0], [1, 2], [3]]


async def test_who_was_cancelled_while_waiting_appends_nothing(
    log: Gated, commits: Commits
) -> None:
    first = await shut(log, commits)
    second, third = (asyncio.create_task(commits.append(append(log, n))) for n in (1, 2))
    await asyncio.sleep(0)
    await end(second)
    log.gate.set()
    assert (await first, await third) == (1, 1)
    assert log.groups == [[0], [2]]
    assert log.position(1) == 0


async def test_who_is_cancelled_under_way_disturbs_nobody(log: Gated, commits: Commits) -> None:
    first = await shut(log, commits)
    await end(first)
    second = asyncio.create_task(commits.append(append(log, 1)))
    await asyncio.sleep(0)
    log.gate.set()
    assert await second == 1
    assert log.position(0) == 1, "it was written all the same: its owner knows nothing of it"


async def test_one_that_was_claimed_by_another_is_told_so_alone(
    log: Gated, commits: Commits
) -> None:
    first = await shut(log, commits)
    stale, fresh = append(log, 1), append(log, 2)
    log.claim(1, "the next")
    others = [asyncio.create_task(commits.append(one)) for one in (stale, fresh)]
    await asyncio.sleep(0)
    log.gate.set()
    assert [await one for one in (first, *others)] == [1, None, 1]


async def test_a_log_that_does_not_answer_is_unreachable_for_each_and_works_again(
    log: Gated, commits: Commits
) -> None:
    first = await shut(log, commits)
    second = asyncio.create_task(commits.append(append(log, 1)))
    await asyncio.sleep(0)
    log.broken = True
    log.gate.set()
    for one in (first, second):
        with pytest.raises(LogUnreachable):
            await one
    log.broken = False
    assert await commits.append(append(log, 0)) == 1
