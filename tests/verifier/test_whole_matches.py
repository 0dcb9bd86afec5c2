"""Matches played by the rules are found right, whoever looks, and every own card was compared."""

from random import Random
from typing import Any, Final

import pytest
from nacl.signing import SigningKey

from schemas.advice import Reason
from schemas.commands import AbandonMatch, LeaveSeat, PlayCard, Suggestion, TakeSeat
from schemas.feed import Advice, Feed, Refused, encode_feed
from schemas.ids import OPS
from schemas.refusals import Refusal
from services.event_log.port import Row
from services.table import feeds
from tests.verifier.matches import (
    PLAYERS,
    PUBLIC,
    Message,
    Table,
    begun,
    feed,
    match_file,
    played,
    text_of,
)
from tests.verifier.node import Refused as Unread
from tests.verifier.node import verify_all
from tests.verifier.tables import GAMES, HAND, HOKM, NUMBERS, SHORT, TABLES

EVERY: Final = 17
"""Events between two beginnings of a match that are looked at."""
ADVICE: Final = Suggestion(actions=(PlayCard(card="AS"),), reason=Reason(why="ruff", cards=("AS",)))


def rounds_of(table: Table) -> int:
    return sum(entry.type in {"five_dealt", "hand_dealt"} for entry in table.entries)


def steps(report: Any, name: str) -> list[Any]:
    return [step for step in report["steps"] if step["step"] == name]


@pytest.fixture(scope="module", params=TABLES)
def table(request: pytest.FixtureRequest) -> Table:
    return played(NUMBERS[request.param], TABLES[request.param])


def test_a_whole_match_is_right_for_every_seat(table: Table) -> None:
    heads = [table.entries[9].head, table.live.head]
    feeds = [feed(table, PLAYERS[seat]) for seat in range(table.seats)]
    reports = verify_all((one, {"seat": at, "head": heads}) for at, one in enumerate(feeds))
    for one, report in zip(feeds, reports, strict=True):
        assert (report["ok"], report["whole"], report["over"]) == (True, True, True), report
        assert (report["match"], report["events"]) == (table.match, len(table.entries))
        assert len(steps(report, "cards")) == rounds_of(table)
        assert sum(_compared(report)) == _cards_by_round(one)


def _compared(report: Any) -> list[int]:
    """How many cards each round's step says it compared."""
    return [int(step["detail"].split()[3]) for step in steps(report, "cards")]


def _cards_by_round(messages: list[Message]) -> int:
    """The different cards that came in each round, summed up over the rounds."""
    rounds: list[set[str]] = []
    for one in messages:
        if one["event"]["body"]["type"] in {"five_dealt", "hand_dealt"}:
            rounds.append(set())
        if rounds:
            rounds[-1] |= set(one["cards"])
    return sum(map(len, rounds))


def test_a_whole_match_is_right_for_everybody_else(table: Table) -> None:
    viewers = ("judge", "public", f"seat:{table.seats - 1}")
    files = [match_file(table, viewer) for viewer in viewers]
    asked = [feed(table, PUBLIC), *map(text_of, files)]
    for report in verify_all((one, {}) for one in asked):
        assert (report["ok"], report["whole"], report["firstBad"]) == (True, True, None), report


def test_the_tables_of_hand_show_everything_that_brings_a_card() -> None:
    tables = [played(NUMBERS[name], options) for name, options in TABLES.items()]
    entries = [entry for table in tables for entry in table.entries]
    kinds = {entry.type for entry in entries}
    assert kinds >= {"card_drawn", "fire_taken", "joker_swapped", "melds_laid", "card_laid_off"}
    assert any('"label":"stock' in entry.line for entry in entries)


@pytest.mark.parametrize("game", GAMES)
def test_any_order_and_any_repetition_is_the_same(game: str) -> None:
    messages = feed(played(SHORT[game], GAMES[game]), PLAYERS[0])
    mixed = messages + messages[::3]
    Random(1).shuffle(mixed)
    straight, other = verify_all((one, {"seat": 0}) for one in (messages, text_of(mixed)))
    assert straight == other


@pytest.mark.parametrize("game", GAMES)
def test_without_nonces_a_match_is_right_and_it_is_said(game: str) -> None:
    messages = feed(played(SHORT[game], GAMES[game], nonces=0), PLAYERS[0])
    [report] = verify_all([(messages, {"seat": 0})])
    assert report["ok"]
    assert "operator's secret alone" in steps(report, "nonces")[0]["detail"]


