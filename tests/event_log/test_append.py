"""The port's promises about writing, on every adapter."""

import traceback

import msgspec
import pytest

from services.event_log.port import (
    BATCH_EVENTS,
    Batch,
    Conflict,
    DeadLetter,
    Entry,
    Fenced,
    LogError,
)
from tests.event_log.places import (
    MATCH,
    OTHER,
    PARTITIONS,
    THIRD,
    Place,
    batch,
    entries,
    entry,
    positions,
    versions,
)

LETTER = DeadLetter(subject=f"cmd.0.{MATCH}.u_nobody00", body="{}", error="KeyError", time=7)


def test_a_claim_of_a_new_log_finds_nothing(place: Place) -> None:
    claim = place.log().claim(1, "me")
    assert (claim.partition, claim.epoch, claim.position, claim.published) == (1, 1, 0, 0)


def test_each_claim_raises_the_epoch_and_finds_what_was_appended(place: Place) -> None:
    log = place.log()
    first = log.claim(0, "me")
    log.append(first, Batch(entries=entries(1, 3), published=2))
    second = log.claim(0, "me too")
    assert second.epoch == first.epoch + 1
    assert (second.position, second.published) == (3, 2)
    assert log.claim(1, "me").epoch == 1, "the other partition is untouched"


def test_a_partition_outside_the_log_cannot_be_claimed(place: Place) -> None:
    for partition in (PARTITIONS, -1):
        with pytest.raises(LogError, match="no partition"):
            place.log().claim(partition, "me")


def test_positions_count_from_one_through_all_streams_of_a_partition(place: Place) -> None:
    log = place.log()
    claim = log.claim(0, "me")
    assert log.append(claim, batch(*entries(1, 2), entry(1, OTHER))) == 3
    assert log.append(claim, batch(entry(2, OTHER), entry(3))) == 5
    rows = log.read(0, 0)
    assert positions(rows) == [1, 2, 3, 4, 5]
    assert [(row.entry.stream, row.entry.version) for row in rows] == [
        (MATCH, 1), (MATCH, 2), (OTHER, 1), (OTHER, 2), (MATCH, 3),
    ]  # fmt: skip


def test_each_partition_counts_for_itself(place: Place) -> None:
    log = place.log()
    assert log.append(log.claim(0, "me"), batch(*entries(1, 4))) == 4
    assert log.append(log.claim(1, "me"), batch(*entries(1, 2, OTHER))) == 2
    assert positions(log.read(1, 0)) == [1, 2]
    assert {row.partition for row in log.read(1, 0)} == {1}


def test_lines_and_secrets_come_back_byte_for_byte(place: Place) -> None:
    line = "".join(chr(code) for code in range(1, 128)) + "\\N\\u0000 \\. '\"%s%(x)s:line"
    exact = Entry(
        stream=MATCH,
        version=1,
        type="cards_shuffled",
        command="c-\\t%s_:p0123456789",
        line=line,
        head="f" * 64,
        secret=line[::-1],
    )
    log = place.log()
    log.append(log.claim(0, "me"), batch(exact))
    assert place.reader().load(MATCH)[0].entry == exact


def test_an_empty_secret_is_not_an_absent_one(place: Place) -> None:
    log = place.log()
    log.append(log.claim(0, "me"), batch(entry(1, secret=""), entry(2, secret=None)))
    assert [row.entry.secret for row in log.load(MATCH)] == ["", None]


def test_what_no_database_gives_back_exactly_is_not_written(place: Place) -> None:
    log = place.log()
    claim = log.claim(0, "me")
    for wrong in (
        batch(entry(1), msgspec.structs.replace(entry(2), line="ورق")),
        batch(entry(1), msgspec.structs.replace(entry(2), line="\0")),
        batch(entry(1), entry(2, secret="é")),
        batch(entry(1), entry(0)),
        batch(entry(1), msgspec.structs.replace(entry(2), command="c\ud800")),
        batch(entry(1), msgspec.structs.replace(entry(2), stream="m\0")),
        Batch(entries=entries(1, 1), dead=(msgspec.structs.replace(LETTER, body="\0"),)),
        Batch(entries=entries(1, 1), dead=(msgspec.structs.replace(LETTER, subject="\ud800"),)),
    ):
        with pytest.raises(LogError):
            log.append(claim, wrong)
    assert log.read(0, 0) == ()
    assert log.append(claim, batch(entry(1))) == 1


