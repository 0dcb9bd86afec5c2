"""200 mixed matches are clean; and whatever a forger does to one is named at its version.

Every forgery is made of Hokm and of each variant of Hand, on matches in which people leave, come
back and let time pass.
"""

from collections.abc import Callable
from functools import cache
from itertools import count, pairwise
from random import Random

import pytest
from msgspec.structs import replace

from schemas.cards import decode_pack
from services.event_log.port import Entry
from services.replay.audit import Questions, audit_match
from services.replay.heads import Seen
from tests.eventful import TABLES, eventful, mixed
from tests.replay.forger import (
    body_of,
    changed,
    flipped,
    index_of,
    put,
    rechained,
    swapped_cards,
    with_line,
)

GAMES = tuple(TABLES)
Entries = list[Entry]


def first_with(game: str, wanted: Callable[[Entries], bool]) -> Entries:
    """The first whole match of a game that has what is wanted."""
    found = ([row.entry for row in eventful(s, TABLES[game][0], "whole")] for s in count())
    return next(entries for entries in found if wanted(entries))


def several_rounds(entries: Entries) -> bool:
    return sum(entry.type == "round_scored" for entry in entries) > 1


@cache
def match_of(game: str) -> Entries:
    return first_with(game, several_rounds)


@pytest.fixture(params=GAMES)
def entries(request: pytest.FixtureRequest) -> Entries:
    return match_of(request.param)


def first_bad(entries: Entries, asked: Questions | None = None) -> tuple[int, str]:
    finding = audit_match(entries, asked or Questions())
    assert not finding.ok
    assert finding.first_bad is not None
    return finding.first_bad.version, finding.first_bad.reason


@pytest.mark.parametrize("tenth", range(10))
def test_200_mixed_matches_are_clean(tenth: int) -> None:
    for rows in mixed(20, first=20 * tenth):
        finding = audit_match([row.entry for row in rows])
        assert finding.ok, finding


# Bytes ----------------------------------------------------------------------------------------


def test_a_byte_flipped_in_any_line_is_named_there(entries: Entries) -> None:
    luck = Random(1)
    for at in luck.sample(range(len(entries)), 25):
        line = entries[at].line
        bad = with_line(entries[at], flipped(line, luck.randrange(len(line))))
        assert first_bad(put(entries, at, bad))[0] == at + 1


