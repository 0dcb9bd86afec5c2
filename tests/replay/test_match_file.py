"""Match files: whole for whoever checks them, and nobody's holds what he may not see."""

import re
from contextlib import suppress
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from schemas.cards import HAND_PACK, HOKM_PACK
from schemas.commands import HandOptions
from services.event_log.chain import next_head
from services.event_log.port import Row
from services.replay.match_entries import (
    as_rows,
    audit_file,
    chain_fault,
    entries,
)
from services.replay.match_file import Line, MatchFile, match_file
from services.replay.match_reading import Unreadable
from services.replay.rebuild import ViewerUnknown
from services.rules import sight
from services.rules.history import unfold
from tests.replay.files import (
    HEAD_KEY,
    SEEDS,
    VIEWERS,
    as_bytes,
    broken_off,
    over,
    pairs,
    read_one,
    rewritten,
    running,
)
from tests.replay.forger import rechained
from tests.table import test_hidden, test_hidden_hand
from tests.table.twins import Script, twin


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_read_is_what_was_written_and_is_written_again_to_the_byte(
    seed: int, viewer: str
) -> None:
    for rows in (over(seed), broken_off(seed), running(seed)):
        data = as_bytes(rows, viewer, HEAD_KEY)
        assert read_one(data) == match_file(rows, viewer, HEAD_KEY)
        assert rewritten(data) == data


@pytest.mark.parametrize("seed", SEEDS)
def test_a_judges_file_holds_all_that_a_log_stores(seed: int) -> None:
    for rows in (over(seed), broken_off(seed), running(seed)):
        file = read_one(as_bytes(rows, "judge"))
        assert as_rows(entries(file)) == rows


@pytest.mark.parametrize("viewer", ["public", "seat:0", "seat:1"])
@pytest.mark.parametrize("seed", SEEDS)
def test_once_a_match_is_over_anybodys_file_gives_the_packs_of_every_shuffle(
    seed: int, viewer: str
) -> None:
    """Those of a round that was broken off too: the secret makes them."""
    for rows in (over(seed), broken_off(seed)):
        found = entries(read_one(as_bytes(rows, viewer)))
        assert found == tuple(replace(row.entry, command=None) for row in rows)


@pytest.mark.parametrize("viewer", ["public", "seat:0"])
def test_while_a_match_is_played_a_viewers_file_gives_no_packs(viewer: str) -> None:
    """From the shuffle on whose pack is hidden only the chain can be checked, and that is said."""
    file = read_one(as_bytes(running(0), viewer))
    shuffles = [one for one in entries(file) if one.type == "cards_shuffled"]
    hidden = [one.version for one in shuffles if one.secret is None]
    finding = audit_file(file)
    assert (finding.ok, finding.unproven) == (True, hidden[0])


def test_of_a_running_match_what_was_revealed_is_audited_and_the_rest_is_not() -> None:
    rows = over(0)
    scored = next(row.entry.version for row in rows if row.entry.type == "round_scored")
    dealt = next(row.entry.version for row in rows[scored:] if row.entry.type == "cards_shuffled")
    file = match_file(rows[: dealt + 3], "public")
    finding = audit_file(file)
    assert (finding.ok, finding.unproven) == (True, dealt)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_seats_file_tells_the_cards_that_its_owner_was_told(seed: int) -> None:
    rows = over(seed)
    for line, seen in zip(
        match_file(rows, "seat:1").lines, unfold(row.entry for row in rows), strict=True
    ):
        had = sight.hand(seen.before, 1) if seen.before else ()
        told = sight.hand(seen.after, 1)
        dealt = isinstance(seen.event.body, sight.DEALS)
        assert set(line.cards) == set(told) - (set() if dealt else set(had))


def test_a_seat_that_the_match_has_not_has_no_file() -> None:
    two = next(over(seed) for seed in SEEDS if b'"seats":2' in as_bytes(over(seed), "public"))
    with pytest.raises(ViewerUnknown):
        match_file(two, "seat:2")


# What is not in a file ------------------------------------------------------------------------


@pytest.mark.parametrize("viewer", ["public", "seat:0"])
def test_a_viewers_file_has_no_packs_and_no_ids_of_commands(viewer: str) -> None:
    rows = running(0)
    data = as_bytes(rows, viewer)
    allowed = {"event", "head"} | ({"cards"} if viewer != "public" else set())
    for line in data.splitlines()[1:]:
        assert {key for key, _ in pairs(line)} == allowed
    for row in rows:
        assert row.entry.command is None or row.entry.command.encode() not in data


def test_the_publics_file_of_a_running_match_names_no_card_that_is_not_on_the_table() -> None:
    script = test_hidden.script_of(2)
    for _ in range(20):
        script.move()
    on_table = test_hidden.known(script.live.state, None)
    shown = {"hakem_drawn"}
    for row, line in zip(script.rows, match_file(script.rows, "public").lines, strict=True):
        if row.entry.type not in shown:
            assert set(re.findall(r'"([2-9TJQKA][SHDC])"', line.event)) <= on_table
            assert line.cards == ()


