"""`waraq standings`: counted anew from the log with one command, and shown with its rules."""

from pathlib import Path

import pytest

from schemas.commands import HokmOptions
from services.scoring import ledger
from services.scoring.terms import RULES
from tests.cli.logs import Log, stopped, told
from tests.eventful import mixed
from tests.postgres import Server, fresh_database
from tests.streams import FRIEND, OWNER, Played, match_id, played

LIST = ("match", "list")


@pytest.fixture
def counted(log: Log) -> Log:
    log.store(*(played(seed).rows for seed in range(1_000, 1_003)), *mixed(5))
    return log


def test_rebuild_says_what_it_counted_and_says_it_again(counted: Log) -> None:
    (first,) = told(counted.waraq("standings", "rebuild", "--json"))
    assert first["matches"] == 8
    assert first["points"] > 0
    assert told(counted.waraq("standings", "rebuild", "--json")) == [first]
    prose = counted.waraq("standings", "rebuild")
    assert prose.stdout == ""
    assert "matches: 8, players: 7," in prose.stderr


def test_show_lists_the_best_first_and_prints_the_rules(counted: Log) -> None:
    counted.waraq("standings", "rebuild")
    found = told(counted.waraq("standings", "show", "--json"))
    assert {one["player"] for one in found} == {OWNER, FRIEND}
    assert all(one["xo"] == 10 * one["rounds"] > 0 for one in found)
    assert len(told(counted.waraq("standings", "show", "--most", "1", "--json"))) == 1
    prose = counted.waraq("standings", "show").stderr
    assert all(rule in prose for rule in RULES.values())


def test_show_of_one_player_has_his_record_by_game(counted: Log) -> None:
    counted.waraq("standings", "rebuild")
    (found,) = told(counted.waraq("standings", "show", FRIEND, "--json"))
    assert list(found) == ["player", "xo", "rounds", "records"]
    (record,) = found["records"]
    assert (record["game"], record["played"], record["left"]) == ("hokm", 3, 0)
    (nobody,) = told(counted.waraq("standings", "show", "u_nobody00", "--json"))
    assert (nobody["xo"], nobody["records"]) == (0, [])
    assert "hokm: 3 played" in counted.waraq("standings", "show", FRIEND).stderr


def test_matches_are_listed_by_how_they_stand_without_any_standings(log: Log) -> None:
    """At night: which are in play, and since when nothing happened in them?"""
    waiting, playing, over = (played(seed).rows for seed in range(3))
    log.store(waiting[:1], playing[:40], over)
    of = [rows[0].entry.stream for rows in (waiting, playing, over)]

    def listed(status: str) -> list[str]:
        return [one["match"] for one in told(log.waraq(*LIST, "--status", status, "--json"))]

    assert [listed(one) for one in ("lobby", "playing", "ended")] == [[one] for one in of]
    assert listed("abandoned") == []
    assert listed("running") == sorted(of[:2])
    assert listed("over") == of[2:]
    (found,) = told(log.waraq(*LIST, "--status", "playing", "--json"))
    assert found["latest"] > found["opened"]
    assert "no match is abandoned" in log.waraq(*LIST, "--status", "abandoned").stderr
    code, words = stopped(log.waraq(*LIST, "--status", "over", "--open"))
    assert code == 2
    assert "name one of them" in words


def test_show_says_that_nobody_has_points_yet(log: Log) -> None:
    log.waraq("standings", "rebuild")
    assert "nobody has XO points yet" in log.waraq("standings", "show").stderr
    assert log.waraq("standings", "show", "--json").stdout == ""


def test_the_rules_are_there_without_any_standings(log: Log) -> None:
    (found,) = told(log.waraq("standings", "rules", "--json"))
    assert found == {"xo_points": 10, "rules": dict(RULES)}


def test_bad_input_is_said(counted: Log) -> None:
    code, words = stopped(counted.waraq("standings", "show"))
    assert (code, "waraq standings rebuild" in words) == (3, True)
    assert stopped(counted.waraq("standings", "show", "me"))[0] == 2
    assert stopped(counted.waraq("standings", "show", "--most", "0"))[0] == 2
    counted.waraq("standings", "rebuild")
    elsewhere = Log(counted.url, dict(counted.environ) | {"WARAQ_STANDINGS_URL": "mysql://x"})
    assert stopped(elsewhere.waraq("standings", "rebuild"))[0] == 1
    away = Log(
        counted.url,
        dict(counted.environ) | {"WARAQ_STANDINGS_URL": "postgresql://a:secret@127.0.0.1:1/x"},
    )
    for words_ in (("rebuild",), ("show",)):
        code, words = stopped(away.waraq("standings", *words_))
        assert code == 5
        assert "secret" not in words


