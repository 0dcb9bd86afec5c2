"""`waraq duel`: the same luck for both, the chairs changed about, each asked with its own view."""

import json
import multiprocessing
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from concurrent.futures.process import BrokenProcessPool
from typing import Any

import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner, Result
from msgspec.structs import replace

from schemas.cards import HOKM_PACK
from schemas.commands import GameAction, HandOptions, HokmOptions, Options, PlayCard
from schemas.events import HandRound
from schemas.views import BotTurn, HokmView
from services.cli import progress
from services.cli.__main__ import main
from services.cli.duel import rounds, spread
from services.cli.duel.command import MOST_DEALS, duel
from services.cli.duel.contenders import CONTENDERS, Contender
from services.cli.duel.matchup import NAMES, Matchup, luck_of_deal, who
from services.cli.duel.rounds import Deal, Refused, judged, play_deal
from services.cli.duel.spread import deals_of
from services.rules.games import GAMES, ruleset_of
from services.rules.hokm.state import HokmState
from services.runtime.settings import BOT_POLICY
from tests.rules.hand_play import VARIANTS, void_round

HOKM = HokmOptions()
HAND = HandOptions(variant="classic", seats=4, rounds=3)
EVEN = [HOKM, *(table for table in VARIANTS if table.seats != 3)]
"""Every table that can be shared out."""
SPEAKING = "from services.cli import progress, __main__\nprogress.IN_A_FILE = 0.0\n__main__.run()\n"
"""The command line, with a word of each deal."""


def matchup(a: Any, b: Any, options: Options, seed: int = 3) -> Matchup:
    return Matchup(a=a, b=b, options=options, seed=seed)


def run(*words: str) -> Result:
    return CliRunner().invoke(duel, words)


def without_times(deal: Deal) -> tuple[Any, ...]:
    return (deal.number, deal.won, deal.decided, deal.points, deal.a.total(), deal.b.total())


# Duplicate deals ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_nobody_beats_himself_at_hokm(name: str) -> None:
    deal = play_deal(matchup(name, name, HOKM), 0)
    assert (deal.won, deal.decided, deal.points) == (1, 2, 0.0)


@pytest.mark.parametrize("options", EVEN[1:], ids=lambda each: f"{each.variant}-{each.seats}")
def test_nobody_beats_himself_at_hand(options: HandOptions) -> None:
    each = matchup("white", "white", options)
    for number in range(2):
        deal = play_deal(each, number)
        assert deal.points == 0
        assert 2 * deal.won == deal.decided


@pytest.mark.parametrize("options", EVEN, ids=str)
def test_partners_are_of_one_contender_and_both_have_as_many_seats(options: Options) -> None:
    seats = GAMES[ruleset_of(options)].seats(options)
    first, second = ([who(seat, turned) for seat in range(seats)] for turned in (0, 1))
    assert Counter(first) == Counter(second) == {"a": seats // 2, "b": seats // 2}
    assert all(one != other for one, other in zip(first, second, strict=True))
    assert seats == 2 or first[0] == first[2]


def heard(monkeypatch: pytest.MonkeyPatch, options: Options, deal: int) -> list[BotTurn]:
    """All turns of both rounds of a deal."""
    turns: list[BotTurn] = []

    def listening(play: Callable[[BotTurn], GameAction]) -> Callable[[BotTurn], GameAction]:
        def both(turn: BotTurn) -> GameAction:
            turns.append(turn)
            return play(turn)

        return both

    bots = {
        name: Contender(CONTENDERS[name].level, listening(CONTENDERS[name].play))
        for name in CONTENDERS
    }
    monkeypatch.setattr(rounds, "CONTENDERS", bots)
    play_deal(matchup("black", "house", options), deal)
    return turns


@pytest.mark.parametrize("options", [HOKM, HAND], ids=["hokm", "hand"])
def test_both_rounds_of_a_deal_begin_with_the_same_cards_and_seat(
    monkeypatch: pytest.MonkeyPatch, options: Options
) -> None:
    turns = heard(monkeypatch, options, 5)
    first, second = [turn for turn in turns if turn.move == 0]
    assert first.view == second.view
    assert {first.level, second.level} == {"black", "white"}, "the house is asked as white"
    assert heard(monkeypatch, options, 6)[0].view != first.view


def test_every_seat_is_asked_with_its_own_view(monkeypatch: pytest.MonkeyPatch) -> None:
    turns = heard(monkeypatch, HOKM, 1)
    assert {turn.seat for turn in turns} == {0, 1, 2, 3}
    assert all(turn.view.seat == turn.seat == turn.view.turn for turn in turns)


def test_another_seed_is_another_deal() -> None:
    orders = {luck_of_deal(s, d).order(1, "deal", HOKM_PACK) for s in range(5) for d in range(5)}
    assert len(orders) > 20
    assert luck_of_deal(4, 2) == luck_of_deal(4, 2)


# Whose round it was ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tricks", "turned", "winner", "points"),
    [((7, 3), 0, "a", 1), ((7, 3), 1, "b", -1), ((0, 7), 0, "b", -3), ((0, 7), 1, "a", 3)],
)
def test_hokms_points_are_the_rounds_own_and_signed(
    tricks: tuple[int, int], turned: int, winner: str, points: int
) -> None:
    state = HokmState(options=HOKM, step="score", hakem=0, tricks=tricks)
    ended = judged(matchup("black", "white", HOKM), turned, state)
    assert (ended.winner, ended.points) == (winner, points)


