"""Where matches take a ticket (H22), one is opened with its own and not without."""

from pathlib import Path

import msgspec
import pytest

from schemas.commands import Command, HokmOptions, OpenMatch, StartMatch
from schemas.refusals import Refusal
from services.messaging.permissions import COMMAND_LINE_PLAYER
from services.runtime.key_files import create_key
from services.runtime.settings import SettingMissing, table_settings
from services.runtime.signing_keys import Keys
from services.runtime.tickets import Ticket, day_at, sign
from services.table import tenure
from services.table.__main__ import _desk
from services.table.waits import LOBBY
from tests.table.hall import (
    ANNE,
    BEHROUZ,
    FOUR_PEOPLE,
    MATCH,
    Hall,
    assert_happened,
    assert_refused,
)
from tests.waiting import until

OTHER = "m_" + "0" * 31 + "2"
KEYS = Keys(b"n" * 32, b"o" * 32)


def hall() -> Hall:
    return Hall(tickets=KEYS)


def ticket(hall: Hall, *, player: str = ANNE, match: str = MATCH, key: bytes = b"n" * 32) -> str:
    day = day_at(hall.clock.now(), 0)
    return sign(Keys(key), Ticket(player=player, match=match, day=day))


def opening(ticket: str | None) -> OpenMatch:
    return OpenMatch(options=HokmOptions(), seats=FOUR_PEOPLE, ticket=ticket)


async def test_H22_a_match_is_opened_with_its_players_ticket_for_it() -> None:
    async with hall() as here:
        assert_happened(await here.say(ANNE, opening(ticket(here))))
        assert "t1." not in here.rows()[0].entry.line


async def test_a_ticket_under_the_key_before_is_good() -> None:
    async with hall() as here:
        assert_happened(await here.say(ANNE, opening(ticket(here, key=b"o" * 32))))


async def test_without_one_or_with_anothers_it_is_ticket_invalid() -> None:
    async with hall() as here:
        for wrong in (
            None,
            "",
            "t1",
            ticket(here, player=BEHROUZ),
            ticket(here, match=OTHER),
            ticket(here, key=b"x" * 32),
        ):
            assert_refused(await here.say(ANNE, opening(wrong)), Refusal.TICKET_INVALID)
        assert here.rows() == ()


async def test_a_ticket_is_over_with_its_day() -> None:
    async with hall() as here:
        old = ticket(here)
        here.clock.seconds += 26 * 3_600
        assert_refused(await here.say(ANNE, opening(old)), Refusal.TICKET_INVALID)
        assert_happened(await here.say(ANNE, opening(ticket(here))))


async def test_a_ticket_opens_one_match_and_never_a_second() -> None:
    async with hall() as here:
        mine = ticket(here)
        command = Command(id="o" * 16, action=opening(mine))
        first = await here.repeat(ANNE, command)
        assert_happened(first)
        assert await here.repeat(ANNE, command) == first
        assert_refused(await here.say(ANNE, opening(mine)), Refusal.MATCH_EXISTS)
        again = Command(id="p" * 16, action=opening(mine))
        assert_refused(await here.repeat(ANNE, again, OTHER), Refusal.TICKET_INVALID)
        here.turn_clock(LOBBY)
        await until(lambda: "match_abandoned" in here.types(), "the lobby to be closed")
        assert_refused(await here.say(ANNE, opening(mine)), Refusal.MATCH_EXISTS)


async def test_an_opening_of_a_day_ago_said_again_gets_its_event_again() -> None:
    async with hall() as here:
        command = Command(id="o" * 16, action=opening(ticket(here)))
        first = await here.repeat(ANNE, command)
        here.clock.seconds += 26 * 3_600
        assert await here.repeat(ANNE, command) == first


async def test_other_refusals_come_first(monkeypatch: pytest.MonkeyPatch) -> None:
    async with hall() as here:
        assert_refused(await here.say("house1", opening(None)), Refusal.NOT_ALLOWED)
        assert_refused(await here.say(ANNE, StartMatch()), Refusal.UNKNOWN_MATCH)
        unsound = msgspec.structs.replace(opening(None), seats=FOUR_PEOPLE[:3])
        assert_refused(await here.say(ANNE, unsound), Refusal.MALFORMED)
        monkeypatch.setattr(tenure, "DRAIN_AT", 0)
        assert_refused(await here.say(ANNE, opening(None)), Refusal.DRAINING)


async def test_the_command_lines_player_needs_none() -> None:
    async with hall() as here:
        assert_happened(await here.say(COMMAND_LINE_PLAYER, opening(None)))


async def test_where_no_key_is_set_any_ticket_is_as_good_as_none() -> None:
    async with Hall() as here:
        assert_happened(await here.say(ANNE, opening("whatever")))


def test_the_desk_has_the_keys_that_the_settings_name(tmp_path: Path) -> None:
    for name in ("shuffle", "new", "old"):
        create_key(tmp_path / name)
    told = {
        "WARAQ_NATS_URL": "nats://127.0.0.1:1",
        "WARAQ_LOG_URL": "sqlite:///x.db",
        "WARAQ_SHUFFLE_KEY_FILE": str(tmp_path / "shuffle"),
    }
    assert _desk(table_settings(told)).tickets is None
    told |= {
        "WARAQ_TICKET_KEY_FILE": str(tmp_path / "new"),
        "WARAQ_TICKET_OLD_KEY_FILE": str(tmp_path / "old"),
    }
    keys = _desk(table_settings(told)).tickets
    assert keys == Keys(*((tmp_path / name).read_bytes() for name in ("new", "old")))
    (tmp_path / "old").chmod(0o644)
    with pytest.raises(SettingMissing, match="ticket key"):
        _desk(table_settings(told))