def test_there_is_nothing_to_count_without_a_log(tmp_path: Path) -> None:
    nowhere = Log("", {"WARAQ_DATA": str(tmp_path / "data")})
    assert stopped(nowhere.waraq("standings", "rebuild"))[0] == 3
    assert not (tmp_path / "data").exists()


def test_a_file_that_is_no_database_is_said(sqlite_log: Log) -> None:
    data = Path(sqlite_log.environ["WARAQ_DATA"])
    (data / "standings.db").write_bytes(b"no database, though it is long enough" * 50)
    for words in (("rebuild",), ("show",)):
        assert stopped(sqlite_log.waraq("standings", *words))[0] == 1


def test_standings_of_another_form_are_made_anew_by_rebuild(
    counted: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    (before,) = told(counted.waraq("standings", "rebuild", "--json"))
    monkeypatch.setattr(ledger, "FORM", ledger.FORM + 1)
    assert stopped(counted.waraq("standings", "show"))[0] == 3
    assert told(counted.waraq("standings", "rebuild", "--json")) == [before]


def test_standings_may_lie_on_another_database_than_the_log(
    sqlite_log: Log, postgres_server: Server
) -> None:
    sqlite_log.store(played(1_000).rows)
    with fresh_database(postgres_server) as url:
        log = Log(sqlite_log.url, dict(sqlite_log.environ) | {"WARAQ_STANDINGS_URL": url})
        (found,) = told(log.waraq("standings", "rebuild", "--json"))
        assert found["events"] == len(played(1_000).rows)
        assert told(log.waraq("standings", "show", "--json"))


def lobby(number: int) -> Played:
    return Played(match_id(number), HokmOptions())


def test_open_tables_and_a_players_matches_are_listed(log: Log) -> None:
    log.store(played(1).rows, played(2, moves=3).rows, lobby(3).rows, lobby(4).rows)
    log.waraq("standings", "rebuild")
    found = told(log.waraq("match", "list", "--open", "--json"))
    assert [one["match"] for one in found] == [match_id(4), match_id(3)]
    assert list(found[0])[:4] == ["match", "game", "ruleset", "status"]
    found = told(log.waraq("match", "list", "--player", FRIEND, "--json"))
    assert [one["status"] for one in found] == ["playing", "ended"]
    assert told(log.waraq("match", "list", "--player", "u_nobody00", "--json")) == []
    assert "2 (anyone)" in log.waraq("match", "list", "--open").stderr


def test_a_list_without_anything_says_so(log: Log) -> None:
    assert "no match yet" in log.waraq("match", "list").stderr
    log.store(played(1).rows)
    log.waraq("standings", "rebuild")
    none = log.waraq("match", "list", "--open")
    assert (none.stdout, "no table has a seat for anybody" in none.stderr) == ("", True)
    assert "u_nobody00 has opened no match" in log.waraq(*LIST, "--player", "u_nobody00").stderr
    assert "no match yet" not in log.waraq(*LIST).stderr
    assert log.waraq(*LIST, "--open", "--json").stderr == ""


def test_a_list_that_is_late_says_so(log: Log) -> None:
    log.store(lobby(1).rows)
    log.waraq("standings", "rebuild")
    log.store(lobby(2).rows)
    late = log.waraq("match", "list", "--open", "--json")
    assert len(told(late)) == 1
    assert "events: 1" in late.stderr


def test_lists_say_what_is_wrong(log: Log) -> None:
    log.store(lobby(1).rows)
    code, words = stopped(log.waraq("match", "list", "--open"))
    assert (code, "waraq standings rebuild" in words) == (3, True)
    log.waraq("standings", "rebuild")
    assert stopped(log.waraq("match", "list", "--player", "U"))[0] == 2
    assert stopped(log.waraq("match", "list", "--open", "--player", FRIEND))[0] == 2
