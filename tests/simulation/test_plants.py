"""Planted bugs are found: each in a seed known to find it, by an invariant that names it."""

import pytest

from tests.simulation.plants import PLANTS
from tests.simulation.simulation import simulate

FOUND = {
    "forgotten_ids": (1, "in_time"),
    "no_fence": (4, "fenced"),
    "lying_commit": (1, "acknowledged_undecided"),
    "torn_batch": (1, "logged_fault"),
    "skipping_cursor": (2, "standings"),
    "early_ack": (1, "acknowledged_undecided"),
    "skipping_outbox": (2, "events_are_the_log"),
    "leaky_feed": (1, "hidden_cards"),
    "lost_alarms": (7, "in_time"),
}
"""A seed and the invariant by which it finds the bug. What is accepted twice under a forgotten id
the log's last net keeps out, for ever, so that nothing comes to its end in time.
"""


def test_each_planted_bug_has_its_seed() -> None:
    assert FOUND.keys() == PLANTS.keys()


@pytest.mark.parametrize("name", PLANTS)
def test_a_planted_bug_is_found(name: str) -> None:
    seed, invariant = FOUND[name]
    outcome = simulate(seed, PLANTS[name])
    assert invariant in {one.invariant for one in outcome.broken}
