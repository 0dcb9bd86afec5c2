"""With a million matches kept, none of scoring's statements reads a whole table of them."""

from collections.abc import Iterator

import pytest
import sqlalchemy as sa

from services.event_log.sql import file_url
from services.runtime.signing_keys import Keys
from services.scoring.database import open_engine, reading
from services.scoring.records import standing_of, top_of
from services.scoring.standings import Standings
from services.scoring.tables import RUNNING, open_tables, tables_of
from services.scoring.tickets import TicketOffice, WantedTicket, give
from tests.eventful import mixed
from tests.scoring.databases import new_log, store_together
from tests.streams import OWNER, match_id, played

FEW = ("cursors", "form", "(subquery", "CONSTANT ROW")
"""What may be read whole: a row for each partition, one row, a list of no matches."""


@pytest.fixture
def lite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sa.Engine]:
    """SQLite, which says how it reads in words that do not change with the rows."""
    engine = open_engine(file_url(tmp_path_factory.mktemp("kept") / "standings.db"))
    Standings(engine).create()
    yield engine
    engine.dispose()


def plans_of(engine: sa.Engine, said: dict[str, object]) -> dict[str, list[str]]:
    """How each statement is run, a line for each step."""
    with engine.connect() as connection:
        return {
            statement: [
                str(row[-1])
                for row in connection.exec_driver_sql("explain query plan " + statement, values)  # type: ignore[arg-type]
            ]
            for statement, values in said.items()
        }


def heard(engine: sa.Engine) -> dict[str, object]:
    """Fills with each statement that is said from now on, and values of it."""
    said: dict[str, object] = {}

    def hear(_: object, __: object, statement: str, values: object, *___: object) -> None:
        if statement.lower().startswith(("select", "update", "delete")):
            said.setdefault(statement, values)

    sa.event.listen(engine, "before_cursor_execute", hear)
    return said


def scans(plans: dict[str, list[str]]) -> list[str]:
    steps = [step for plan in plans.values() for step in plan]
    return [step for step in steps if step.startswith("SCAN ") and not any(w in step for w in FEW)]


def test_taking_events_in_reads_rows_of_their_match_only(lite: sa.Engine) -> None:
    said, log = heard(lite), new_log()
    store_together(log, [played(500).rows, *mixed(10)])
    Standings(lite).catch_up(log)
    plans = plans_of(lite, said)
    assert len(plans) > 10
    assert scans(plans) == []


def test_lists_and_standings_are_read_in_the_order_of_an_index(lite: sa.Engine) -> None:
    log = new_log()
    store_together(log, [played(1).rows])
    Standings(lite).catch_up(log)
    said = heard(lite)
    with reading(lite) as connection:
        top_of(connection, 20)
        for after in (None, match_id(1)):
            open_tables(connection, after=after)
            tables_of(connection, OWNER, after=after)
            tables_of(connection, OWNER, after=after, status=RUNNING)
    plans = plans_of(lite, said)
    assert len(plans) >= 7
    sorts = [step for plan in plans.values() for step in plan if "ORDER BY" in step]
    whole = [step for step in scans(plans) if "tallies_best" not in step]  # from its best end
    assert sorts == whole == []


def test_a_player_and_a_ticket_are_found_by_their_keys(lite: sa.Engine) -> None:
    said = heard(lite)
    with reading(lite) as connection:
        standing_of(connection, OWNER)
    wanted = WantedTicket(match=match_id(1), offset=0)
    give(TicketOffice(lite, Keys(b"k" * 32)), OWNER, wanted, 1_796_040_000_000)
    assert scans(plans_of(lite, said)) == []
