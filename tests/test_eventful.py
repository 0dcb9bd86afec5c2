"""The eventful matches are what they promise: whole, of every kind, the same for the same seed.

That they are clean is shown by tests/replay/test_audit_forged.py, of these and some more.
"""

from collections import Counter
from functools import cache

import pytest

from schemas.events import Body, decode_event
from services.event_log.port import Row
from tests.eventful import FATES, Fate, eventful, mixed, table_of


@cache
def matches() -> tuple[list[Row], ...]:
    return tuple(mixed(60))


def test_each_is_over() -> None:
    for rows in matches():
        assert rows[-1].entry.type in {"match_ended", "match_abandoned"}


def test_together_they_hold_every_kind_of_event() -> None:
    kinds = Counter(row.entry.type for rows in matches() for row in rows)
    assert set(kinds) == {kind.__struct_config__.tag for kind in Body.__args__}


def test_the_same_seed_makes_the_same_match() -> None:
    assert eventful(3, table_of(3)) == matches()[3]
    assert eventful(4, table_of(3)) != matches()[3]


@pytest.mark.parametrize("fate", FATES)
def test_a_fate_can_be_asked_for(fate: Fate) -> None:
    rows = eventful(8, table_of(8), fate)
    bodies = [decode_event(row.entry.line).body for row in rows]
    kinds = [row.entry.type for row in rows]
    assert (kinds[-1] == "match_ended") == (fate == "whole"), bodies[-1]
    assert ("match_started" in kinds) == (fate != "lobby")
    if fate == "unscored":
        assert kinds.count("round_scored") < kinds.count("round_ended")
