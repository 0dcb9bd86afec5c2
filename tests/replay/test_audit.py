"""The audit of a log that nobody forged, and of rows that are not what a log's rows are.

What a forger does is in test_audit_forged.py, a damaged database in test_audit_all.py.
"""

from hashlib import sha256

import pytest
from msgspec.structs import replace

from services.event_log.memory import MemoryLog, MemoryStore
from services.event_log.port import Batch, Entry, Row
from services.replay.audit import audit_match
from services.replay.audit_log import audit_all, audit_stream
from tests.eventful import TABLES, eventful
from tests.replay.forger import body_of, changed, index_of, put, rechained, with_line
from tests.streams import Played, match_id, played, store

MATCH = played(11)
ENTRIES = [row.entry for row in MATCH.rows]


def first_bad(entries: list[Entry]) -> tuple[int, str]:
    finding = audit_match(entries)
    assert not finding.ok
    assert finding.first_bad is not None
    return finding.first_bad.version, finding.first_bad.reason


@pytest.mark.parametrize("seed", range(20))
def test_real_matches_are_clean(seed: int) -> None:
    entries = [row.entry for row in played(seed).rows]
    finding = audit_match(entries)
    assert finding.ok, finding
    assert finding.events == len(entries)


@pytest.mark.parametrize("moves", [0, 1, 5, 30, 60])
def test_a_running_match_is_clean(moves: int) -> None:
    assert audit_match([row.entry for row in played(3, moves=moves).rows]).ok


def test_the_head_is_sha256_of_the_head_before_and_the_line() -> None:
    first = sha256(b"0" * 64 + ENTRIES[0].line.encode()).hexdigest()
    assert ENTRIES[0].head == first


# Rows that are no rows of a log ---------------------------------------------------------------


def test_a_line_that_is_not_in_the_promised_form_is_found() -> None:
    spaced = with_line(ENTRIES[3], ENTRIES[3].line.replace(",", ", ", 1))
    forged = rechained(put(ENTRIES, 3, spaced))
    assert first_bad(forged) == (4, "the line is not written in the promised form")


def test_a_line_under_another_type_is_found() -> None:
    bad = replace(ENTRIES[3], type="card_played")
    assert first_bad(put(ENTRIES, 3, bad)) == (4, "the line is no card_played")


def test_a_line_of_another_match_is_found() -> None:
    line = ENTRIES[3].line.replace(match_id(11), match_id(12))
    forged = rechained(put(ENTRIES, 3, with_line(ENTRIES[3], line)))
    assert first_bad(forged) == (4, "the line speaks of another match or version")


def test_a_secret_where_none_belongs_is_found() -> None:
    bad = replace(ENTRIES[0], secret='{"order":[]}')
    reason = "a pack belongs to cards_shuffled and to nothing else"
    assert first_bad(put(ENTRIES, 0, bad)) == (1, reason)


def test_a_match_that_does_not_begin_with_its_opening_is_found() -> None:
    assert first_bad(rechained(ENTRIES[1:])) == (1, "a match is opened once, by its first event")
    twice = replace(ENTRIES[0], command="y" * 16)
    reason = "a match is opened once, by its first event"
    assert first_bad(rechained(put(ENTRIES, 1, twice, gone=0))) == (2, reason)


def test_a_table_that_nobody_can_open_is_found() -> None:
    options = {**body_of(ENTRIES[0])["options"], "win": 9}
    forged = changed(ENTRIES, 0, {"options": options})
    assert first_bad(forged) == (1, "no table is opened like this")


def test_a_text_that_is_no_name_of_the_services_is_found() -> None:
    for field in ("policy", "key", "shuffle", "ruleset"):
        for value in ("Bob \u00e9", "", "a" * 99, "name\n"):
            version, reason = first_bad(changed(ENTRIES, 0, {field: value}))
            assert version == 1
            assert "cannot be read" in reason
    at = index_of(ENTRIES, "seat_taken")
    forged = changed(ENTRIES, at, {"player": "Bob Smith, 12 Main St"})
    assert first_bad(forged)[0] == at + 1


def test_a_shuffle_that_is_not_known_is_not_called_checked() -> None:
    assert first_bad(changed(ENTRIES, 0, {"shuffle": "dice@1"})) == (
        1,
        "its shuffle is dice@1, and waraq-shuffle@1 is known here",
    )


@pytest.mark.parametrize("time", [-1, 2**53, 2**64, 10**15])
def test_a_time_beyond_the_law_of_lines_is_found(time: int) -> None:
    line = ENTRIES[2].line
    was = line[line.index('"time":') + 7 : line.index(',"origin"')]
    forged = rechained(put(ENTRIES, 2, with_line(ENTRIES[2], line.replace(was, str(time)))))
    assert first_bad(forged)[0] == 3


def test_a_pack_in_another_form_or_without_end_is_found() -> None:
    at = index_of(ENTRIES, "cards_shuffled")
    secret = ENTRIES[at].secret
    assert secret is not None
    for text, reason in (
        (secret.replace("{", '{"x":1,'), "the pack is not written in the promised form"),
        (secret.replace(",", ", "), "the pack is not written in the promised form"),
        (secret[:-2] + ',"AS"' * 9_999 + "]}", "the pack has over 4096 characters"),
    ):
        bad = put(ENTRIES, at, replace(ENTRIES[at], secret=text))
        assert first_bad(bad) == (at + 1, reason)


