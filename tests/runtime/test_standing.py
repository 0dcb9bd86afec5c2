"""How a worker stands is read from its health and its own counts."""

import pytest
from prometheus_client import CollectorRegistry, Counter, Gauge

from schemas.standing import Standing
from services.runtime.health import Health
from services.runtime.standing import standing


@pytest.fixture
def registry() -> CollectorRegistry:
    registry = CollectorRegistry()
    done = Counter("waraq_things", "Things.", ["kind"], registry=registry)
    done.labels("red").inc(2)
    done.labels("blue").inc(3)
    Counter("waraq_things_failed", "Others.", registry=registry).inc()
    Gauge("waraq_waiting", "More.", registry=registry).set(7)
    return registry


def stands(registry: CollectorRegistry, health: Health, numbers: tuple[str, ...]) -> Standing:
    return standing(
        registry, health, done="things_total", failed="things_failed_total", numbers=numbers
    )


def test_what_is_counted_is_told_over_all_labels(registry: CollectorRegistry) -> None:
    health = Health()
    health.begin()
    assert stands(registry, health, ("waiting",)) == Standing(
        ready=True, done=5, failed=1, numbers={"waiting": 7}
    )


def test_what_is_missing_is_named(registry: CollectorRegistry) -> None:
    health = Health()
    health.needs("broker", lambda: False)
    found = stands(registry, health, ())
    assert (found.ready, found.missing) == (False, ("begun", "broker"))


def test_what_is_not_counted_is_none(registry: CollectorRegistry) -> None:
    assert stands(registry, Health(), ("never",)).numbers == {"never": 0}
