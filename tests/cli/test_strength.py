"""`make strength`: what it judges, what it says, and what it leaves of docs/bots.md as it was."""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from services.cli.bench.surroundings import look_around
from services.cli.duel.command import duel
from services.cli.duel.estimates import Estimate
from services.cli.duel.matchup import Matchup, sound
from services.cli.duel.outcome import Sum
from services.cli.strength import command
from services.cli.strength.command import NAMES, strength
from services.cli.strength.ladder import LEAST_JUDGED, QUICK, RUNGS, Climbed, Rung, again, climbed
from services.cli.strength.page import BLOCKS, Unmarked, check, ladder, thinking, with_block
from services.rules.games import read_options

PAGE = Path(__file__).parents[2] / "docs" / "bots.md"
HOKM, HAND = RUNGS[0], RUNGS[3]


def run(*words: str) -> Result:
    return CliRunner().invoke(strength, words)


def found(rung: Rung, low: float, deals: int = LEAST_JUDGED) -> Sum:
    """A sum whose share of Hokm, or lead in Hand, has its lower end at `low`."""
    table = {"rounds": 3} if rung.game == "hand" else {}
    options = read_options(rung.game, rung.table | table)
    estimate = Estimate(low + 0.02, low, low + 0.04)
    return Sum(
        matchup=Matchup(a=rung.a, b=rung.b, options=options, seed=7),
        deals=deals,
        decided=2 * deals,
        won=estimate,
        points=estimate,
        a=Counter({1_000: 99, 9_000: 1}),
        b=Counter({2_000: 10}),
    )


def ladder_of(low: float) -> list[Climbed]:
    return [climbed(rung, found(rung, low)) for rung in RUNGS]


# What is judged -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rung", "low", "held"),
    [
        (HOKM, 0.5501, True),
        (HOKM, 0.55, False),
        (HOKM, 0.5499, False),
        (HAND, 10.1, True),
        (HAND, 9.9, False),
        (RUNGS[-1], 99.0, None),
    ],
    ids=str,
)
def test_the_lower_end_has_to_be_above_the_bound(rung: Rung, low: float, held: Any) -> None:
    assert climbed(rung, found(rung, low)).held is held


def test_few_deals_are_not_judged() -> None:
    assert climbed(HOKM, found(HOKM, 0.1, LEAST_JUDGED - 1)).held is None


def test_the_ladder_is_what_was_promised() -> None:
    bounds = {rung.name: rung.above for rung in RUNGS if rung.above is not None}
    assert bounds == {
        "hokm-black-white": 0.55,
        "hokm-chrome-black": 0.56,
        "hokm-chrome-rule": 0.5,
        "hand-black-white": 10,
        "hand-chrome-black": 8,
    }
    assert all(rung.deals >= LEAST_JUDGED for rung in RUNGS)
    assert HOKM.deals >= 2_000
    assert len(set(NAMES)) == len(RUNGS)


@pytest.mark.parametrize("rung", RUNGS, ids=lambda rung: rung.name)
def test_every_rung_can_be_played(rung: Rung) -> None:
    sound(found(rung, 0.5).matchup)


# The command ----------------------------------------------------------------------------------


def test_a_rung_that_was_missed_ends_it_with_4(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "spread", lambda *_: found(HOKM, 0.5499))
    done = run("--rung=hokm-black-white", "--seed=7", "--json")
    assert done.exit_code == 4
    line = json.loads(done.stdout)
    assert (line["rung"], line["held"], line["above"]) == ("hokm-black-white", False, 0.55)
    assert line["outcome"]["ci95"]["won"][0] == 0.5499
    assert "hokm-black-white" in done.stderr
    assert "seed 7" in done.stderr


def test_a_rung_that_held_ends_it_with_0_and_says_the_fresh_seed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(command, "spread", lambda *_: found(HOKM, 0.56))
    done, other = (run("--rung=hokm-black-white") for _ in range(2))
    assert done.exit_code == 0
    assert re.match(r"seed \d+\n", done.stderr)
    assert done.stderr.split()[1] != other.stderr.split()[1], "as good as never the same"
    assert "held" in done.stderr


