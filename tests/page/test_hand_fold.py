"""What the page folds of whole matches of Hand is the table's own view, for all viewers."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from schemas.commands import AbandonMatch
from schemas.ids import OPS, Seat
from services.rules import sight
from services.rules.hand.state import HandState, Turn
from services.rules.history import unfold
from tests.rules.hand_play import VARIANTS
from tests.verifier import matches
from tests.verifier.matches import PLAYERS, PUBLIC, Table, feed, played
from tests.verifier.node import node

DRIVER: Final = Path(__file__).parent / "hand_folded.mjs"
MANY: Final = 100
"""Views that are compared for each viewer of a whole match at least."""
TABLES: Final = {f"{each.variant}, {each.seats}": each for each in VARIANTS}
NUMBERS: Final = (2, 26, 2, 34, 20, 5, 15, 25)
"""By table the number of a match that is not long, in which jokers are swapped."""


Viewer = Seat | None
"""None: one who watches."""


def folded(table: Table, viewers: Sequence[Viewer]) -> list[dict[str, Any]]:
    """What came of the fold of each viewer."""
    done = node([DRIVER], "\n".join(_told(table, seat) for seat in viewers))
    assert done.returncode == 0, done.stderr.decode()
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(found) == len(viewers)
    return found


def _told(table: Table, seat: Viewer) -> str:
    heard = list(_heard(table, seat))
    return msgspec.json.encode({"seat": seat, "heard": heard}).decode()


def _heard(table: Table, seat: Viewer) -> Iterator[dict[str, Any]]:
    """Each message, with the view after it where the table rests: what follows by rule or chance is
    told together with its cause.
    """
    messages = feed(table, PUBLIC if seat is None else PLAYERS[seat])
    origins = [said["event"]["origin"] for said in messages[1:]] + ["player"]
    for one, said, origin in zip(unfold(table.entries), messages, origins, strict=True):
        rests = origin not in ("rule", "chance")
        yield {"message": said, "view": sight.view(one.after, seat) if rests else None}


def check(table: Table, viewers: Sequence[Viewer], *, many: int) -> None:
    for found in folded(table, viewers):
        assert found["wrong"] == []
        assert found["compared"] > many


def happened(table: Table) -> Counter[str]:
    """How often each event was; reshuffles by their label."""
    bodies = [json.loads(entry.line)["body"] for entry in table.entries]
    return Counter(
        body["label"] if body["type"] == "cards_shuffled" else body["type"] for body in bodies
    )


@pytest.mark.parametrize("name", TABLES)
def test_what_the_page_folds_is_the_tables_own_view_wherever_it_rests(name: str) -> None:
    table = _whole(name)
    check(table, (*range(table.seats), None), many=MANY)


def _whole(name: str) -> Table:
    number = dict(zip(TABLES, NUMBERS, strict=True))[name]
    return played(number, TABLES[name])


def test_in_those_matches_all_happens_that_can() -> None:
    seen = sum((happened(_whole(name)) for name in TABLES), start=Counter())
    rare = ("joker_swapped", "fire_taken", "card_laid_off", "melds_laid", "stock1")
    assert {each for each in rare if seen[each] < 3} == set()


def test_N27_N47_void_rounds_and_void_tie_breaks_are_folded_to_the_last(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The house alone opens nothing: all rounds are void, and the third tie-break is the last."""
    monkeypatch.setattr(matches, "HAND_RANDOM", 0.0)
    table = Table(7, TABLES["partnership, 4"])
    table.start(nonces=1)
    table.play()
    assert happened(table)["round_ended"] == 6
    assert happened(table)["stock3"] == 6
    check(table, (1,), many=MANY)


@pytest.mark.parametrize("card", ["taken", "drawn"])
def test_a_match_that_is_abandoned_in_a_turn_is_folded_too(card: str) -> None:
    table = Table(7, TABLES["saudi, 3"])
    table.start(nonces=1)
    while getattr(_turn(table), card) is None:
        table.move()
    table.say(OPS, AbandonMatch(reason="operator"))
    check(table, (0, 1, 2, None), many=1)


def _turn(table: Table) -> Turn:
    game = table.live.state.game
    assert isinstance(game, HandState)
    return game.now
