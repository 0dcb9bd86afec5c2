"""The audit: clean logs are clean, and each kind of damage is found where it begins."""

from collections.abc import Callable
from hashlib import sha256

import msgspec
import pytest
from msgspec.structs import replace

from schemas.cards import decode_pack, encode_pack
from services.event_log.chain import NO_HEAD, next_head
from services.event_log.memory import MemoryLog, MemoryStore
from services.event_log.port import Batch, Row
from services.replay.audit import audit_all, audit_match
from tests.streams import Played, played, store

MATCH = played(11)
ROWS = MATCH.rows


def at(kind: str, *, nth: int = 0) -> int:
    """The index of the nth row of a type."""
    return [i for i, row in enumerate(ROWS) if row.entry.type == kind][nth]


def with_line(row: Row, line: str) -> Row:
    return replace(row, entry=replace(row.entry, line=line))


def rechained(rows: list[Row]) -> list[Row]:
    """The same rows with every head computed anew, as a forger would."""
    head, forged = NO_HEAD, []
    for row in rows:
        head = next_head(head, row.entry.line)
        forged.append(replace(row, entry=replace(row.entry, head=head)))
    return forged


def changed(kind: str, change: Callable[[dict[str, object]], None], *, nth: int = 0) -> list[Row]:
    """The stream with one body changed and all later heads recomputed."""
    place = at(kind, nth=nth)
    line = msgspec.json.decode(ROWS[place].entry.line)
    change(line["body"])
    forged = with_line(ROWS[place], msgspec.json.encode(line).decode())
    return rechained([*ROWS[:place], forged, *ROWS[place + 1 :]])


def first_bad(rows: list[Row]) -> tuple[int, str]:
    finding = audit_match(rows)
    assert not finding.ok
    assert finding.first_bad is not None
    return finding.first_bad.version, finding.first_bad.reason


@pytest.mark.parametrize("seed", range(20))
def test_real_matches_are_clean(seed: int) -> None:
    match = played(seed)
    finding = audit_match(match.rows)
    assert finding.ok, finding
    assert finding.events == len(match.rows)


@pytest.mark.parametrize("moves", [0, 1, 5, 30, 60])
def test_a_running_match_is_clean(moves: int) -> None:
    assert audit_match(played(3, moves=moves).rows).ok