def test_a_version_that_is_there_is_a_conflict(place: Place) -> None:
    log = place.log()
    claim = log.claim(0, "me")
    log.append(claim, batch(*entries(1, 3)))
    with pytest.raises(Conflict):
        log.append(claim, batch(entry(3)))
    with pytest.raises(Conflict):
        log.append(claim, batch(entry(4), entry(4)))
    assert versions(log.load(MATCH)) == [1, 2, 3]


def test_a_version_in_another_partition_is_a_conflict_too(place: Place) -> None:
    log = place.log()
    log.append(log.claim(0, "me"), batch(entry(1)))
    with pytest.raises(Conflict):
        log.append(log.claim(1, "me"), batch(entry(1)))
    assert log.read(1, 0) == ()


def test_a_command_is_accepted_once_in_a_stream(place: Place) -> None:
    log = place.log()
    claim = log.claim(0, "me")
    log.append(claim, batch(entry(1, command="command-0000000001")))
    with pytest.raises(Conflict):
        log.append(claim, batch(entry(2, command="command-0000000001")))
    with pytest.raises(Conflict):
        log.append(claim, batch(*(entry(v, command="command-0000000002") for v in (2, 3))))
    assert versions(log.load(MATCH)) == [1]


def test_another_stream_may_have_the_same_command(place: Place) -> None:
    log = place.log()
    claim = log.claim(0, "me")
    log.append(claim, batch(entry(1, command="command-0000000001")))
    log.append(claim, batch(entry(1, OTHER, command="command-0000000001")))
    assert [row.entry.command for row in log.load(OTHER)] == ["command-0000000001"]


def test_any_number_of_events_have_no_command(place: Place) -> None:
    log = place.log()
    assert log.append(log.claim(0, "me"), batch(*entries(1, 50))) == 50


def test_a_batch_that_fails_at_its_end_leaves_nothing(place: Place) -> None:
    log = place.log()
    claim = log.claim(0, "me")
    log.append(claim, Batch(entries=entries(1, 3), opened=(MATCH,), published=1))
    late = Batch(
        entries=(*entries(1, 99, OTHER), entry(3)),
        opened=(OTHER,),
        closed=(MATCH,),
        dead=(LETTER,),
        published=3,
    )
    with pytest.raises(Conflict):
        log.append(claim, late)
    assert positions(log.read(0, 0)) == [1, 2, 3]
    assert log.load(OTHER) == ()
    assert log.open_streams(0) == (MATCH,)
    assert log.dead_letters() == ()
    after = log.claim(0, "me")
    assert (after.position, after.published) == (3, 1)


def test_append_works_again_after_a_conflict(place: Place) -> None:
    log = place.log()
    claim = log.claim(0, "me")
    log.append(claim, batch(entry(1)))
    for _ in range(30):
        with pytest.raises(Conflict):
            log.append(claim, batch(entry(2), entry(1)))
    assert log.append(claim, batch(entry(2))) == 2


def test_a_fenced_owner_writes_nothing(place: Place) -> None:
    zombie, successor = place.log(), place.log()
    old = zombie.claim(0, "zombie")
    zombie.append(old, Batch(entries=entries(1, 2), opened=(MATCH,), published=1))
    new = successor.claim(0, "successor")
    beyond = Batch(
        entries=entries(3, 4), opened=(OTHER,), closed=(MATCH,), dead=(LETTER,), published=2
    )
    with pytest.raises(Fenced):
        zombie.append(old, beyond)
    assert positions(successor.read(0, 0)) == [1, 2]
    assert successor.open_streams(0) == (MATCH,)
    assert successor.dead_letters() == ()
    assert successor.append(new, Batch()) == 2, "the partition's row was untouched"
    assert successor.claim(0, "successor").published == 1


