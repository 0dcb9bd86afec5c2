"""docs/analytics.md: its tables are those that are written, and its questions are answered right.

Each answer is counted from the log's lines again, without SQL, rules or tables (tests/analytics/
lines.py).
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from statistics import mean, median
from typing import Any, Final

import pytest

from services.analytics.folder import read_note
from services.analytics.tables import FOLDER_COLUMNS, FORMAT, TABLES, Column, columns
from tests.analytics.lake import answer, export, golden, many, new_log, opened, running
from tests.analytics.lines import PlayedRound, revealed_rounds

PAGE: Final = (Path(__file__).parents[2] / "docs" / "analytics.md").read_text()
QUESTIONS: Final = re.findall(r"^### (\d+)\. .*?```sql\n(.*?)```", PAGE, re.MULTILINE | re.DOTALL)
RANKS: Final = "23456789TJQKA"
Rows = list[tuple[Any, ...]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    where = tmp_path_factory.mktemp("analytics")
    return export(new_log(where / "data", many()), where / "tables")


@cache
def rounds() -> list[PlayedRound]:
    return revealed_rounds(many())


def hokm() -> list[PlayedRound]:
    return [one for one in rounds() if one.options["game"] == "hokm"]


def hand() -> list[PlayedRound]:
    return [one for one in rounds() if one.options["game"] == "hand"]


# The answers, by hand -------------------------------------------------------------------------


def only(found: Iterable[Any]) -> Any:
    (one,) = found
    return one


def hakem(played: PlayedRound) -> int:
    return int(only(played.bodies("five_dealt"))["hakem"])


def winner(played: PlayedRound) -> int:
    return int(only(played.bodies("round_ended"))["result"]["tricks"].index(7))


def is_kot(played: PlayedRound) -> bool:
    return 0 in only(played.bodies("round_ended"))["result"]["tricks"]


def seats(played: PlayedRound) -> int:
    return len(played.seats)


def share(found: Iterable[bool]) -> float:
    return mean(map(int, found))


def hakem_wins() -> Rows:
    return [(len(hokm()), share(winner(one) == hakem(one) % 2 for one in hokm()))]


def kots() -> Rows:
    by_level = defaultdict[str, list[tuple[bool, bool]]](list)
    for one in hokm():
        for seat, (_, level) in enumerate(one.seats):
            if level is not None:
                ours, kot = winner(one) == seat % 2, is_kot(one)
                by_level[level].append((kot and ours, kot and not ours))
    return [
        (level, len(found), share(made for made, _ in found), share(bad for _, bad in found))
        for level, found in sorted(by_level.items())
    ]


def hands() -> Rows:
    tables = defaultdict[tuple[str, int], list[dict[str, Any]]](list)
    for one in hand():
        result = only(one.bodies("round_ended"))["result"]
        tables[one.options["variant"], seats(one)].append(result)
    return [
        (
            *table,
            len(found),
            sum(one["hand"] for one in found),
            sum(one["went_out"] is None for one in found),
        )
        for table, found in sorted(tables.items())
    ]


def thinking() -> Rows:
    waits = defaultdict[tuple[str, str, str | None], list[int]](list)
    for one in rounds():
        for did in one.decisions():
            if not did.rule and did.waited is not None:
                assert did.held is not None
                waits[one.options["game"], did.held, did.level].append(did.waited)
    ordered = sorted(waits.items(), key=lambda item: tuple(map(str, item[0])))
    return [
        (*who, len(ms), median(ms), sorted(ms)[-(-95 * len(ms) // 100) - 1]) for who, ms in ordered
    ]


def trumps() -> Rows:
    named = Counter(only(one.bodies("trump_chosen"))["suit"] for one in hokm())
    fives = defaultdict[str, list[int]](list)
    for one in hokm():
        pack = only(one.bodies("round_revealed"))["packs"][-1]
        suit = only(one.bodies("trump_chosen"))["suit"]
        fives[suit].append(sum(card[1] == suit for card in pack[:5]))  # the hakem gets the first
    return [(suit, named[suit], mean(fives[suit])) for suit in sorted(named)]


def first_leads() -> Rows:
    leads = defaultdict[tuple[str, bool], list[tuple[bool, bool]]](list)
    for one in hokm():
        lead, taken = one.bodies("card_played")[0], one.bodies("trick_taken")[0]
        trump, side = only(one.bodies("trump_chosen"))["suit"], hakem(one) % 2
        key = (lead["card"][0], lead["card"][1] == trump)
        leads[key].append((taken["by"] % 2 == side, winner(one) == side))
    ordered = sorted(leads.items(), key=lambda item: (RANKS.index(item[0][0]), item[0][1]))
    return [
        (*key, len(found), share(took for took, _ in found), share(won for _, won in found))
        for key, found in ordered
    ]


def turns(played: PlayedRound) -> int:
    """Each ends with a discard; who goes out by laying his last cards throws none."""
    last = played.decisions()[-1]
    return len(played.bodies("card_discarded")) + (last.type != "card_discarded")


def lengths() -> Rows:
    tables = defaultdict[tuple[str, int], list[PlayedRound]](list)
    for one in hand():
        tables[one.options["variant"], seats(one)].append(one)
    return [
        (
            *table,
            len(found),
            min(map(turns, found)),
            median(map(turns, found)),
            max(map(turns, found)),
            sum(len(one.bodies("cards_shuffled")) - 1 for one in found),
        )
        for table, found in sorted(tables.items())
    ]


def openings() -> Rows:
    worth = defaultdict[int, list[int]](list)
    for one in hand():
        own = Counter[int | None]()
        for did in one.decisions():
            if did.type == "melds_laid" and did.body["opening"]:
                worth[own[did.seat] + 1].append(did.body["value"])
            own[did.seat] += did.type == "card_discarded"
    return [(turn, len(found), mean(found)) for turn, found in sorted(worth.items())]


def fires() -> Rows:
    draws = defaultdict[tuple[str | None, str | None], list[bool]](list)
    for one in hand():
        for did in one.decisions():
            if did.type in {"card_drawn", "fire_taken"} and not did.rule:
                draws[did.held, did.level].append(did.type == "fire_taken")
    ordered = sorted(draws.items(), key=lambda item: tuple(map(str, item[0])))
    return [(*who, len(found), share(found)) for who, found in ordered]


def lateness() -> Rows:
    decisions, late = defaultdict[str, list[bool]](list), Counter[str]()
    for one in rounds():
        for did in one.did:
            if did.player is None:
                continue
            late[did.player] += did.type == "turn_timed_out"
            if did in one.decisions():
                decisions[did.player].append(did.held == "house")
    return [(who, len(found), late[who], share(found)) for who, found in sorted(decisions.items())]


ANSWERS: Final[dict[str, Callable[[], Rows]]] = {
    "1": hakem_wins,
    "2": kots,
    "3": hands,
    "4": thinking,
    "5": trumps,
    "6": first_leads,
    "7": lengths,
    "8": openings,
    "9": fires,
    "10": lateness,
}


# ----------------------------------------------------------------------------------------------


def test_the_page_has_ten_questions() -> None:
    assert [number for number, _ in QUESTIONS] == list(ANSWERS)


@pytest.mark.parametrize(("number", "question"), QUESTIONS)
def test_a_question_has_the_answer_that_the_lines_give(
    folder: Path, number: str, question: str
) -> None:
    got, expected = answer(opened(folder), question), ANSWERS[number]()
    assert len(got) == len(expected) > 0
    for row, right in zip(got, expected, strict=True):
        assert _close(row, right), (row, right)


def _close(row: tuple[Any, ...], right: tuple[Any, ...]) -> bool:
    return len(row) == len(right) and all(
        got == (pytest.approx(value) if isinstance(value, float) else value)
        for got, value in zip(row, right, strict=True)
    )


@pytest.mark.parametrize("table", TABLES)
def test_the_page_names_every_column_with_its_type_and_meaning(table: str) -> None:
    section = PAGE.split(f"### `{table}`\n")[1].split("\n#")[0]
    about = TABLES[table].__doc__
    assert about is not None
    assert section.startswith(about.strip())
    told = re.findall(r"^\| `(\w+)` \| `([A-Z\[\]]+)` \| (.*) \|$", section, re.MULTILINE)
    assert told == [(one.name, one.type, one.about) for one in columns(table)]


@pytest.mark.parametrize("table", TABLES)
def test_what_is_written_has_those_columns_and_needs_no_quotes(folder: Path, table: str) -> None:
    tables = opened(folder)
    named = [*columns(table), *FOLDER_COLUMNS]
    bare = ", ".join(one for one, _ in _pairs(named))
    described = answer(tables, f"DESCRIBE SELECT {bare} FROM {table}")
    assert [(row[0], row[1]) for row in described] == _pairs(named)
    comments = answer(
        tables, f"SELECT column_name, comment FROM duckdb_columns() WHERE table_name = '{table}'"
    )
    assert dict(comments) == {one.name: one.about for one in named}


def _pairs(named: list[Column]) -> list[tuple[str, str]]:
    return [(one.name, one.type) for one in named]


def test_the_python_of_the_page_runs_as_it_stands(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (program,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    monkeypatch.chdir(folder.parent)
    exec(program, {})
    assert "kind" in capsys.readouterr().out


def test_the_views_of_an_export_without_one_game_answer_all_the_same(tmp_path: Path) -> None:
    one = next(rows for rows in golden() if '"game":"hokm"' in rows[0].entry.line)
    folder = export(new_log(tmp_path / "data", [one]), tmp_path / "tables")
    tables = opened(folder)
    assert answer(tables, "SELECT * FROM melds") == []
    assert [row[0] for row in answer(tables, "DESCRIBE melds")][-2:] == ["game", "day"]
    for _, question in QUESTIONS:
        answer(tables, question)


def test_the_note_says_what_is_there(folder: Path) -> None:
    note = read_note(folder)
    assert note.format == FORMAT
    assert f"`{FORMAT}`" in PAGE
    tables = opened(folder)
    for table, rows in note.rows.items():
        assert answer(tables, f"SELECT count(*) FROM {table}") == [(rows,)]
    assert note.days is not None
    assert answer(tables, "SELECT min(day), max(day) FROM matches") == [note.days]


def test_a_match_that_is_running_is_counted_as_far_as_it_is_told(tmp_path: Path) -> None:
    live = running(many()[0], rounds=1)
    folder = export(new_log(tmp_path / "data", [live]), tmp_path / "tables")
    tables = opened(folder)
    assert answer(tables, "SELECT status, rounds, winner, ended FROM matches") == [
        ("playing", 1, None, None)
    ]
    assert answer(tables, "SELECT DISTINCT round FROM plays") == [(1,)]