def test_a_rung_is_played_for_real_and_its_command_plays_it_again() -> None:
    words = ("--rung=hand-black-white", "--quick", "--jobs=1", "--json")
    done = CliRunner(env={"SEED": "11"}).invoke(strength, words)
    assert done.exit_code == 0
    line = json.loads(done.stdout)
    assert line["held"] is None, "few deals"
    played = line["outcome"]
    assert (played["deals"], played["seed"]) == (QUICK, 11)
    waraq, name, *words_again = line["command"].split()
    assert (waraq, name) == ("waraq", duel.name)
    again_ = json.loads(CliRunner().invoke(duel, [*words_again, "--jobs=1", "--json"]).stdout)
    same = ("a", "b", "deals", "won", "ci95", "points", "decided", "seed")
    assert [again_[key] for key in same] == [played[key] for key in same]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--rung=none",), "none"),
        (("--deals=1",), "2<=x<="),
        (("--seed=x",), "x"),
        (("--write=no/such/page.md",), "no/such/page.md"),
        (("--rung=hokm-black-white", f"--write={PAGE}"), "whole ladders"),
    ],
)
def test_bad_input_is_said_before_anything_is_played(words: tuple[str, ...], said: str) -> None:
    done = run(*words)
    assert done.exit_code == 2
    assert said in done.stderr
    assert "seed " not in done.stderr


def test_a_page_without_marks_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "LIBRARY", "json")
    page = tmp_path / "page.md"
    page.write_text("# Bots\n")
    done = run(f"--write={page}")
    assert done.exit_code == 2
    assert "no block between" in done.stderr
    assert page.read_text() == "# Bots\n"


def test_without_the_plotter_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "LIBRARY", "no_such_library")
    done = run(f"--write={PAGE}")
    assert done.exit_code == 2
    assert "pip install" in done.stderr


# The page -------------------------------------------------------------------------------------


def test_the_page_has_a_place_for_each_block() -> None:
    check(PAGE.read_text())


def test_writing_a_block_keeps_the_prose_and_replaces_what_was_measured() -> None:
    text = PAGE.read_text()
    for name in BLOCKS:
        text = with_block(text, name, "first\n")
    again_ = text
    for name in BLOCKS:
        again_ = with_block(again_, name, "second\n")
    assert again_ == text.replace("first\n", "second\n")
    assert again_.count("second\n") == len(BLOCKS)
    assert "## Tried and left" in again_


@pytest.mark.parametrize("text", ["", "<!-- ladder: written by `make strength` -->\n"])
def test_a_block_without_both_marks_is_no_block(text: str) -> None:
    with pytest.raises(Unmarked, match="ladder"):
        with_block(text, "ladder", "x")


def test_the_ladder_shows_intervals_bounds_and_what_was_missed() -> None:
    shown = ladder(look_around(quick=True, postgres=None), ladder_of(0.5499))
    assert (
        "| Hokm | black over white | 400 | 57.0 (55.0 to 59.0) % | +0.57 (+0.55 to +0.59)" in shown
    )
    assert "| over 55 % | **missed** |" in shown
    assert "| over 50 % | held |" in shown
    assert "| over +10 points | **missed** |" in shown
    assert "chrome over black, saudi partnership, 4 seats" in shown
    assert all(again(one) in shown for one in ladder_of(0.5499))
    assert "seed 7" in shown
    assert "A quick run" in shown


def test_think_time_is_of_all_rungs_together() -> None:
    """black: in Hokm a of one rung and b of another, 110 decisions in all."""
    shown = thinking(ladder_of(0.6))
    assert "| Hokm | white | 10 | 2 ms | 2 ms | 2 ms |" in shown
    assert "| Hokm | black | 110 | 1.16 ms | 2 ms | 9 ms |" in shown
    assert "| Hand | rule |" not in shown