def test_a_fenced_owner_stays_fenced_though_what_it_writes_would_conflict(place: Place) -> None:
    log = place.log()
    old = log.claim(0, "zombie")
    log.append(old, batch(entry(1)))
    log.claim(0, "successor")
    with pytest.raises(Fenced):
        log.append(old, batch(entry(1)))
    with pytest.raises(Fenced):
        log.append(old, Batch())


def test_an_epoch_from_the_future_is_fenced(place: Place) -> None:
    log = place.log()
    claim = log.claim(0, "me")
    with pytest.raises(Fenced):
        log.append(msgspec.structs.replace(claim, epoch=claim.epoch + 1), batch(entry(1)))


def test_published_never_goes_down(place: Place) -> None:
    log = place.log()
    claim = log.claim(0, "me")
    log.append(claim, Batch(entries=entries(1, 9), published=5))
    log.append(claim, Batch(published=3))
    log.append(claim, batch(entry(10)))
    assert log.claim(0, "me").published == 5
    log.append(log.claim(0, "me"), Batch(published=10))
    assert log.claim(0, "me").published == 10


def test_opening_and_closing_matches(place: Place) -> None:
    log = place.log()
    claim, other = log.claim(0, "me"), log.claim(1, "me")
    log.append(claim, Batch(opened=(OTHER, MATCH)))
    log.append(claim, Batch(opened=(MATCH,)))
    log.append(other, Batch(opened=(THIRD,)))
    assert log.open_streams(0) == (MATCH, OTHER), "sorted, and open once though opened twice"
    log.append(claim, Batch(closed=(MATCH, "m_" + "e" * 32)))
    assert log.open_streams(0) == (OTHER,)
    log.append(claim, Batch(opened=(MATCH,), closed=(MATCH, OTHER)))
    assert log.open_streams(0) == ()
    assert log.open_streams(1) == (THIRD,)


def test_dead_letters_are_numbered_and_kept(place: Place) -> None:
    log = place.log()
    claim = log.claim(0, "me")
    strange = msgspec.structs.replace(LETTER, body='{"a":"ورق\x01"}', time=2**41)
    log.append(claim, Batch(dead=(LETTER, strange)))
    log.append(log.claim(1, "me"), Batch(dead=(LETTER,)))
    letters = log.dead_letters()
    assert letters == tuple(
        msgspec.structs.replace(letter, id=number)
        for number, letter in enumerate((LETTER, strange, LETTER), 1)
    )
    assert log.dead_letters(after=1, limit=1) == letters[1:2]


def test_no_error_text_keeps_a_dead_letter_out(place: Place) -> None:
    log = place.log()
    log.append(
        log.claim(0, "me"), Batch(dead=(msgspec.structs.replace(LETTER, error="a\0b\ud800ورق"),))
    )
    assert log.dead_letters()[0].error == "a\\x00b\\ud800ورق"


def test_the_largest_batch_goes_in_and_a_larger_one_does_not(place: Place) -> None:
    log = place.log()
    claim = log.claim(0, "me")
    with pytest.raises(LogError, match=str(BATCH_EVENTS)):
        log.append(claim, batch(*entries(1, BATCH_EVENTS + 1)))
    assert log.position(0) == 0
    assert log.append(claim, batch(*entries(1, BATCH_EVENTS))) == BATCH_EVENTS
    assert versions(log.load(MATCH)) == list(range(1, BATCH_EVENTS + 1))


def test_no_fault_tells_a_secret(place: Place) -> None:
    log = place.log()
    claim = log.claim(0, "me")
    log.append(claim, batch(entry(1)))
    hidden = "AS KH 2C"
    for wrong in (
        batch(entry(1, secret=hidden)),
        batch(msgspec.structs.replace(entry(2, secret=hidden), version=2**40), entry(1)),
    ):
        with pytest.raises(LogError) as caught:
            log.append(claim, wrong)
        assert hidden not in "".join(traceback.format_exception(caught.value))
