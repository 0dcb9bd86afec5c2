"""Free matches of a day (H22): so many, each for one match id, however they are asked for."""

from concurrent.futures import ThreadPoolExecutor

import msgspec
import pytest
import sqlalchemy as sa

from services.runtime.signing_keys import Keys
from services.runtime.tickets import EAST, WEST, check
from services.scoring.ledger import ticket_days, tickets
from services.scoring.standings import Standings
from services.scoring.tickets import (
    DAILY,
    KEPT,
    Given,
    NoneLeft,
    TicketOffice,
    WantedTicket,
    give,
    left_of,
)
from tests.scoring.databases import new_log
from tests.streams import FRIEND, OWNER, match_id

NOW = 1_796_040_000_000
DAY = 24 * 3_600 * 1_000
KEYS = Keys(b"k" * 32)


@pytest.fixture
def office(engine: sa.Engine) -> TicketOffice:
    return TicketOffice(engine, KEYS)


def ask(
    office: TicketOffice, number: int, *, player: str = OWNER, offset: int = 0, now: int = NOW
) -> Given | NoneLeft:
    return give(office, player, WantedTicket(match=match_id(number), offset=offset), now)


def given(found: Given | NoneLeft) -> Given:
    assert isinstance(found, Given)
    return found


def test_H22_so_many_matches_a_day_are_free_and_the_next_day_as_many_again(
    office: TicketOffice,
) -> None:
    lefts = [given(ask(office, number)).left for number in range(DAILY)]
    assert lefts == [4, 3, 2, 1, 0]
    refused = ask(office, DAILY)
    assert isinstance(refused, NoneLeft)
    assert refused.day == given(ask(office, 0)).day
    assert left_of(office, OWNER, 0, NOW).left == 0
    assert left_of(office, FRIEND, 0, NOW).left == DAILY
    assert given(ask(office, 0, player=FRIEND)).left == DAILY - 1
    assert given(ask(office, DAILY, now=NOW + DAY)).left == DAILY - 1


def test_a_ticket_given_is_one_that_the_table_takes(office: TicketOffice) -> None:
    found = given(ask(office, 1, offset=210))
    assert check(KEYS, found.ticket, player=OWNER, match=match_id(1), now=NOW) is None
    assert check(KEYS, found.ticket, player=FRIEND, match=match_id(1), now=NOW) == "forged"
    assert check(KEYS, found.ticket, player=OWNER, match=match_id(1), now=found.ends) == "over"


def test_asked_again_for_the_same_match_it_is_the_same_ticket_and_counts_once(
    office: TicketOffice,
) -> None:
    first = ask(office, 1)
    assert [ask(office, 1) for _ in range(10)] == [first] * 10
    for number in range(2, DAILY + 1):
        given(ask(office, number))
    assert given(ask(office, 1)).ticket == given(first).ticket
    assert given(ask(office, 1, offset=EAST, now=NOW + DAY)).ticket == given(first).ticket


def test_another_offset_gives_other_days_and_not_more_of_one(office: TicketOffice) -> None:
    """Whoever goes round the world in a minute has each date once."""
    dates: dict[str, int] = {}
    for number, offset in enumerate(o for o in (WEST, 0, EAST) for _ in range(2 * DAILY)):
        found = ask(office, number, offset=offset)
        if isinstance(found, Given):
            dates[found.day] = dates.get(found.day, 0) + 1
    assert set(dates.values()) == {DAILY}
    assert len(dates) <= 3


def test_who_asks_for_many_at_once_gets_no_more(office: TicketOffice) -> None:
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda number: ask(office, number), range(24)))
        again = list(pool.map(lambda _: ask(office, 0, player=FRIEND), range(24)))
    assert sum(isinstance(one, Given) for one in found) == DAILY
    assert len(set(again)) == 1
    assert given(again[0]).left == DAILY - 1


@pytest.mark.parametrize("daily", [0, 1, 7])
def test_how_many_a_day_is_the_deployments_to_say(engine: sa.Engine, daily: int) -> None:
    office = TicketOffice(engine, KEYS, daily=daily)
    found = [ask(office, number) for number in range(10)]
    assert sum(isinstance(one, Given) for one in found) == daily
    assert left_of(office, OWNER, 0, NOW).left == 0


@pytest.mark.parametrize("offset", [WEST - 1, EAST + 1, 10**6, "0", 1.5, None])
def test_no_place_has_such_an_offset(offset: object) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"match": match_id(1), "offset": offset}, WantedTicket)


@pytest.mark.parametrize("match", ["", "m_1", match_id(1).upper(), match_id(1) + "\n"])
def test_a_ticket_is_for_a_matchs_id(match: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"match": match, "offset": 0}, WantedTicket)


def test_tickets_outlive_a_rebuild_of_the_standings(office: TicketOffice) -> None:
    for number in range(DAILY):
        ask(office, number)
    Standings(office.engine).rebuild(new_log())
    Standings(office.engine).create()
    assert isinstance(ask(office, DAILY), NoneLeft)


def test_old_ones_of_a_player_are_forgotten_when_he_asks_again(office: TicketOffice) -> None:
    for day in range(4):
        ask(office, day, now=NOW + day * DAY)
    ask(office, 9, player=FRIEND)
    ask(office, 5, now=NOW + KEPT + 3 * DAY)
    with office.engine.connect() as connection:
        for table in (tickets, ticket_days):
            mine = sa.select(sa.func.count()).select_from(table).where(table.c.player == OWNER)
            assert connection.execute(mine).scalar_one() <= 3
            his = sa.select(sa.func.count()).select_from(table).where(table.c.player == FRIEND)
            assert connection.execute(his).scalar_one() == 1
