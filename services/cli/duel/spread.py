"""Deals spread over processes: bots hold the interpreter while they think."""

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Iterator
from concurrent import futures
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from itertools import islice
from multiprocessing import resource_tracker
from multiprocessing.connection import wait
from threading import Thread
from typing import Final

from services.cli.duel.matchup import Matchup
from services.cli.duel.rounds import Deal, play_deal

AHEAD: Final = 4
"""Deals for each process that are handed out and not told yet, the one in play included."""
HEEDS: Final = 0.2
"""Seconds after which a Ctrl-C is heeded at the latest."""


def deals_of(matchup: Matchup, deals: int, jobs: int) -> Iterator[Deal]:
    """Deals 0 to `deals` - 1, in their order, each as it is known; with one job in this process.

    Raises what `play_deal` raises. Whoever stops asking stops the processes.
    """
    if jobs == 1:
        yield from (play_deal(matchup, number) for number in range(deals))
        return
    with _heeding_when_asked(), _processes(min(jobs, deals)) as pool:
        yield from _in_order(pool, matchup, iter(range(deals)), jobs * AHEAD)


def _in_order(
    pool: ProcessPoolExecutor, matchup: Matchup, numbers: Iterator[int], ahead: int
) -> Iterator[Deal]:
    begun = (pool.submit(play_deal, matchup, number) for number in islice(numbers, ahead))
    playing: deque[Future[Deal]] = deque(begun)
    while playing:
        deal = _told(playing.popleft())
        playing.extend(pool.submit(play_deal, matchup, next_) for next_ in islice(numbers, 1))
        yield deal


@contextmanager
def _processes(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """Processes that end with what is done here, whether or not they have finished."""
    others = set(multiprocessing.active_children())
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=_outlive_nobody)
    try:
        yield pool
    except BaseException:
        for process in set(multiprocessing.active_children()) - others:
            process.kill()  # they hold nothing; one that was stopped heeds nothing else
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _told(playing: Future[Deal]) -> Deal:
    while not playing.done():
        _heed()
        futures.wait([playing], timeout=HEEDS)
    _heed()
    return playing.result()


def _heed() -> None:
    """Raises `KeyboardInterrupt` if there was a Ctrl-C."""
    if signal.SIGINT in signal.sigpending():
        signal.sigwait({signal.SIGINT})
        raise KeyboardInterrupt


@contextmanager
def _heeding_when_asked() -> Iterator[None]:
    """A Ctrl-C waits until `_heed` looks: one that comes in the midst of the pool's own work may
    leave a lock of it held for ever. Processes that are started meanwhile never hear it at all.
    """
    resource_tracker.ensure_running()  # it would end the blocking where it is started later
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _outlive_nobody() -> None:
    """End with the process that started this one, even if it was killed."""
    parent = multiprocessing.parent_process()
    assert parent is not None, "started by the pool"
    Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)