@given(
    seed=st.integers(0, 2**32),
    moves=st.integers(0, 40),
    seat=st.sampled_from([0, 1, 2, 3, None]),
)
def test_H23_two_deals_equal_in_what_a_seat_knows_give_the_same_file(
    seed: int, moves: int, seat: int | None
) -> None:
    script = test_hidden.script_of(seed)
    if plays_on(script, moves):
        same_file(script, twin(script, test_hidden.known(script.live.state, seat)), seat)


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    moves=st.integers(0, 60),
    options=st.sampled_from(test_hidden_hand.VARIANTS),
    seat=st.sampled_from([0, 1, None]),
)
def test_N28_two_deals_equal_in_what_a_seat_knows_give_the_same_file(
    seed: int, moves: int, options: HandOptions, seat: int | None
) -> None:
    script = Script(seed, options, HAND_PACK, test_hidden_hand.mover)
    if plays_on(script, moves) and not reshuffled(script):
        same_file(script, twin(script, test_hidden_hand.seen_so_far(script, seat)), seat)


def plays_on(script: Script, moves: int) -> bool:
    """Play so many moves; false if the round ended: then nothing is hidden any more."""
    for _ in range(moves):
        script.move()
    return script.live.state.ended is None


def reshuffled(script: Script) -> bool:
    return sum(row.entry.type == "cards_shuffled" for row in script.rows) > 1


def same_file(script: Script, other: list[Row], seat: int | None) -> None:
    viewer = "public" if seat is None else f"seat:{seat}"
    assert as_bytes(script.rows, viewer) == as_bytes(other, viewer)


def test_the_twin_really_is_another_deal() -> None:
    """The properties above would hold trivially if it were the same."""
    script = test_hidden.script_of(1)
    assert plays_on(script, 6)
    other = twin(script, test_hidden.known(script.live.state, 0))
    for viewer in ("judge", "seat:1"):
        assert as_bytes(script.rows, viewer) != as_bytes(other, viewer)


# Whether it is a true one ---------------------------------------------------------------------


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_file_of_a_real_match_audits_clean(seed: int, viewer: str) -> None:
    for rows in (over(seed), broken_off(seed)):
        finding = audit_file(match_file(rows, viewer, HEAD_KEY))
        assert finding.ok, finding
        assert finding.events == len(rows)


def changed(file: MatchFile, at: int, line: Line) -> MatchFile:
    return MatchFile(file.header, (*file.lines[:at], line, *file.lines[at + 1 :]))


def first_bad(file: MatchFile) -> tuple[int, str]:
    found = audit_file(file).first_bad
    assert found is not None
    return found.version, found.reason


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_changed_card_is_found_at_its_version(viewer: str) -> None:
    file = match_file(over(0), viewer)
    at = next(i for i, line in enumerate(file.lines) if '"card_played"' in line.event)
    card = file.lines[at].event[-5:-3]
    other = next(card_ for card_ in HOKM_PACK if card_ != card)
    line = replace(file.lines[at], event=file.lines[at].event.replace(f'"{card}"', f'"{other}"'))
    bad = changed(file, at, line)
    assert first_bad(bad) == (at + 1, "the line does not chain to its head")
    assert chain_fault(bad) is not None
    assert chain_fault(file) is None


def test_two_lines_that_changed_places_are_found_at_the_first() -> None:
    file = match_file(over(0), "public")
    lines = (*file.lines[:9], file.lines[10], file.lines[9], *file.lines[11:])
    assert first_bad(MatchFile(file.header, lines)) == (10, "version 11 where 10 belongs")


def test_a_pack_that_is_not_the_one_dealt_is_found() -> None:
    file = match_file(over(0), "judge")
    at = next(i for i, line in enumerate(file.lines) if line.pack)
    pack = file.lines[at].pack
    assert pack is not None
    bad = changed(file, at, replace(file.lines[at], pack=(*pack[:-2], pack[-1], pack[-2])))
    version, reason = first_bad(bad)
    assert version == at + 1
    assert "the order of the pack" in reason


@pytest.mark.parametrize("viewer", ["public", "seat:0"])
def test_another_secret_at_the_end_of_a_round_that_was_broken_off_is_found(viewer: str) -> None:
    rows = next(broken_off(seed) for seed in SEEDS if is_within_a_round(broken_off(seed)))
    file = match_file(rows, viewer)
    last = file.lines[-1]
    event = re.sub('"secret":"[0-9a-f]{64}"', f'"secret":"{"5" * 64}"', last.event)
    head = next_head(file.lines[-2].head, event)
    bad = changed(file, len(file.lines) - 1, replace(last, event=event, head=head))
    assert first_bad(bad)[0] <= len(rows)  # where the packs it makes do not fit what was played


def is_within_a_round(rows: tuple[Row, ...]) -> bool:
    kinds = [row.entry.type for row in rows if row.entry.type in {"cards_shuffled", "round_ended"}]
    return kinds[-1:] == ["cards_shuffled"]


