"""Tickets (H22): bound to a player, a match and a day; good under either of two keys."""

from datetime import UTC, datetime

import pytest
from msgspec.structs import replace

from services.runtime.signing_keys import Keys
from services.runtime.tickets import (
    EAST,
    WEST,
    Day,
    Ticket,
    check,
    day_at,
    sign,
)

OLD, NEW, OTHER = b"o" * 32, b"n" * 32, b"x" * 32
PLAYER, STRANGER = "u_player00", "u_stranger"
MATCH, ANOTHER = "m_" + "1" * 32, "m_" + "2" * 32
HOUR = 3_600_000


def ms(text: str) -> int:
    return round(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1_000)


NOON = ms("2026-11-30T12:00:00")
TICKET = Ticket(player=PLAYER, match=MATCH, day=day_at(NOON, 210))
KEYS = Keys(NEW, OLD)


def verdict(text: str, *, keys: Keys = KEYS, now: int = NOON) -> str | None:
    return check(keys, text, player=PLAYER, match=MATCH, now=now)


def test_a_ticket_is_good_for_its_player_and_match_until_its_day_is_over() -> None:
    text = sign(KEYS, TICKET)
    assert text.startswith("t1.2026-11-30.")
    assert len(text) <= 512
    ends = TICKET.day.ends
    assert verdict(text) is None
    assert verdict(text, now=ends - 1) is None
    assert verdict(text, now=ends) == "over"
    assert check(KEYS, text, player=STRANGER, match=MATCH, now=NOON) == "forged"
    assert check(KEYS, text, player=PLAYER, match=ANOTHER, now=NOON) == "forged"


def test_keys_change_without_a_ticket_being_lost() -> None:
    before = sign(Keys(OLD), TICKET)
    assert verdict(before) is None
    assert verdict(before, keys=Keys(NEW)) == "forged"
    assert verdict(sign(KEYS, TICKET), keys=Keys(NEW)) is None
    assert verdict(sign(Keys(OTHER), TICKET)) == "forged"


def test_every_changed_letter_is_found() -> None:
    text = sign(KEYS, TICKET)
    for place in range(len(text)):
        for letter in "0a9.":
            changed = text[:place] + letter + text[place + 1 :]
            assert (verdict(changed) is None) == (changed == text), changed


@pytest.mark.parametrize(
    "text",
    [
        "",
        "t1",
        "t1.2026-11-30.1",
        "t2" + sign(KEYS, TICKET)[2:],
        sign(KEYS, TICKET) + "\n",
        sign(KEYS, TICKET).upper(),
        sign(KEYS, TICKET).replace("2026", "٢٠٢٦"),
        "x" * 512,
        "t1.2026-11-30." + "9" * 400,
    ],
)
def test_what_has_no_form_of_a_ticket_is_malformed(text: str) -> None:
    assert verdict(text) == "malformed"


def test_keys_are_not_printed() -> None:
    assert "nnnn" not in repr(KEYS)


@pytest.mark.parametrize(
    ("now", "offset", "date", "midnight"),
    [
        ("2026-11-30T12:00:00", 0, "2026-11-30", "2026-12-01T00:00:00"),
        ("2026-11-30T23:59:59", 0, "2026-11-30", "2026-12-01T00:00:00"),
        ("2026-12-01T00:00:00", 0, "2026-12-01", "2026-12-02T00:00:00"),
        ("2026-11-30T20:29:59", 210, "2026-11-30", "2026-11-30T20:30:00"),
        ("2026-11-30T20:30:00", 210, "2026-12-01", "2026-12-01T20:30:00"),
        ("2026-12-31T10:00:00", EAST, "2027-01-01", "2027-01-01T10:00:00"),
        ("2027-01-01T11:59:59", WEST, "2026-12-31", "2027-01-01T12:00:00"),
    ],
)
def test_a_day_is_the_players_own_and_an_hour_more(
    now: str, offset: int, date: str, midnight: str
) -> None:
    assert day_at(ms(now), offset) == Day(date, ms(midnight) + HOUR)


def test_a_day_does_not_depend_on_when_in_it_one_asks() -> None:
    days = {day_at(ms("2026-11-30T00:00:00") + minute * 60_000 + 999, 0) for minute in range(1440)}
    assert len(days) == 1
    assert sign(KEYS, TICKET) == sign(KEYS, replace(TICKET, day=day_at(NOON + HOUR, 210)))
