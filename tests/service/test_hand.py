"""Hand through the same service: every variant and seat count, in separate processes."""

from collections.abc import Iterator
from typing import Final

import pytest

from schemas.events import RoundScored, decode_event
from tests.rules.hand_play import TABLES
from tests.service import hand_matches
from tests.service.hand_matches import Wanted
from tests.service.up_process import Up, running

pytestmark = pytest.mark.slow

ROUNDS: Final = 3


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    with running(tmp_path_factory.mktemp("hand") / "data") as service:
        yield service


def words(variant: str, seats: int, matches: int) -> tuple[str, ...]:
    return hand_matches.words((variant, seats), Wanted(matches, rounds=ROUNDS, level="black"))


def lowest(up: Up, match: str, sides: int) -> list[int]:
    """Who may win by N46, from the log's totals: whoever has the lowest after the last round, and
    of several the lowest after each tie-break, in which one who cannot win may fall below them.
    """
    with up.log() as log:
        bodies = [decode_event(row.entry.line).body for row in log.load(match)]
    totals = [body.totals for body in bodies if isinstance(body, RoundScored)]
    able = list(range(sides))
    for after in totals[ROUNDS - 1 :]:
        least = min(after[side] for side in able)
        able = [side for side in able if after[side] == least]
    return able


@pytest.mark.parametrize(("variant", "seats"), TABLES)
def test_every_variant_and_seat_count_is_played_to_its_end(
    up: Up, variant: str, seats: int
) -> None:
    said = up.waraq(*words(variant, seats, 2))
    assert said.code == 0, said.err
    assert len(said.lines) == 2
    for line in said.lines:
        sides = 2 if "partnership" in variant else seats
        assert len(line["score"]) == sides
        assert line["winner"] in range(sides)
        assert lowest(up, line["match"], sides) == [line["winner"]]


def test_the_log_of_hand_is_whole(up: Up) -> None:
    assert up.waraq(*words("classic", 4, 1)).code == 0
    assert up.waraq("audit", "--all").code == 0


def test_replay_shows_the_judge_all_and_the_public_nothing(up: Up) -> None:
    (line,) = up.waraq(*words("saudi", 3, 1)).lines
    judge = up.waraq("match", "replay", line["match"], "--to", "20", "--json").lines[0]["state"]
    public = up.waraq(
        "match", "replay", line["match"], "--to", "20", "--as", "public", "--json"
    ).lines[0]["state"]
    assert [len(hand) for hand in judge["hands"]] == public["left"]
    assert public["hand"] == []


def test_a_table_that_does_not_exist_is_refused_before_anything_starts(up: Up) -> None:
    assert up.waraq(*words("partnership", 3, 1)).code == 2
    assert up.waraq(*words("baloot", 4, 1)).code == 2
    assert up.waraq("play", "--game", "hand", "--bots", "white", "--rounds", "4").code == 2


def test_on_postgresql_it_is_the_same(
    tmp_path_factory: pytest.TempPathFactory, postgres_url: str
) -> None:
    folder = tmp_path_factory.mktemp("hand-postgres")
    with running(folder / "data", WARAQ_LOG_URL=postgres_url) as up:
        said = up.waraq(*words("saudi_partnership", 4, 2))
        assert said.code == 0, said.err
        assert up.waraq("audit", "--all").code == 0