def test_a_byte_flipped_in_a_head_is_named_there(entries: Entries) -> None:
    for at in (0, len(entries) // 2, len(entries) - 1):
        bad = replace(entries[at], head=flipped(entries[at].head, 20))
        assert first_bad(put(entries, at, bad)) == (at + 1, "the line does not chain to its head")


def test_a_byte_flipped_in_a_secret_is_named_there(entries: Entries) -> None:
    luck = Random(2)
    for at, entry in enumerate(entries):
        if entry.secret is not None:
            text = flipped(entry.secret, luck.randrange(len(entry.secret)))
            assert first_bad(put(entries, at, replace(entry, secret=text)))[0] == at + 1


# Events ---------------------------------------------------------------------------------------


def test_a_dropped_event_is_named_where_it_is_missing(entries: Entries) -> None:
    for at in Random(3).sample(range(1, len(entries) - 1), 20):
        reason = f"version {at + 2} where {at + 1} belongs"
        assert first_bad(put(entries, at)) == (at + 1, reason)


def test_a_doubled_event_is_named_at_its_second_place(entries: Entries) -> None:
    for at in Random(4).sample(range(len(entries)), 20):
        assert first_bad(put(entries, at, entries[at], entries[at]))[0] == at + 2


def test_exchanged_events_are_named_at_the_first_of_them(entries: Entries) -> None:
    for at in Random(5).sample(range(len(entries) - 1), 20):
        assert first_bad(put(entries, at, entries[at + 1], entries[at], gone=2))[0] == at + 1


def test_an_event_after_the_end_is_named_even_if_it_chains(entries: Entries) -> None:
    again = replace(entries[-1], command=None)
    assert first_bad(rechained([*entries, again]))[0] == len(entries) + 1


def test_a_dropped_event_is_found_though_all_later_ones_are_numbered_and_chained_anew(
    entries: Entries,
) -> None:
    """What follows by rule or chance is missed at once, whoever mends the chain."""
    for kind in ("cards_shuffled", "round_ended", "round_revealed", "round_scored"):
        at = index_of(entries, kind, nth=1)
        assert first_bad(rechained(put(entries, at)))[0] == at + 1


def test_a_doubled_event_is_found_though_all_is_chained_anew(entries: Entries) -> None:
    for at in Random(6).sample(range(len(entries)), 20):
        again = replace(entries[at], command=None)
        version, _ = first_bad(rechained(put(entries, at, entries[at], again)))
        assert version == at + 2


def alone(entries: Entries) -> int:
    """Where an act is from which nothing follows."""
    pairs = enumerate(pairwise(entries))
    return next(at for at, (one, other) in pairs if at and one.command and other.command)


def at_another_time(entry: Entry) -> Entry:
    time = entry.line[entry.line.index('"time":') + 7 : entry.line.index(',"origin"')]
    return with_line(entry, entry.line.replace(time, str(int(time) + 1)))


def test_what_follows_from_an_act_has_its_time(entries: Entries) -> None:
    at = index_of(entries, "round_revealed")
    forged = rechained(put(entries, at, at_another_time(entries[at])))
    reason = "this round_revealed has not the time of what it follows from"
    assert first_bad(forged) == (at + 1, reason)


def test_a_command_that_is_not_the_one_that_was_seen_is_named(entries: Entries) -> None:
    """No head seals the commands' ids: who kept a judge's file can tell."""
    commands = tuple(entry.command for entry in entries)
    kept = Questions(seen={entries[0].stream: Seen(commands=commands)})
    assert audit_match(entries, kept).ok
    at = alone(entries)
    forged = put(entries, at, replace(entries[at], command="y" * 16))
    assert audit_match(forged).ok
    assert first_bad(forged, kept) == (at + 1, "another command's id was seen here")


# Cut off --------------------------------------------------------------------------------------


def test_a_log_cut_where_the_rules_owe_something_is_named_there(entries: Entries) -> None:
    last = index_of(entries, "match_ended")
    assert first_bad(entries[:last]) == (last + 1, "the log ends where match_ended must follow")


def test_a_log_cut_anywhere_is_named_by_the_head_that_was_seen(entries: Entries) -> None:
    seen = Questions(seen={entries[0].stream: Seen(head=entries[-1].head)})
    for end in Random(7).sample(range(1, len(entries)), 10):
        assert first_bad(entries[:end], seen)[0] == end + 1
    assert audit_match(entries, seen).ok


def test_another_history_is_named_where_it_leaves_the_one_that_was_seen(entries: Entries) -> None:
    """A lawful match of the same seal, which only he knows to be another who kept its heads."""
    seen = Seen(heads=tuple(entry.head for entry in entries))
    kept = Questions(seen={entries[0].stream: seen})
    at = alone(entries)
    later = changed(entries, at, {})
    assert audit_match(later, kept).ok
    forged = rechained(put(entries, at, at_another_time(entries[at])))
    assert audit_match(forged).ok
    assert first_bad(forged, kept) == (at + 1, "another event was seen here")


# The deal -------------------------------------------------------------------------------------


def test_a_changed_pack_is_named_at_its_shuffle(entries: Entries) -> None:
    for at in [at for at, entry in enumerate(entries) if entry.secret is not None]:
        version, reason = first_bad(put(entries, at, swapped_cards(entries[at])))
        assert version == at + 1
        assert "the order of the pack" in reason


def test_a_pack_changed_with_its_reveal_and_every_head_is_named_at_its_shuffle(
    entries: Entries,
) -> None:
    at, reveal = index_of(entries, "cards_shuffled", nth=1), index_of(entries, "round_revealed")
    nth = sum(entry.type == "cards_shuffled" for entry in entries[:at])
    if at > reveal:  # Hand has one shuffle a round, until the stock is empty
        nth, reveal = 0, index_of(entries, "round_revealed", nth=1)
    bad = swapped_cards(entries[at])
    assert bad.secret is not None
    packs = body_of(entries[reveal])["packs"]
    packs[nth] = decode_pack(bad.secret)
    forged = changed(put(entries, at, bad), reveal, {"packs": packs})
    version, reason = first_bad(forged)
    assert version == at + 1
    assert "the order of the pack" in reason


def test_another_seal_or_seed_is_named_where_it_stands(entries: Entries) -> None:
    for kind, field in (("cards_shuffled", "seal"), ("round_revealed", "seed")):
        at = index_of(entries, kind)
        forged = changed(entries, at, {field: "00" * 32})
        assert first_bad(forged)[0] == at + 1


def test_another_secret_is_named_at_the_end_and_another_seal_at_the_opening(
    entries: Entries,
) -> None:
    last = index_of(entries, "match_ended")
    forged = changed(entries, last, {"secret": "00" * 32})
    assert first_bad(forged) == (last + 1, "the secret is not the one that was sealed")
    forged = changed(entries, 0, {"seal": "00" * 32})
    assert first_bad(forged)[0] == 1


def test_a_second_seal_in_a_round_is_named_where_it_stands(entries: Entries) -> None:
    """Before any secret and any seed is told."""
    shuffles = [at for at, entry in enumerate(entries) if entry.type == "cards_shuffled"]
    rounds = [body_of(entries[at])["round"] for at in shuffles]
    again = [
        at for at, one, other in zip(shuffles[1:], rounds[1:], rounds, strict=False) if one == other
    ]
    for at in again:
        forged = changed(entries[: at + 1], at, {"seal": "00" * 32})
        assert first_bad(forged)[0] == at + 1


def test_a_drawn_seat_that_was_not_drawn_is_named(entries: Entries) -> None:
    at = index_of(entries, "seat_drawn")
    other = 1 - min(1, body_of(entries[at])["seat"])
    reason = "this seat_drawn is not what the rules make: seat"
    assert first_bad(changed(entries, at, {"seat": other})) == (at + 1, reason)


# The play -------------------------------------------------------------------------------------


def test_an_illegal_card_is_named_though_every_later_head_is_recomputed(entries: Entries) -> None:
    kind = "card_played" if body_of(entries[0])["options"]["game"] == "hokm" else "card_discarded"
    places = [at for at, entry in enumerate(entries) if entry.type == kind]
    thrown = body_of(entries[places[0]])["card"]
    at = next(at for at in places[1:6] if '"origin":"player"' in entries[at].line)
    version, reason = first_bad(changed(entries, at, {"card": thrown}))
    assert version == at + 1
    assert reason.startswith(f"the rules refuse this {kind}: ")


def test_a_changed_score_is_named_though_every_later_head_is_recomputed(entries: Entries) -> None:
    at = index_of(entries, "round_scored")
    score = body_of(entries[at])["score"]
    if "points" in score:
        score["points"] += 1
    else:
        score["penalties"][0] -= 10
    reason = "the rules refuse this round_scored: not_allowed"
    assert first_bad(changed(entries, at, {"score": score})) == (at + 1, reason)


def test_changed_totals_are_named(entries: Entries) -> None:
    for kind in ("round_scored", "match_ended"):
        at = index_of(entries, kind)
        totals = [99, *body_of(entries[at])["totals"][1:]]
        forged = changed(entries, at, {"totals": totals})
        assert first_bad(forged) == (at + 1, f"this {kind} is not what the rules make: totals")


def test_what_the_rules_make_cannot_be_said_to_be_a_players(entries: Entries) -> None:
    at = index_of(entries, "round_ended")
    line = entries[at].line.replace('"origin":"rule"', '"origin":"player"')
    forged = rechained(put(entries, at, with_line(entries[at], line)))
    assert first_bad(forged) == (at + 1, "this round_ended is not what the rules make: origin")


# Commands -------------------------------------------------------------------------------------


def test_a_command_moved_emptied_or_doubled_is_named(entries: Entries) -> None:
    said = [at for at, entry in enumerate(entries) if entry.command is not None]
    at, later = said[2], said[5]
    emptied = put(entries, at, replace(entries[at], command=None))
    assert "without the command" in first_bad(emptied)[1]
    doubled = put(entries, later, replace(entries[later], command=entries[at].command))
    assert first_bad(doubled) == (later + 1, "a command is accepted for the second time")
    rule = index_of(entries, "round_ended")
    moved = put(entries, rule, replace(entries[rule], command="y" * 16))
    assert first_bad(moved) == (rule + 1, "this round_ended answers no command")
    alien = put(entries, at, replace(entries[at], command="no id"))
    assert first_bad(alien)[0] == at + 1


# What is not known yet ------------------------------------------------------------------------


def test_a_running_match_is_clean_at_every_decision(entries: Entries) -> None:
    said = [at for at, entry in enumerate(entries) if entry.command is not None]
    for end in Random(8).sample(said, 15):
        running = entries[:end]
        finding = audit_match(running)
        assert finding.ok, finding


def test_a_pack_that_is_no_shuffle_of_the_cards_is_named_before_any_reveal() -> None:
    entries = match_of("hokm")
    at = index_of(entries, "cards_shuffled", nth=1)
    secret = entries[at].secret
    assert secret is not None
    two_aces = secret.replace('"2S"', '"AS"')
    running = put(entries, at, replace(entries[at], secret=two_aces))[: at + 3]
    assert first_bad(running) == (
        at + 1,
        "this cards_shuffled is not what the rules make: the order of the pack",
    )


def house_cards(entries: Entries) -> list[int]:
    """Where the house played a card for a seat whose time was up."""
    return [
        at + 1
        for at, entry in enumerate(entries[:-1])
        if entry.type == "turn_timed_out" and entries[at + 1].type == "card_played"
    ]


def test_a_time_out_of_a_seat_that_is_not_on_turn_is_named() -> None:
    entries = first_with("hokm", lambda entries: bool(house_cards(entries)))
    at = index_of(entries, "turn_timed_out")
    other = (body_of(entries[at])["seat"] + 1) % 4
    forged = changed(entries, at, {"seat": other})
    assert first_bad(forged) == (at + 1, "this turn_timed_out is not what the rules make: seat")


def test_a_house_move_that_the_house_does_not_make_is_named() -> None:
    entries = first_with("hokm", lambda entries: bool(house_cards(entries)))
    at = house_cards(entries)[0]
    card = "2S" if body_of(entries[at])["card"] != "2S" else "3S"
    forged = changed(entries, at, {"card": card})
    assert first_bad(forged) == (at + 1, "this card_played is not what the rules make: card")
