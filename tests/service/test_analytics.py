"""From real play to tables: matches of the whole service, read by an analyst and by a consumer."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from schemas.ids import MatchId
from services.analytics.tables import TABLES
from services.event_log.port import Row
from services.messaging.permissions import ANALYTICS
from tests.analytics.lake import answer, opened
from tests.analytics.lines import revealed_rounds
from tests.service.test_events_consumer import EXAMPLE, PATIENCE, by_day, kept
from tests.service.up_process import Up, environment, running

pytestmark = pytest.mark.slow

HOKM = ("play", "--game", "hokm", "--bots", "white,black,white,black", "--matches", "2")
HAND = ("play", "--game", "hand", "--variant", "saudi", "--seats", "3", "--rounds", "3")
BOTS = ("--bots", "white,black,black")


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    with running(tmp_path_factory.mktemp("analytics") / "data") as found:
        for words in (HOKM, (*HAND, *BOTS)):
            said = found.waraq(*words, "--json")
            assert said.code == 0, said.err
        yield found


def rows(up: Up) -> dict[MatchId, tuple[Row, ...]]:
    with up.log() as log:
        return {stream: log.load(stream) for stream in log.streams()}


def test_played_matches_are_exported_while_the_service_runs(up: Up, tmp_path: Path) -> None:
    out = tmp_path / "tables"
    said = up.waraq("export", "--all", "--format", "parquet", "--out", str(out), "--json")
    assert said.code == 0, said.err
    assert [line["table"] for line in said.lines] == list(TABLES)
    tables, matches = opened(out), rows(up)
    assert answer(tables, "SELECT count(*) FROM matches") == [(len(matches),)]
    assert len(matches) > 2  # the service tries itself with one more
    rounds = revealed_rounds(list(matches.values()))
    decisions = sum(len(one.decisions()) for one in rounds)
    assert answer(tables, "SELECT count(*) FROM plays") == [(decisions,)]
    assert answer(tables, "SELECT count(*) FROM bot_decisions") == [(decisions,)]
    winners = answer(tables, "SELECT match, winner FROM matches WHERE status = 'ended'")
    ends = {match: json.loads(found[-1].entry.line)["body"] for match, found in matches.items()}
    assert dict(winners) == {match: body["winner"] for match, body in ends.items()}


def test_the_consumer_comes_in_with_its_own_password_and_counts_all(up: Up, tmp_path: Path) -> None:
    access = json.loads((up.data / "access.json").read_text())
    entry = {
        "WARAQ_NATS_URL": f"nats://127.0.0.1:{access['port']}",
        "WARAQ_NATS_PASSWORD": access["passwords"][ANALYTICS],
    }
    file = tmp_path / "days.db"
    done = subprocess.run(
        [sys.executable, str(EXAMPLE), str(file), "--once"],
        env=environment(up.data, entry),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert kept(file) == by_day([row for match in rows(up).values() for row in match])
