"""How often an address may ask."""

import pytest

from services.runtime.rates import Rate, Rates
from services.web.rates import household

RATE = Rate(burst=3, per_second=0.5)


def test_a_burst_passes_and_then_a_few_as_time_goes_by() -> None:
    rates = Rates(RATE)
    assert [rates.wait("10.0.0.1", 0.0) for _ in range(3)] == [0, 0, 0]
    assert rates.wait("10.0.0.1", 0.0) == 2
    assert rates.wait("10.0.0.1", 1.0) == 1
    assert rates.wait("10.0.0.1", 2.0) == 0
    assert rates.wait("10.0.0.1", 2.0) == 2
    assert rates.wait("10.0.0.2", 2.0) == 0


def test_a_quiet_time_saves_up_no_more_than_one_burst() -> None:
    rates = Rates(RATE)
    rates.wait("10.0.0.1", 0.0)
    assert [rates.wait("10.0.0.1", 1e6) for _ in range(4)] == [0, 0, 0, 2]


def test_the_quietest_address_is_forgotten_first() -> None:
    rates = Rates(RATE, most=2)
    for _ in range(3):
        rates.wait("10.0.0.1", 0.0)
        rates.wait("10.0.0.2", 0.0)
    rates.wait("10.0.0.1", 0.0)
    rates.wait("10.0.0.3", 0.0)
    assert rates.wait("10.0.0.1", 0.0) > 0
    assert rates.wait("10.0.0.2", 0.0) == 0


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("2001:db8::1", "2001:db8::ffff:2"),
        ("::ffff:10.0.0.1", "10.0.0.1"),
        ("", "not an address"),
    ],
)
def test_a_household_has_one_bucket(one: str, other: str) -> None:
    assert household(one) == household(other)


def test_two_networks_are_two_households() -> None:
    assert household("2001:db8::1") != household("2001:db8:0:1::1")
    assert household("10.0.0.1") != household("10.0.0.2")