def test_a_seal_changed_at_the_opening_of_a_match_that_was_broken_off_is_found_there() -> None:
    """No seed was told: the shuffles' seals are those of the secret."""
    entries = [row.entry for row in eventful(1007, TABLES["hokm"][0], "played")]
    assert "round_revealed" not in {entry.type for entry in entries}
    assert first_bad(changed(entries, 0, {"seal": "00" * 32}))[0] == 1


# Luck -----------------------------------------------------------------------------------------


def test_packs_that_are_not_of_the_secret_are_found_at_the_first_of_them() -> None:
    """A match dealt from seeds of the operator's choice, seals and packs in order: here another
    nonce was said than the one that the seeds were made with.
    """
    at = index_of(ENTRIES, "nonce_added")
    forged = changed(ENTRIES, at, {"nonce": "00" * 32})
    version, reason = first_bad(forged)
    assert version == index_of(ENTRIES, "cards_shuffled") + 1
    assert reason.startswith("this cards_shuffled is not what the rules make: seal")


def test_a_deal_of_another_number_of_cards_or_another_round_is_found() -> None:
    at = index_of(ENTRIES, "cards_shuffled", nth=1)
    for field, value in (("cards", 53), ("round", 4711)):
        forged = changed(ENTRIES, at, {field: value})
        reason = f"this cards_shuffled is not what the rules make: {field}"
        assert first_bad(forged) == (at + 1, reason)


def test_a_second_reveal_of_a_round_is_found() -> None:
    at = index_of(ENTRIES, "round_revealed")
    again = rechained(put(ENTRIES, at + 1, ENTRIES[at], gone=0))
    assert first_bad(again) == (at + 2, "no round_revealed is due here")


def test_a_round_of_a_running_match_is_held_against_its_seed() -> None:
    """No secret is told yet; the round's seed was."""
    scored = index_of(ENTRIES, "round_scored")
    at = index_of(ENTRIES, "seat_drawn")
    other = (body_of(ENTRIES[at])["seat"] + 1) % 4
    forged = changed(ENTRIES[:scored], at, {"seat": other})
    assert first_bad(forged) == (at + 1, "this seat_drawn is not what the rules make: seat")


def test_a_seed_that_was_not_sealed_is_found_at_its_reveal() -> None:
    scored, at = index_of(ENTRIES, "round_scored"), index_of(ENTRIES, "round_revealed")
    forged = changed(ENTRIES[:scored], at, {"seed": "00" * 32})
    sealed = index_of(ENTRIES, "cards_shuffled") + 1
    assert first_bad(forged) == (at + 1, f"the seed is not the one sealed at version {sealed}")


# A log ----------------------------------------------------------------------------------------


def logged(*matches: Played) -> MemoryLog:
    log = MemoryLog(MemoryStore(partitions=1))
    store(log, list(matches))
    return log


def test_a_whole_log_is_clean() -> None:
    findings = list(audit_all(logged(played(1), played(2), played(3, moves=20))))
    assert [finding.ok for finding in findings] == [True, True, True]


def test_a_match_that_is_not_over_and_not_open_has_lost_its_end() -> None:
    """Its last lines gone in a whole command: the rules owe nothing there."""
    log = MemoryLog(MemoryStore(partitions=1))
    rows = played(3, moves=20).rows
    log.append(log.claim(0, "table"), Batch(entries=tuple(row.entry for row in rows)))
    finding = audit_stream(log, match_id(3))
    assert finding.first_bad is not None
    assert finding.first_bad.version == len(rows) + 1
    assert "its end is gone" in finding.first_bad.reason
    assert [finding.ok for finding in audit_all(log)] == [False]


def steps_of(rows: list[Row]) -> list[tuple[Entry, ...]]:
    """The rows by the command that made them, as a table appends them."""
    steps: list[list[Entry]] = []
    for row in rows:
        if row.entry.command is not None:
            steps.append([])
        steps[-1].append(row.entry)
    return [tuple(step) for step in steps]


class Growing(MemoryLog):
    """A log to which a running table appends whenever somebody reads it."""

    def __init__(self, memory: MemoryStore, more: list[tuple[Entry, ...]]) -> None:
        super().__init__(memory)
        self._more = more

    def load(self, stream: str, *, after: int = 0, limit: int | None = None) -> tuple[Row, ...]:
        found = super().load(stream, after=after, limit=limit)
        self._grow()
        return found

    def read(self, partition: int, after: int, limit: int = 1_000) -> tuple[Row, ...]:
        found = super().read(partition, after, limit)
        self._grow()
        return found

    def _grow(self) -> None:
        if self._more:
            entries = self._more.pop(0)
            over = entries[-1].type == "match_ended"
            closed = (entries[-1].stream,) if over else ()
            self.append(self.claim(0, "table"), Batch(entries=entries, closed=closed))


@pytest.mark.parametrize("at_first", [1, 20, -1])
def test_a_log_that_grows_under_the_audit_is_clean(at_first: int) -> None:
    """Also one in which the match ends between two looks."""
    memory = MemoryStore(partitions=1)
    steps = steps_of(played(3).rows)
    log = Growing(memory, steps[at_first:])
    first = tuple(entry for step in steps[:at_first] for entry in step)
    log.append(log.claim(0, "table"), Batch(entries=first, opened=(match_id(3),)))
    assert all(finding.ok for finding in audit_all(log))
    assert audit_stream(log, match_id(3)).ok