def test_cards_that_the_seat_did_not_get_are_found() -> None:
    file = match_file(over(0), "seat:0")
    at = next(i for i, line in enumerate(file.lines) if line.cards)
    cards = file.lines[at].cards
    other = next(card for card in HOKM_PACK if card not in cards)
    bad = changed(file, at, replace(file.lines[at], cards=(other, *cards[1:])))
    assert first_bad(bad) == (at + 1, "the cards are not those that this event gave seat:0")


def test_a_file_for_a_seat_that_the_match_has_not_is_found() -> None:
    two = next(over(seed) for seed in SEEDS if b'"seats":2' in as_bytes(over(seed), "public"))
    file = match_file(two, "seat:1")
    bad = MatchFile(replace(file.header, viewer="seat:3"), file.lines)
    assert first_bad(bad) == (1, "the match has no seat:3")


def test_another_matchs_signature_is_found() -> None:
    file, other = match_file(over(0), "public", HEAD_KEY), match_file(over(5), "public", HEAD_KEY)
    bad = MatchFile(replace(file.header, signed=other.header.signed), file.lines)
    assert "signature" in first_bad(bad)[1]


def test_a_commands_id_that_stands_twice_is_found() -> None:
    file = match_file(over(0), "judge")
    first, second = [i for i, line in enumerate(file.lines) if line.command][:2]
    line = replace(file.lines[second], command=file.lines[first].command)
    assert first_bad(changed(file, second, line)) == (
        second + 1,
        "a command is accepted for the second time",
    )


VALUES = re.compile(r'"[A-Za-z0-9_]{1,4}"|(?<=[:\[,])\d+(?=[,\]}])|null|true|false')
OTHERS = ("0", "1", "99", "null", "[]", '"AS"', '"2H"', '"AS1"', '"JK1"', "true")


@settings(deadline=None)
@given(seed=st.integers(0, 2**32), match=st.sampled_from(SEEDS), viewer=st.sampled_from(VIEWERS))
def test_whatever_is_changed_is_unreadable_or_found(seed: int, match: int, viewer: str) -> None:
    random = Random(seed)
    lines = as_bytes(random.choice([over, broken_off])(match), viewer, HEAD_KEY).splitlines(True)
    at = random.randrange(len(lines))
    text = lines[at].decode()
    value = random.choice(list(VALUES.finditer(text)))
    other = random.choice([found for found in OTHERS if found != value.group()])
    lines[at] = f"{text[: value.start()]}{other}{text[value.end() :]}".encode()
    with suppress(Unreadable):
        assert not audit_file(read_one(b"".join(lines))).ok


# Forged with care: every head after it made anew ------------------------------------------------


def rechained_file(file: MatchFile, events: list[str]) -> MatchFile:
    """A viewer's file of these events, numbered and chained as a forger would."""
    first = entries(file)[0]
    stored = [replace(first, line=event) for event in events]
    lines = [Line(event=one.line, head=one.head) for one in rechained(stored)]
    header = replace(file.header, events=len(lines), head=lines[-1].head, signed=None)
    return MatchFile(replace(header, viewer="public"), tuple(lines))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_shuffle_that_nothing_asked_for_is_found_in_anybodys_file(seed: int) -> None:
    """Its pack is unknown to a viewer; that one is due is not."""
    for rows in (over(seed), running(seed)):
        file = match_file(rows, "public")
        events = [line.event for line in file.lines]
        stray = next(event for event in events if '"type":"cards_shuffled"' in event)
        known = audit_file(file).unproven or len(events)
        for at in (1, known // 2, known - 1):
            if '"type":"cards_shuffled"' in events[at] + events[at - 1]:
                continue
            bad = rechained_file(file, [*events[:at], stray, *events[at:]])
            assert first_bad(bad)[0] <= at + 1


@pytest.mark.parametrize("seed", SEEDS)
def test_a_dropped_event_is_found_in_anybodys_file_though_all_is_chained_anew(seed: int) -> None:
    file = match_file(over(seed), "public")
    events = [line.event for line in file.lines]
    made = [at for at, event in enumerate(events) if '"origin":"player"' not in event]
    for at in Random(seed).sample(made, min(12, len(made))):
        bad = rechained_file(file, [*events[:at], *events[at + 1 :]])
        assert first_bad(bad)[0] <= at + 1


def test_a_card_of_a_revealed_round_is_checked_in_a_running_seats_file() -> None:
    rows = over(0)
    scored = next(row.entry.version for row in rows if row.entry.type == "round_scored")
    file = match_file(rows[: scored + 6], "seat:0")
    assert audit_file(file).ok
    at = next(i for i, line in enumerate(file.lines) if line.cards)
    cards = file.lines[at].cards
    other = next(card for card in HOKM_PACK if card not in cards)
    bad = changed(file, at, replace(file.lines[at], cards=(other, *cards[1:])))
    assert first_bad(bad) == (at + 1, "the cards are not those that this event gave seat:0")
