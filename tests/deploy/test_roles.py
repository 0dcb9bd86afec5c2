"""deploy/postgres: each worker can do its work under its role, and nothing beyond it."""

from collections.abc import Iterator
from contextlib import closing

import psycopg
import pytest
import sqlalchemy as sa

from services.event_log.port import Append, Batch, DeadLetter, EventLog
from services.event_log.sql import open_log, open_reader
from services.runtime.signing_keys import Keys
from services.scoring.database import open_engine, open_existing, open_shared, reading
from services.scoring.ledger import given, projections
from services.scoring.standings import Standings
from services.scoring.tickets import Given, TicketOffice, WantedTicket, give, left_of
from services.web.profiles import Profile, Profiles
from tests.cli.logs import Log, stopped
from tests.deploy.databases import ROLES, Laid, waraq
from tests.event_log.places import MATCH, OTHER, entry
from tests.eventful import TABLES, eventful
from tests.scoring.databases import store_together
from tests.streams import match_id
from tests.waiting import until

pytestmark = pytest.mark.slow
LOG_TABLES = ("log", "partitions", "events", "open_matches", "dead_letters", "public_events")
VERBS = ("select", "insert", "update", "delete", "truncate", "references", "trigger", "maintain")
OWNER = "u_owner0000"


@pytest.fixture
def log(laid: Laid) -> Iterator[EventLog]:
    """An empty one, as a table worker opens it."""
    laid.empty()
    with closing(open_log(laid.url("table", "log"))) as found:
        yield found


def refused(url: str, statement: str) -> str:
    """Why PostgreSQL does not do it."""
    with psycopg.connect(url) as connection, pytest.raises(psycopg.Error) as told:
        connection.execute(statement.encode())
    return str(told.value.diag.message_primary)


def rights(laid: Laid, role: str, database: str) -> dict[str, set[str]]:
    """What a role may do with each table of a database, columns' own rights included."""
    asked = """
        select relname, verb from pg_class, unnest(%s::text[]) as verb
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'v')
            and (has_table_privilege(%s, pg_class.oid, verb)
                or verb in ('select', 'insert', 'update', 'references')
                    and has_any_column_privilege(%s, pg_class.oid, verb))"""
    name, found = f"waraq_{role}", dict[str, set[str]]()
    with psycopg.connect(laid.url("postgres", database)) as connection:
        for table, verb in connection.execute(asked, (list(VERBS), name, name)):
            found.setdefault(table, set()).add(verb)
    return found


# The table worker ------------------------------------------------------------------------------


def test_the_table_worker_can_append_whatever_it_appends(log: EventLog) -> None:
    assert log.hold(0)
    assert log.join().workers == 1
    claim, other = log.claim(0, "here"), log.claim(1, "here")
    letter = DeadLetter(subject=f"cmdin.{MATCH}.{OWNER}", body="{", error="illegible", time=1)
    log.append(claim, Batch(entries=(entry(1),), opened=(MATCH,), dead=(letter,)))
    secret = Batch(entries=(entry(2, command="c", secret="a pack"),), closed=(MATCH,), published=1)
    log.append(claim, secret)
    together = (Append(claim, Batch(entries=(entry(3),))), Append(other, Batch(opened=(OTHER,))))
    assert None not in log.append_together(together)
    assert [row.entry.secret for row in log.load(MATCH)] == [None, "a pack", None]
    assert log.open_streams(1) == (OTHER,)
    assert log.position(0) == 3
    log.append(other, Batch(closed=(OTHER,)))
    log.release(0)
    log.leave()


@pytest.mark.parametrize(
    "statement",
    [
        "update events set line = 'x'",
        "update events set line = 'x' where false",
        "delete from events",
        "truncate events",
        "alter table events disable trigger all",
        "drop trigger events_no_update on events",
        "drop table events",
        "update log set generation = 2",
        "update partitions set partition = 99",
        "delete from partitions",
        "delete from dead_letters",
        "select * from alembic_version",
        "create table mine (id integer)",
        "set role waraq_migrator",
    ],
)
def test_the_table_worker_can_change_nothing_that_was(laid: Laid, statement: str) -> None:
    told = refused(laid.url("table", "log"), statement)
    assert "permission denied" in told or "must be owner" in told, told


def test_the_events_are_guarded_even_against_their_owner(laid: Laid) -> None:
    told = refused(laid.url("migrator", "log"), "delete from events")
    assert told == "events are append-only"


