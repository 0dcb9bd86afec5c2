"""`waraq referee`: what it says, and the exit code that scripts rely on."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner, Result

from services.cli.referee import Unreadable, judge_case, referee

CASES = Path(__file__).parents[1] / "cases"
ACE_DRAW = (
    "AS TC 5H JC JS 7S KD 4S 4H 9H QD JD QC 6C 4D KS 4C 3C 2H JH 7H TH QH 7D TD QS 5S 8H 9C 3D "
    "KH KC 7C 2S 5D 5C 3S 8C 8S 3H 2D 8D 6D 9D 9S 6H 6S 2C TS AH AD AC"
)
DEAL = (
    "KD AS 6D 6C QC 9D 2S 3S 4S 5H 8D 6S 5C 8C 5D 7D 3D 2D KH JC JS 4H JH QS QH 2H 9C JD 6H TS "
    "TC TH 4D 8S 7H 5S AH 3C TD KC 8H 9H 4C QD 7S 7C 3H KS AD 9S AC 2C"
)
TRUMP: dict[str, Any] = {"seat": 0, "command": {"type": "choose_trump", "suit": "S"}}
LEAD: dict[str, Any] = {"seat": 0, "command": {"type": "play_card", "card": "KD"}}


def case(*steps: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """A case in which seat 0 is hakem and holds KD AS 6D 6C QC first."""
    whole = {
        "case": "made",
        "game": "hokm",
        "options": {"preset": "home"},
        "first_seat": 0,
        "shuffles": [ACE_DRAW, DEAL],
        "steps": list(steps),
    }
    return whole | changes


def verdict_of(whole: dict[str, Any]) -> str | None:
    return judge_case(msgspec.json.encode(whole), "file").verdict.difference


def outcomes(*commands: Any) -> list[str]:
    steps = [{"seat": 0, "command": command} for command in commands]
    traces = judge_case(msgspec.json.encode(case(*steps)), "file").traces
    return [trace.outcome for trace in traces]


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., Result]:
    """Run the command on cases that are written to files first."""

    def run(*wholes: dict[str, Any] | bytes, options: tuple[str, ...] = ()) -> Result:
        paths = []
        for number, whole in enumerate(wholes):
            path = tmp_path / f"case{number}.json"
            path.write_bytes(whole if isinstance(whole, bytes) else msgspec.json.encode(whole))
            paths.append(str(path))
        return CliRunner().invoke(referee, [*options, *paths])

    return run


# Judging --------------------------------------------------------------------------------------


def test_a_step_that_came_out_otherwise_is_the_difference() -> None:
    step = TRUMP | {"expect": "not_your_turn"}
    assert verdict_of(case(step)) == "step 0: expected not_your_turn, got ok"


def test_a_refusal_that_was_not_expected_is_the_difference() -> None:
    steps = (TRUMP | {"expect": "ok"}, TRUMP | {"expect": "ok"})
    assert verdict_of(case(*steps)) == "step 1: expected ok, got wrong_phase"


def test_the_first_difference_is_told_and_not_a_later_one() -> None:
    steps = (TRUMP | {"state": {"turn": 1}}, LEAD | {"expect": "malformed"})
    assert verdict_of(case(*steps)) == "step 0: turn: expected 1, got 0"


def test_the_state_after_the_last_step_is_compared() -> None:
    assert verdict_of(case(TRUMP, state={"trump": "S", "turn": 0})) is None
    assert verdict_of(case(TRUMP, state={"trump": "H"})) == 'end: trump: expected "H", got "S"'


def test_without_steps_the_state_after_the_deal_is_compared() -> None:
    assert verdict_of(case(state={"phase": "choosing_trump", "hakem": 0})) is None
    assert verdict_of(case(state={"hakem": 1})) == "end: hakem: expected 1, got 0"


def test_a_key_that_the_state_does_not_have_is_a_difference() -> None:
    assert verdict_of(case(state={"dealer": 0})) == "end: dealer: the state has no such key"


def test_true_is_not_one_and_null_is_not_absent() -> None:
    assert verdict_of(case(state={"round": True})) == "end: round: expected true, got 1"
    assert verdict_of(case(state={"trump": None})) is None


def test_where_nothing_is_expected_nothing_is_judged() -> None:
    assert verdict_of(case(LEAD, TRUMP, LEAD)) is None


@pytest.mark.parametrize(
    "command",
    [
        {"type": "play_card", "card": "ZZ"},
        {"type": "play_card", "card": "KD1"},
        {"type": "play_card", "card": "KD", "extra": 1},
        {"type": "play_card"},
        {"type": "choose_trump", "suit": "N"},
        {"type": "fold"},
        {"type": "draw", "from": "stock"},
        {"type": "start_match"},
        {},
        [],
        "play_card",
        7,
        None,
    ],
)
def test_a_command_of_the_wrong_form_is_a_malformed_step_and_the_next_is_judged(
    command: object,
) -> None:
    assert outcomes(command, TRUMP["command"]) == ["malformed", "ok"]


def nested(depth: int) -> bytes:
    text = msgspec.json.encode(case({"seat": 0, "command": 0}))
    return text.replace(b'"command":0', b'"command":' + b"[" * depth + b"]" * depth)


def test_a_command_nested_deeply_is_malformed() -> None:
    assert judge_case(nested(500), "file").traces[0].outcome == "malformed"


def test_a_file_nested_beyond_measure_is_no_case() -> None:
    with pytest.raises(Unreadable, match="not a case"):
        judge_case(nested(100_000), "file")


def test_a_round_is_scored_and_the_next_dealt_without_a_command() -> None:
    whole = msgspec.json.decode((CASES / "hokm-own-win.json").read_bytes())
    last = judge_case(msgspec.json.encode(whole), "file").traces[-1]
    state = msgspec.to_builtins(last.state)
    assert (state["round"], state["score"], state["phase"]) == (2, (0, 4), "choosing_trump")


def test_a_case_without_a_name_has_that_of_its_file() -> None:
    whole = case()
    del whole["case"]
    assert judge_case(msgspec.json.encode(whole), "file").verdict.case == "file"


def test_own_points_are_laid_over_the_preset() -> None:
    whole = case(TRUMP, options={"preset": "home", "kot": 3, "show_five_before_trump": True})
    assert verdict_of(whole) is None


# What cannot be judged ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"shuffles": []}, "`shuffles` ends before the ace_draw of round 1"),
        ({"shuffles": [ACE_DRAW]}, "`shuffles` ends before the deal of round 1"),
        ({"shuffles": [ACE_DRAW, "AS KS"]}, "the shuffle for the deal of round 1 must hold 2C"),
        ({"shuffles": [ACE_DRAW, DEAL.replace("2C", "AS")]}, "must hold 2C"),
        ({"first_seat": None}, "round 1 needs `first_seat`"),
        ({"first_seat": 4}, "not a case"),
        ({"game": "chess"}, "fit no game"),
        ({"game": 7}, "not a case"),
        ({"options": {"preset": "office"}}, "hokm has no preset 'office'; it has: hakem, home"),
        ({"options": {"preset": ["home"]}}, "hokm has no preset"),
        ({"options": {"preset": "home", "target": 0}}, "fit no game"),
        ({"options": {"preset": "home", "jokers": 2}}, "fit no game"),
        ({"options": {"preset": "home", "win": 5}}, "out of the bounds of the rules page"),
        ({"steps": [{"command": {}}]}, "not a case"),
        ({"steps": [{"seat": 4, "command": {}}]}, "not a case"),
        ({"steps": [{"seat": 0}]}, "not a case"),
    ],
)
def test_a_case_that_cannot_be_judged_says_why(changes: dict[str, Any], reason: str) -> None:
    with pytest.raises(Unreadable) as caught:
        judge_case(msgspec.json.encode(case(**changes)), "file")
    assert reason in str(caught.value)


@pytest.mark.parametrize("text", [b"", b"{", b"[]", b"null", b"\xff", b'{"case": "\xff"}'])
def test_what_is_no_case_at_all_cannot_be_judged(text: bytes) -> None:
    with pytest.raises(Unreadable, match="not a case"):
        judge_case(text, "file")


# The command ----------------------------------------------------------------------------------


def test_exit_0_and_a_line_a_case(run: Callable[..., Result]) -> None:
    result = run(case(TRUMP), case(TRUMP, LEAD), options=("--json",))
    assert result.exit_code == 0
    line = {"case": "made", "passed": True, "difference": None}
    assert [msgspec.json.decode(text) for text in result.stdout.splitlines()] == [line, line]
    assert result.stderr == ""


def test_exit_4_on_any_difference_and_the_other_cases_are_still_judged(
    run: Callable[..., Result],
) -> None:
    wrong = case(TRUMP | {"expect": "match_over"})
    result = run(wrong, case(TRUMP), options=("--json",))
    assert result.exit_code == 4
    assert [msgspec.json.decode(text)["passed"] for text in result.stdout.splitlines()] == [
        False,
        True,
    ]


def test_exit_2_for_unreadable_input_even_beside_a_difference(
    run: Callable[..., Result],
) -> None:
    wrong = case(TRUMP | {"expect": "match_over"})
    result = run(b"no json", wrong, options=("--json",))
    assert result.exit_code == 2
    assert "case0.json: not a case" in result.stderr
    assert len(result.stdout.splitlines()) == 1


def test_exit_2_for_a_missing_file_and_for_a_folder(tmp_path: Path) -> None:
    for path in (tmp_path / "nowhere.json", tmp_path):
        result = CliRunner().invoke(referee, [str(path)])
        assert result.exit_code == 2
        assert f"{path}: cannot be read" in result.stderr


def test_exit_2_without_a_case() -> None:
    assert CliRunner().invoke(referee, []).exit_code == 2


def test_trace_is_a_line_a_step_before_the_verdict(run: Callable[..., Result]) -> None:
    result = run(case(TRUMP, TRUMP), options=("--trace", "--json"))
    lines = [msgspec.json.decode(text) for text in result.stdout.splitlines()]
    assert [(line["step"], line["outcome"]) for line in lines[:-1]] == [
        (0, "ok"),
        (1, "wrong_phase"),
    ]
    assert all(set(line) == {"case", "step", "outcome", "state"} for line in lines[:-1])
    assert lines[0]["state"]["trump"] == "S"
    assert lines[-1] == {"case": "made", "passed": True, "difference": None}


def test_prose_goes_to_stderr_and_stdout_stays_empty(run: Callable[..., Result]) -> None:
    result = run(case(TRUMP | {"expect": "match_over"}), options=("--trace",))
    assert result.exit_code == 4
    assert result.stdout == ""
    assert result.stderr == (
        "made: step 0: ok\nmade: FAILED at step 0: expected match_over, got ok\n"
    )
