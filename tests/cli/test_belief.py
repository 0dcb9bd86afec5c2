"""An older snapshot came late; several in a row tell of a log that was put back."""

from services.cli.belief import BELIEVED, Belief

KNOWN = 12


def test_what_is_as_new_or_newer_is_always_taken() -> None:
    belief = Belief()
    assert belief.takes(1, have=0)
    assert belief.takes(KNOWN, have=KNOWN)


def test_what_is_older_is_taken_when_it_comes_so_often_in_a_row() -> None:
    belief = Belief()
    taken = [belief.takes(7, have=KNOWN) for _ in range(2 * BELIEVED)]
    assert taken == 2 * [*[False] * (BELIEVED - 1), True]


def test_a_newer_one_between_them_begins_the_count_anew() -> None:
    belief = Belief()
    told = [*[7] * (BELIEVED - 1), KNOWN, *[7] * (BELIEVED - 1)]
    assert [version for version in told if belief.takes(version, have=KNOWN)] == [KNOWN]


def test_a_match_that_goes_on_from_what_is_known_begins_the_count_anew() -> None:
    belief = Belief()
    for _ in range(BELIEVED - 1):
        assert not belief.takes(7, have=KNOWN)
    belief.went_on()
    assert not belief.takes(7, have=KNOWN + 1)
