"""One alarm for each key; setting one again replaces it."""

from hypothesis import given
from hypothesis import strategies as st

from services.runtime.alarms import Alarms

dues = st.lists(st.tuples(st.sampled_from("abcdef"), st.integers(0, 20)), max_size=60)


def test_the_earliest_rings_first_and_only_once() -> None:
    alarms = Alarms()
    alarms.set("late", 3.0)
    alarms.set("early", 1.0)
    assert alarms.next() == 1.0
    assert alarms.ring(3.0, 10) == ("early", "late")
    assert alarms.ring(3.0, 10) == ()
    assert alarms.next() is None


def test_no_more_ring_at_once_than_asked_for() -> None:
    alarms = Alarms()
    for number in range(5):
        alarms.set(str(number), float(number))
    assert alarms.ring(10.0, 2) == ("0", "1")
    assert len(alarms) == 3


def test_one_that_was_cleared_does_not_ring() -> None:
    alarms = Alarms()
    alarms.set("a", 1.0)
    alarms.clear("a")
    alarms.clear("never set")
    assert alarms.ring(5.0, 10) == ()


@given(dues)
def test_the_last_setting_of_each_key_is_the_one_that_rings(
    settings: list[tuple[str, int]],
) -> None:
    alarms, last = Alarms(), {}
    for key, due in settings:
        alarms.set(key, float(due))
        last[key] = due
    rung: list[str] = []
    for now in range(21):
        found = alarms.ring(float(now), 100)
        assert {last[key] for key in found} <= {now}
        rung += found
    assert sorted(rung) == sorted(last)