@pytest.mark.parametrize("place", [0, 1, 10, len(ROWS) // 2, len(ROWS) - 1])
def test_a_flipped_byte_in_a_line_is_found_at_its_version(place: int) -> None:
    line = ROWS[place].entry.line
    flipped = line[:-3] + chr(ord(line[-3]) ^ 1) + line[-2:]
    assert first_bad([*ROWS[:place], with_line(ROWS[place], flipped), *ROWS[place + 1 :]]) == (
        place + 1,
        "the line does not chain to its head",
    )


def test_a_flipped_digit_in_a_head_is_found_at_its_version() -> None:
    row = ROWS[9]
    digit = "0" if row.entry.head[0] != "0" else "1"
    bad = replace(row, entry=replace(row.entry, head=digit + row.entry.head[1:]))
    assert first_bad([*ROWS[:9], bad, *ROWS[10:]])[0] == 10


def test_a_dropped_line_is_found_where_it_is_missing() -> None:
    assert first_bad([*ROWS[:14], *ROWS[15:]]) == (15, "version 16 where 15 belongs")


def test_a_doubled_line_is_found_at_its_second_place() -> None:
    assert first_bad([*ROWS[:15], ROWS[14], *ROWS[15:]]) == (16, "version 15 where 16 belongs")


def test_swapped_lines_are_found_at_the_first_of_them() -> None:
    swapped = [*ROWS[:14], ROWS[15], ROWS[14], *ROWS[16:]]
    assert first_bad(swapped)[0] == 15
    renumbered = [
        replace(row, entry=replace(row.entry, version=version))
        for version, row in enumerate(swapped, 1)
    ]
    assert first_bad(rechained(renumbered))[0] == 15


def test_a_line_after_the_end_is_found() -> None:
    more = replace(ROWS[-1], entry=replace(ROWS[-1].entry, version=len(ROWS) + 1))
    line = msgspec.json.decode(more.entry.line)
    line["version"] = len(ROWS) + 1
    forged = rechained([*ROWS, with_line(more, msgspec.json.encode(line).decode())])
    assert first_bad(forged) == (len(ROWS) + 1, "match_ended after the end of the match")


def test_a_line_that_is_not_in_the_promised_form_is_found() -> None:
    spaced = with_line(ROWS[3], ROWS[3].entry.line.replace(",", ", ", 1))
    forged = rechained([*ROWS[:3], spaced, *ROWS[4:]])
    assert first_bad(forged) == (4, "the line is not written in the promised form")


def test_a_line_under_another_type_is_found() -> None:
    bad = replace(ROWS[3], entry=replace(ROWS[3].entry, type="card_played"))
    assert first_bad([*ROWS[:3], bad, *ROWS[4:]])[0] == 4


def swap_two_cards(row: Row) -> Row:
    assert row.entry.secret is not None
    pack = list(decode_pack(row.entry.secret))
    pack[0], pack[1] = pack[1], pack[0]
    return replace(row, entry=replace(row.entry, secret=encode_pack(tuple(pack))))


def test_a_changed_pack_is_found_when_the_round_is_revealed() -> None:
    place = at("cards_shuffled", nth=1)
    rows = [*ROWS[:place], swap_two_cards(ROWS[place]), *ROWS[place + 1 :]]
    assert first_bad(rows) == (
        at("round_revealed") + 1,
        "the packs revealed are not those that were dealt",
    )


def test_a_pack_changed_with_its_reveal_is_not_that_of_the_seed() -> None:
    place = at("cards_shuffled", nth=1)
    rows = [*ROWS[:place], swap_two_cards(ROWS[place]), *ROWS[place + 1 :]]
    reveal = at("round_revealed")
    line = msgspec.json.decode(ROWS[reveal].entry.line)
    line["body"]["packs"][1][:2] = line["body"]["packs"][1][1::-1]
    rows[reveal] = with_line(rows[reveal], msgspec.json.encode(line).decode())
    version, reason = first_bad(rechained(rows))
    assert version == reveal + 1
    assert "is not that of its seed" in reason


def test_another_seed_is_not_the_sealed_one() -> None:
    rows = changed("round_revealed", lambda body: body.update(seed="00" * 32))
    assert "is not the one sealed" in first_bad(rows)[1]


def test_another_secret_is_not_the_sealed_one() -> None:
    rows = changed("match_ended", lambda body: body.update(secret="00" * 32))
    assert first_bad(rows) == (len(ROWS), "the secret is not the one that was sealed")


def test_a_seal_changed_at_the_opening_is_found_at_the_end() -> None:
    rows = changed("match_opened", lambda body: body.update(seal="00" * 32))
    assert first_bad(rows) == (len(ROWS), "the secret is not the one that was sealed")


def test_a_seed_that_is_not_that_of_the_secret_is_found_at_the_end() -> None:
    """A whole round dealt from a seed of the operator's choice, seals and packs in order."""
    rows = changed("nonce_added", lambda body: body.update(nonce="00" * 32))
    assert first_bad(rows) == (len(ROWS), "the seed of round 1 is not that of the secret")


def test_a_seat_that_was_not_drawn_is_found() -> None:
    def other(body: dict[str, object]) -> None:
        body["seat"] = (int(str(body["seat"])) + 1) % 4

    assert first_bad(changed("seat_drawn", other)) == (
        at("round_revealed") + 1,
        f"seat_drawn at version {at('seat_drawn') + 1} is not that of its seed",
    )


def test_a_secret_where_none_belongs_is_found() -> None:
    bad = replace(ROWS[0], entry=replace(ROWS[0].entry, secret='{"order":[]}'))
    assert first_bad([bad, *ROWS[1:]])[0] == 1


def logged(*matches: Played) -> MemoryLog:
    log = MemoryLog(MemoryStore(partitions=1))
    store(log, list(matches))
    return log


def test_a_whole_log_is_clean() -> None:
    findings = list(audit_all(logged(played(1), played(2), played(3, moves=20))))
    assert [finding.ok for finding in findings] == [True, True, True]


def test_the_head_is_sha256_of_the_head_before_and_the_line() -> None:
    first = sha256(b"0" * 64 + ROWS[0].entry.line.encode()).hexdigest()
    assert ROWS[0].entry.head == first


def test_a_deal_drawn_from_another_rounds_number_is_found() -> None:
    def other(body: dict[str, object]) -> None:
        body["round"] = 4711

    version, reason = first_bad(changed("cards_shuffled", other, nth=1))
    assert version == at("round_revealed") + 1
    assert "is not that of its seed" in reason


def test_a_shuffle_of_another_number_of_cards_is_found() -> None:
    def other(body: dict[str, object]) -> None:
        body["cards"] = 53

    assert "is not that of its seed" in first_bad(changed("cards_shuffled", other, nth=1))[1]


def test_a_second_reveal_of_a_round_is_found() -> None:
    place = at("round_revealed")
    line = msgspec.json.decode(ROWS[place].entry.line)
    line["body"]["packs"] = []
    forged = [*ROWS[: place + 1], with_line(ROWS[place], msgspec.json.encode(line).decode())]
    rows = []
    for version, row in enumerate([*forged, *ROWS[place + 1 :]], 1):
        body = msgspec.json.decode(row.entry.line)
        body["version"] = version
        entry = replace(row.entry, version=version, line=msgspec.json.encode(body).decode())
        rows.append(replace(row, entry=entry))
    assert first_bad(rechained(rows)) == (place + 2, "no reveal of this round belongs here")


class Growing(MemoryLog):
    """A log to which a running table appends whenever somebody reads it."""

    def __init__(self, memory: MemoryStore, more: list[Row]) -> None:
        super().__init__(memory)
        self._more = more

    def read(self, partition: int, after: int, limit: int = 1_000) -> tuple[Row, ...]:
        found = super().read(partition, after, limit)
        if self._more:
            claim = self.claim(partition, "table")
            self.append(claim, Batch(entries=(self._more.pop(0).entry,)))
        return found


def test_a_log_that_grows_under_the_audit_is_clean() -> None:
    memory = MemoryStore(partitions=1)
    match = played(3)
    log = Growing(memory, match.rows[20:40])
    log.append(log.claim(0, "table"), Batch(entries=tuple(r.entry for r in match.rows[:20])))
    assert all(finding.ok for finding in audit_all(log))
