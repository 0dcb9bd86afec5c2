"""Every worker of a whole service tells operators' tools what it did, and no more than that."""

import re
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

import pytest
from prometheus_client.parser import text_string_to_metric_families as families

from services.bot.thoughts import TOGETHER
from services.cli.ops_ports import ORDER
from services.event_log.port import Row
from tests.ports import free_row
from tests.service.up_process import Up, running
from tests.waiting import until

pytestmark = pytest.mark.slow

CARD: Final = re.compile(r"\b([2-9TJQKA]|10)[SHDC]\b")
ALL: Final = 100_000
"""More rows than there are."""
OF_THE_PROCESS: Final = {"le", "version", "implementation", "major", "minor", "patchlevel"}
PLAYER: Final = re.compile(r"\bu_[0-9a-z]{8,28}\b")

Told = Mapping[str, Mapping[frozenset[tuple[str, str]], float]]


@pytest.fixture(scope="module")
def first() -> int:
    return free_row(range(21_000, 60_000, len(ORDER)))


@pytest.fixture(scope="module")
def up(first: int, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    data = tmp_path_factory.mktemp("metrics") / "data"
    with running(data, WARAQ_OPS_LISTEN=f"127.0.0.1:{first}") as found:
        done = found.waraq("play", "--game", "hokm", "--bots", "white", "--matches", "2")
        assert done.code == 0, done.err
        done = found.waraq("play", "--game", "hand", "--rounds", "3", "--bots", "white")
        assert done.code == 0, done.err
        yield found


def text_of(first: int, worker: str, path: str = "metrics") -> str:
    port = first + ORDER.index(worker)
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/{path}", timeout=10) as answer:
        said: str = answer.read().decode()
    return said


def told(first: int, worker: str) -> Told:
    found: dict[str, dict[frozenset[tuple[str, str]], float]] = {}
    for family in families(text_of(first, worker)):
        for sample in family.samples:
            found.setdefault(sample.name, {})[frozenset(sample.labels.items())] = sample.value
    return found


def value(told: Told, name: str, **labels: str) -> float:
    return told[name].get(frozenset(labels.items()), 0.0)


def rows_of(up: Up) -> list[Row]:
    with up.log() as log:
        return list(log.read(0, 0, ALL))


@pytest.mark.usefixtures("up")
def test_every_worker_is_alive_and_ready(first: int) -> None:
    for worker in ORDER:
        assert '"live": true' in text_of(first, worker, "livez")
        assert '"ready": true' in text_of(first, worker, "readyz")


def test_the_table_counted_each_event_and_command_that_the_log_has(up: Up, first: int) -> None:
    rows, found = rows_of(up), told(first, "table")
    types = Counter(row.entry.type for row in rows)
    assert len(rows) > 200
    for kind, count in types.items():
        assert value(found, "waraq_events_total", type=kind) == count
    commands = sum(row.entry.command is not None for row in rows)
    assert value(found, "waraq_commands_total", outcome="accepted") == commands
    assert value(found, "waraq_matches_open") == 0
    assert value(found, "waraq_partitions_owned") == value(found, "waraq_partitions") == 1
    assert value(found, "waraq_events_unconfirmed") == 0
    assert value(found, "waraq_events_stalled_seconds") == 0


async def test_each_command_was_timed_and_the_streams_measured(up: Up, first: int) -> None:
    commands = sum(row.entry.command is not None for row in rows_of(up))
    found = told(first, "table")
    assert value(found, "waraq_command_appended_seconds_count") == commands
    assert value(found, "waraq_command_confirmed_seconds_count") == commands

    def measured() -> bool:
        return value(told(first, "table"), "waraq_stream_messages", stream="EVENTS") > 200

    await until(measured, "the streams to be measured", within=30)
    assert 0 < value(told(first, "table"), "waraq_stream_full_ratio", stream="EVENTS") < 0.1
    assert told(first, "table")["waraq_stream_copies_away"][frozenset({("stream", "EVENTS")})] == 0


@pytest.mark.usefixtures("up")
def test_no_worker_misses_what_it_needs(first: int) -> None:
    needs = {"table": "partitions", "scoring": "standings", "web": "profiles", "auth": "broker"}
    for worker, need in needs.items():
        found = told(first, worker)["waraq_missing"]
        assert frozenset({("need", need)}) in found
        assert set(found.values()) == {0.0}


def test_bots_answered_what_the_log_has_of_theirs(up: Up, first: int) -> None:
    types = Counter(row.entry.type for row in rows_of(up))
    found = told(first, "bot")["waraq_turns_answered_total"]
    assert sum(found.values()) >= types["card_played"]
    assert {dict(labels)["game"] for labels in found} == {"hokm", "hand"}
    bots = told(first, "bot")
    assert value(bots, "waraq_turns_taken_total") >= sum(found.values())
    assert value(bots, "waraq_turns_waiting") == 0
    thought = bots["waraq_thought_seconds_count"].values()
    assert thought, "some are told"
    assert all(count % TOGETHER == 0 for count in thought), "never of one turn"
    assert sum(thought) <= sum(found.values())


async def test_scoring_scored_every_round_and_took_every_event_in(up: Up, first: int) -> None:
    rows = rows_of(up)
    types = Counter(row.entry.type for row in rows)

    def all_taken() -> bool:
        found = told(first, "scoring")
        return value(found, "waraq_standings_events_total") == len(rows)

    await until(all_taken, "scoring to take everything in")
    assert value(told(first, "scoring"), "waraq_rounds_scored_total") >= types["round_ended"]


def test_the_web_worker_counts_routes_and_not_what_was_asked_for(up: Up, first: int) -> None:
    for path in ("terms", "players/u_nobody00", "nowhere/u_nobody00"):
        try:
            urllib.request.urlopen(f"{up.ready['web']}/{path}", timeout=10).close()
        except urllib.error.HTTPError as error:
            error.close()
    found = told(first, "web")
    labels = {"route": "/players/{player}", "method": "GET"}
    assert (
        sum(value(found, "waraq_requests_total", status=s, **labels) for s in ("200", "404")) == 1
    )
    assert value(found, "waraq_requests_total", route="none", method="GET", status="404") == 1
    assert "u_nobody00" not in text_of(first, "web")


def test_the_page_for_players_has_no_metrics(up: Up) -> None:
    with pytest.raises(urllib.error.HTTPError, match="404"):
        urllib.request.urlopen(f"{up.ready['web']}/metrics", timeout=10)


def test_nobody_is_named_and_no_card(up: Up, first: int) -> None:
    matches = {row.entry.stream for row in rows_of(up)}
    for worker in ORDER:
        said = text_of(first, worker)
        assert not any(match in said for match in matches)
        assert not PLAYER.search(said)
        values = [
            text
            for family in families(said)
            for sample in family.samples
            for name, text in sample.labels.items()
            if name not in OF_THE_PROCESS
        ]
        assert not any(CARD.search(text) for text in values)