def test_a_void_round_of_hand_is_nobodys() -> None:
    ended = judged(matchup("black", "white", HAND), 0, void_round())
    assert (ended.winner, ended.points) == (None, 0)


def test_hands_points_are_penalties_a_seat() -> None:
    """Seat 0 went out (-30), 1 and 3 did not open (100 each), 2 holds 9 and 3, or 12: a has -18
    and b 200 on two seats each, and with the chairs changed about the reverse.
    """
    out = HandRound(
        went_out=0,
        hand=False,
        opened=(True, False, True, False),
        left=((), ("KS1",), ("9S1", "3S1"), ("2C1", "2C2")),
    )
    state = replace(void_round(), last=out)
    first, second = (judged(matchup("black", "white", HAND), turned, state) for turned in (0, 1))
    assert (first.winner, first.points) == ("a", 109)
    assert (second.winner, second.points) == ("b", -109)


def test_a_partnerships_points_are_penalties_a_side() -> None:
    options = HandOptions(variant="partnership", seats=4, rounds=3)
    out = HandRound(went_out=1, hand=True, opened=(False,) * 4, left=(("KS1",), (), (), ()))
    state = replace(void_round(options=options), last=out)
    ended = judged(matchup("black", "white", options), 0, state)
    assert (ended.winner, ended.points) == ("b", -460), "2 x 200, and 2 x 30 for going out"


# A bot at fault -------------------------------------------------------------------------------


def any_card(turn: BotTurn) -> GameAction:
    """Hearts' two is not held by most, and named while the trump is asked for."""
    assert isinstance(turn.view, HokmView)
    return PlayCard(card="2H")