def test_all_that_a_feed_says_is_read() -> None:
    table = played(3, HOKM)
    rows = [Row(partition=0, position=n, entry=one) for n, one in enumerate(table.entries, 1)]
    said: list[Feed] = [
        feeds.history(rows, table.match, PLAYERS[2], 0),
        feeds.history(rows, table.match, PLAYERS[2], feeds.HISTORY_EVENTS),
        feeds.snapshot(table.live, PLAYERS[2], now=0, due=None),
        Refused(match=table.match, command=None, code=Refusal.STALE_MOVE, move=1),
        Advice(match=table.match, move=1, suggestion=ADVICE),
    ]
    text = b"\n".join(map(encode_feed, said)).decode()
    [report] = verify_all([(text, {"seat": 2})])
    assert report["whole"]
    assert [step["version"] for step in steps(report, "head")] == [len(table.entries)]


# Not over, given up, left and taken again ------------------------------------------------------


@pytest.mark.parametrize("options", [HOKM, HAND], ids=["hokm", "hand"])
def test_of_an_unfinished_match_nothing_is_wrong_and_what_is_open_is_said(options: Any) -> None:
    messages = feed(played(5, options), PLAYERS[0])
    beginnings = [messages[:many] for many in range(1, len(messages), EVERY)]
    reports = verify_all((one, {"seat": 0}) for one in beginnings)
    for beginning, report in zip(beginnings, reports, strict=True):
        bodies = [one["event"]["body"] for one in beginning]
        rounds = {body["round"] for body in bodies if body["type"] == "cards_shuffled"}
        revealed = {body["round"] for body in bodies if body["type"] == "round_revealed"}
        assert report["ok"], report["firstBad"]
        assert (report["whole"], report["over"]) == (False, False)
        assert [step["ok"] for step in steps(report, "secret")] == [None]
        assert [step["ok"] for step in steps(report, "reveal")] == [None] * len(rounds - revealed)
        assert len(steps(report, "cards")) == len(revealed)


@pytest.mark.parametrize("options", [HOKM, HAND], ids=["hokm", "hand"])
def test_of_a_match_given_up_the_last_round_follows_from_the_secret(options: Any) -> None:
    table = begun(6, options, moves=30)
    table.say(OPS, AbandonMatch(reason="operator"))
    messages = feed(table, PLAYERS[0])
    [report] = verify_all([(messages, {"seat": 0})])
    assert (report["ok"], report["whole"], report["over"]) == (True, True, True), report
    assert len(steps(report, "cards")) == 1


@pytest.mark.parametrize("options", [HOKM, HAND], ids=["hokm", "hand"])
def test_who_left_and_came_back_is_told_his_whole_hand(options: Any) -> None:
    table = begun(8, options, moves=12)
    table.say(PLAYERS[1], LeaveSeat())
    table.play(9)
    table.say(PLAYERS[1], TakeSeat(seat=1))
    back = len(table.entries)
    table.play()
    messages = feed(table, PLAYERS[1])
    assert any(one["cards"] for one in messages[back - 2 : back])
    [report] = verify_all([(messages, {"seat": 1})])
    assert report["ok"], report["firstBad"]


def test_a_feed_that_was_not_told_every_card_says_how_many() -> None:
    messages = feed(played(9, HOKM), PLAYERS[0])
    first = next(one for one in messages if one["cards"])
    without = [{**one, "cards": []} if one is first else one for one in messages]
    [report] = verify_all([(without, {"seat": 0})])
    assert (report["ok"], report["whole"]) == (True, False)
    assert "8 of 13 cards" in steps(report, "cards")[0]["detail"]


def test_cards_of_an_unsaid_seat_are_not_called_right() -> None:
    [report] = verify_all([(feed(played(9, HOKM), PLAYERS[0]), {})])
    assert (report["ok"], report["whole"]) == (True, False)
    assert [step["ok"] for step in steps(report, "cards")] == [None]


# Signed heads ----------------------------------------------------------------------------------


def test_a_signed_head_is_checked() -> None:
    table, key = played(4, HOKM), SigningKey(b"s" * 32)
    header, *lines = match_file(table, "public")
    text = f"waraq-head@1|{table.match}|{len(table.entries)}|{table.live.head}"
    signed = {
        "key": key.verify_key.encode().hex(),
        "signature": key.sign(text.encode()).signature.hex(),
    }
    other = {**signed, "key": SigningKey(b"o" * 32).verify_key.encode().hex()}
    no_key = {**signed, "key": "00"}
    files = [[{**header, "signed": one}, *lines] for one in (signed, other, no_key)]
    reports = verify_all((one, {}) for one in files)
    assert [steps(one, "signed")[0]["ok"] for one in reports] == [True, False, None]
    assert not any(isinstance(one, Unread) for one in reports)