async def test_the_table_worker_can_end_the_session_of_one_that_stands_still(
    laid: Laid, log: EventLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(open_log(laid.url("table", "log"))) as still:
        assert still.hold(3)
        monkeypatch.setattr("services.event_log.postgres.LIFELESS", 0.2)
        await until(lambda: log.hold(3), "the partition of a worker that stands still")
    log.leave()


# Scoring and web -------------------------------------------------------------------------------


def test_scoring_reads_whole_matches_and_keeps_the_standings(laid: Laid, log: EventLog) -> None:
    store_together(log, [eventful(7, TABLES["hokm"][0], "whole")])
    engine = open_engine(laid.url("scoring", "standings"))
    with closing(open_reader(laid.url("scoring", "log"))) as reader:
        made = Standings(engine).rebuild(reader)  # drops the projections, as another form does
        assert made.matches == 1
        assert made.events == len(reader.load(match_id(7)))
    engine.dispose()
    for role in ("web", "reader", "analyst"):
        engine = open_existing(laid.url(role, "standings"))  # rights outlive what was dropped
        with reading(engine) as connection:
            assert connection.execute(sa.select(projections.tables["matches"])).one().rounds == 2
        engine.dispose()


def test_scoring_writes_nothing_into_the_log(laid: Laid) -> None:
    assert set().union(*rights(laid, "scoring", "log").values()) == {"select"}


def test_the_web_worker_gives_tickets_and_forgets_old_ones(laid: Laid) -> None:
    engine = open_shared(laid.url("web", "standings"))
    office, day = TicketOffice(engine, Keys(b"k" * 32)), 24 * 3_600 * 1_000
    for number, now in ((1, 1_796_040_000_000), (2, 1_796_040_000_000 + 90 * day)):
        wanted = WantedTicket(match=f"m_{number:032x}", offset=0)
        assert isinstance(give(office, OWNER, wanted, now), Given)
        assert isinstance(give(office, OWNER, wanted, now), Given)  # said again
        assert left_of(office, OWNER, 0, now).left == 4
    with engine.connect() as connection:
        kept = connection.execute(sa.text("select match from tickets")).scalars().all()
    assert kept == [f"m_{2:032x}"]
    engine.dispose()


def test_the_web_worker_cannot_touch_what_was_counted(laid: Laid) -> None:
    found = rights(laid, "web", "standings")
    tickets = {table.name for table in given.sorted_tables}
    assert set(found) == tickets | {table.name for table in projections.sorted_tables}
    for table in set(found) - tickets:
        assert found[table] == {"select"}, table
    assert found["tickets"] == {"select", "insert", "delete"}
    assert found["ticket_days"] == {"select", "insert", "update", "delete"}


def test_the_web_worker_keeps_names(laid: Laid) -> None:
    profiles = Profiles(laid.url("web", "profiles"))
    for _ in range(2):
        profiles.create()
    profiles.put(Profile(OWNER, "Ann"), 1)
    profiles.put(Profile(OWNER, "آن"), 2)
    assert profiles.named((OWNER,)) == (Profile(OWNER, "آن"),)
    profiles.erase(OWNER)
    assert profiles.named((OWNER,)) == ()
    profiles.close()


# Who reads -------------------------------------------------------------------------------------


def test_an_operator_reads_checks_audits_and_exports(laid: Laid, log: EventLog) -> None:
    store_together(log, [eventful(8, TABLES["hokm"][0], "whole")])
    environment = {
        "WARAQ_LOG_URL": laid.url("reader", "log"),
        "WARAQ_STANDINGS_URL": laid.url("reader", "standings"),
    }
    waraq("db", "check", **environment)
    listed = waraq("match", "list", "--json", **environment)
    assert '"match"' in listed
    waraq("standings", "show", **environment)
    waraq("dead-letters", "list", **environment)


def test_a_reader_cannot_write_even_if_he_says_he_would(laid: Laid) -> None:
    url = laid.url("reader", "log")
    assert "read-only" in refused(url, "insert into open_matches values ('m', 0)")
    writes = "set transaction read write; insert into open_matches values ('m', 0)"
    assert "permission denied" in refused(url, writes)


def test_an_analyst_sees_public_lines_and_no_pack(laid: Laid) -> None:
    url = laid.url("analyst", "log")
    with psycopg.connect(url) as connection:
        columns = [
            one.name for one in connection.execute("select * from public_events").description or ()
        ]
    assert "secret" not in columns
    for table in ("events", "dead_letters", "open_matches"):
        assert "permission denied" in refused(url, f"select * from {table}")
    assert "permission denied" in refused(laid.url("analyst", "standings"), "select * from tickets")


# What holds for all ----------------------------------------------------------------------------


def test_all_steps_can_be_taken_again(laid: Laid) -> None:
    before = {
        (role, name): rights(laid, role, name) for role in ROLES for name in ("log", "standings")
    }
    laid.lay()
    after = {
        (role, name): rights(laid, role, name) for role in ROLES for name in ("log", "standings")
    }
    assert after == before


def test_rights_are_these_and_no_others(laid: Laid) -> None:
    assert rights(laid, "table", "log") == {
        "log": {"select"},
        "partitions": {"select", "update"},
        "events": {"select", "insert"},
        "open_matches": {"select", "insert", "delete"},
        "dead_letters": {"insert"},
    }
    assert rights(laid, "analyst", "log") == {
        "log": {"select"}, "partitions": {"select"}, "public_events": {"select"}
    }  # fmt: skip
    read = rights(laid, "reader", "log")
    assert set(read) == {*LOG_TABLES, "alembic_version"}
    assert set().union(*read.values()) == {"select"}
    assert rights(laid, "web", "log") == {}


@pytest.mark.parametrize(
    ("role", "database"),
    [
        ("web", "log"), ("table", "standings"), ("migrator", "standings"), ("table", "profiles"),
        ("scoring", "profiles"), ("reader", "profiles"), ("analyst", "profiles"),
    ],
)  # fmt: skip
def test_a_database_is_not_even_entered_by_whom_it_does_not_concern(
    laid: Laid, role: str, database: str
) -> None:
    with pytest.raises(psycopg.OperationalError, match="permission denied for database"):
        psycopg.connect(laid.url(role, database))


def test_a_wrong_password_lets_nobody_in(laid: Laid) -> None:
    """So the verifiers that `waraq secrets` writes are those of the passwords beside them."""
    port = laid.server.port
    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        psycopg.connect(f"postgresql://waraq_table:wrong@127.0.0.1:{port}/waraq_log")


def test_no_role_is_more_than_its_name(laid: Laid) -> None:
    asked = """
        select rolname from pg_roles where rolname like 'waraq%%' and (rolsuper or rolcreaterole
            or rolcreatedb or rolreplication or rolbypassrls)
        union select member::regrole::text from pg_auth_members
        where member::regrole::text like 'waraq%%'"""
    with psycopg.connect(laid.url("postgres", "log")) as connection:
        assert connection.execute(asked, ()).fetchall() == []


# An operator under each role --------------------------------------------------------------------


def operator(laid: Laid, **roles: str) -> Log:
    """An operator's shell: of each database whose role it has."""
    urls = {
        f"WARAQ_{database.upper()}_URL": laid.url(role, database)
        for database, role in roles.items()
    }
    return Log("", urls | {"WARAQ_DATA": "none"})


def kept(laid: Laid) -> tuple[int, int]:
    """How many names and tickets there are."""
    with (
        psycopg.connect(laid.url("web", "profiles")) as names,
        psycopg.connect(laid.url("web", "standings")) as standings,
    ):
        rows = (
            names.execute("select count(*) from profiles").fetchone(),
            standings.execute(
                "select count(*) from tickets where player = %s", [ERASED]
            ).fetchone(),
        )
    return tuple(row[0] for row in rows if row)


ERASED = "u_erased0000"


def known(laid: Laid) -> None:
    """`ERASED` has a name and a ticket."""
    names = Profiles(laid.url("web", "profiles"))
    engine = open_shared(laid.url("web", "standings"))
    with closing(names):
        names.create()
        names.put(Profile(ERASED, "Shirin"), 1)
    office, wanted = TicketOffice(engine, Keys(b"k" * 32)), WantedTicket(match=MATCH, offset=0)
    give(office, ERASED, wanted, 1_796_040_000_000)
    engine.dispose()


def test_erasing_erases_nothing_where_a_role_may_not_and_all_where_it_may(laid: Laid) -> None:
    known(laid)
    before = kept(laid)
    assert before[1] == 1
    words = ("player", "erase", ERASED, "--yes")
    code, said = stopped(operator(laid, profiles="web", standings="reader").waraq(*words))
    assert code == 1
    assert "nothing is erased" in said
    assert "name standings-web.url in WARAQ_STANDINGS_URL_FILE" in said
    assert kept(laid) == before
    done = operator(laid, profiles="web", standings="web").waraq(*words)
    assert done.exit_code == 0, done.stderr
    assert kept(laid) == (before[0] - 1, 0)


def test_a_name_that_may_not_be_erased_keeps_its_tickets(laid: Laid) -> None:
    known(laid)
    before = kept(laid)
    with psycopg.connect(laid.url("postgres", "profiles"), autocommit=True) as superuser:
        superuser.execute("revoke delete on profiles from waraq_web")
        code, said = stopped(
            operator(laid, profiles="web", standings="web").waraq(
                "player", "erase", ERASED, "--yes"
            )
        )
        superuser.execute("grant delete on profiles to waraq_web")
    assert code == 1
    assert "nothing is erased" in said
    assert kept(laid) == before


@pytest.mark.parametrize(
    ("words", "file"),
    [
        (("db", "restored"), "name log-migrator.url in WARAQ_LOG_URL_FILE"),
        (("standings", "rebuild"), "name standings-scoring.url in WARAQ_STANDINGS_URL_FILE"),
    ],
)
@pytest.mark.parametrize("role", ["reader", "web"])
def test_what_a_role_may_not_do_is_said_with_who_may(
    laid: Laid, words: tuple[str, ...], file: str, role: str
) -> None:
    """It answers: so it is not said to be away."""
    log = "reader" if role == "reader" else "table"
    code, said = stopped(operator(laid, log=log, standings=role).waraq(*words))
    assert code == 1
    assert file in said