def test_what_the_rules_refuse_ends_the_duel_and_names_the_bot(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wrong = dict(CONTENDERS) | {"black": Contender("black", any_card)}
    monkeypatch.setattr(rounds, "CONTENDERS", wrong)
    with pytest.raises(Refused, match=r"black said PlayCard.* deal 4 of seed 3, round [01]"):
        play_deal(matchup("black", "white", HOKM), 4)
    done = run("--game=hokm", "--a=white", "--b=black", "--deals=2", "--jobs=1")
    assert done.exit_code == 1
    assert "black said" in done.stderr


# Spread over processes ------------------------------------------------------------------------


def test_the_result_does_not_depend_on_the_number_of_processes() -> None:
    each = matchup("house", "rule", HOKM)
    alone = list(map(without_times, deals_of(each, 21, 1)))
    assert [deal[0] for deal in alone] == list(range(21))
    assert list(map(without_times, deals_of(each, 21, 2))) == alone


def test_whoever_stops_asking_stops_the_processes() -> None:
    before = set(multiprocessing.active_children())
    deals = deals_of(matchup("house", "rule", HOKM), 1_000, 2)
    assert next(deals).number == 0
    mine = set(multiprocessing.active_children()) - before
    assert len(mine) == 2
    assert isinstance(deals, Generator)
    deals.close()
    assert not any(process.is_alive() for process in mine)


def test_one_that_was_stopped_is_ended_too() -> None:
    before = set(multiprocessing.active_children())
    deals = deals_of(matchup("house", "rule", HOKM), 1_000, 2)
    next(deals)
    stopped = (set(multiprocessing.active_children()) - before).pop()
    assert stopped.pid is not None
    os.kill(stopped.pid, signal.SIGSTOP)
    os.waitpid(stopped.pid, os.WUNTRACED)  # until it stands still
    assert isinstance(deals, Generator)
    deals.close()
    assert not stopped.is_alive()


def test_a_process_that_is_killed_is_noticed() -> None:
    before = set(multiprocessing.active_children())
    deals = deals_of(matchup("house", "rule", HOKM), 1_000, 2)
    next(deals)
    (set(multiprocessing.active_children()) - before).pop().kill()
    with pytest.raises(BrokenProcessPool):
        list(deals)
    assert set(multiprocessing.active_children()) == before


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_processes_end_with_the_command(number: signal.Signals) -> None:
    """A terminal's Ctrl-C is for all of its processes; a kill is for one, and the others follow."""
    words = ["--game=hokm", "--a=house", "--b=house", "--deals=100000", "--jobs=2", "--json"]
    process = subprocess.Popen(
        [sys.executable, "-c", SPEAKING, "duel", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stderr is not None
    assert "deals" in process.stderr.readline(), "deals are being played"
    if number == signal.SIGKILL:
        process.kill()
    else:
        os.killpg(process.pid, number)
    out, said = process.communicate(timeout=60)  # ends when no process has the pipes any more
    assert out == ""
    assert "Traceback" not in said
    assert process.returncode == (130 if number == signal.SIGINT else -signal.SIGKILL)


# The command ----------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["hokm", "hand"])
def test_the_line_is_the_contracts(game: str) -> None:
    words = (f"--game={game}", "--a=black", "--b=house", "--deals=3", "--jobs=1")
    done = run(*words, "--seed=5", "--json")
    assert done.exit_code == 0
    line = json.loads(done.stdout)
    promised = ["a", "b", "deals", "won", "ci95", "points", "mean_ms", "max_ms"]
    assert list(line)[: len(promised)] == promised
    assert list(line["ci95"]) == ["won", "points"]
    assert (line["a"], line["b"], line["deals"], line["seed"]) == ("black", "house", 3, 5)
    assert 0 <= line["ci95"]["won"][0] <= line["won"] <= line["ci95"]["won"][1] <= 1
    assert line["ci95"]["points"][0] <= line["points"] <= line["ci95"]["points"][1]
    assert 0 < line["mean_ms"] <= line["max_ms"]
    assert 0 < line["b_times"]["mean_ms"] <= line["b_times"]["max_ms"]
    assert (line["options"]["game"], line["policy"]) == (game, BOT_POLICY)
    told = run(*words, "--seed=5")
    assert told.stdout == ""
    table = "hokm" if game == "hokm" else "hand, classic, 4 seats"
    assert f"{table}: black against house, 3 deals of seed 5" in told.stderr


def test_a_fresh_seed_is_told_and_gives_the_same_again() -> None:
    words = ("--game=hokm", "--a=rule", "--b=house", "--deals=4", "--jobs=1", "--json")
    first = json.loads(run(*words).stdout)
    again = json.loads(run(*words, f"--seed={first['seed']}").stdout)
    assert [first[key] for key in ("won", "points", "ci95", "seed")] == [
        again[key] for key in ("won", "points", "ci95", "seed")
    ]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--game=whist", "--a=black", "--b=white"), "whist"),
        (("--game=hokm", "--a=gold", "--b=white"), "gold"),
        (("--game=hokm", "--a=black"), "--b"),
        (("--game=hokm", "--a=black", "--b=white", "--deals=1"), "2<=x<="),
        (("--game=hokm", "--a=black", "--b=white", f"--deals={MOST_DEALS + 1}"), "2<=x<="),
        (("--game=hokm", "--a=black", "--b=white", "--deals=many"), "many"),
        (("--game=hokm", "--a=black", "--b=white", "--seed=-1"), "-1"),
        (("--game=hokm", "--a=black", "--b=white", "--jobs=0"), "0"),
        (("--game=hokm", "--a=black", "--b=white", "--seats=4"), "hokm has no seats"),
        (("--game=hand", "--a=rule", "--b=white"), "rule plays hokm only"),
        (("--game=hand", "--a=black", "--b=white", "--seats=3"), "2 seats or 4"),
        (("--game=hand", "--a=black", "--b=white", "--seats=2", "--variant=partnership"), "N1"),
    ],
)
def test_what_cannot_be_played_is_said_in_a_sentence(words: tuple[str, ...], said: str) -> None:
    done = run(*words)
    assert done.exit_code == 2
    assert said in done.stderr
    assert "Traceback" not in done.output
    assert done.stdout == ""


def test_the_names_that_are_offered_are_the_contenders() -> None:
    assert set(NAMES) == set(CONTENDERS)
    asked = ShellComplete(main, {}, "waraq", "_WARAQ_COMPLETE")
    offered = asked.get_completions(["duel", "--game", "hokm", "--a"], "")
    assert [item.value for item in offered] == list(NAMES)


def test_how_far_it_has_come_is_said_on_stderr(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "IN_A_FILE", 0.0)
    words = ("--game=hokm", "--a=house", "--b=house", "--deals=4", "--jobs=1", "--json")
    done = run(*words)
    assert "3 deals of 4, 75 %" in done.stderr
    assert len(done.stdout.splitlines()) == 1


def test_help_does_not_load_the_bots() -> None:
    program = (
        "import sys, services.cli.duel.command\n"
        "assert not [name for name in sys.modules if name.startswith('services.bot')]\n"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


@pytest.mark.parametrize(
    ("fault", "code"), [(KeyboardInterrupt(), 130), (BrokenProcessPool(), 1)], ids=repr
)
def test_a_duel_that_was_stopped_says_so_and_tells_no_result(
    monkeypatch: pytest.MonkeyPatch, fault: BaseException, code: int
) -> None:
    def stopped(each: Matchup, *_: object) -> Iterator[Deal]:
        yield play_deal(each, 0)
        raise fault

    monkeypatch.setattr(spread, "deals_of", stopped)
    done = run("--game=hokm", "--a=house", "--b=house", "--json")
    assert done.exit_code == code
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
