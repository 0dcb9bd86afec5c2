"""An append to PostgreSQL: one statement, whatever it writes, and so one round trip.

Between the fence and the commit nothing depends on the writer any more: one that stops, or loses
its network, leaves no transaction open and no partition locked.

A server may write the parameters of a slow statement into its own log, so the packs' orders are
none: they go by COPY, which no server logs, into a table of this session's own, and the statement
finds them there. That table has no rule that a row could break and be quoted for.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, LiteralString

import msgspec
import psycopg
from msgspec import Struct

from services.event_log.batches import legible
from services.event_log.database import fault
from services.event_log.port import Append, DeadLetter, Entry

_FREE: Final = """
    join (select partition from partitions
        where partition in (select partition from json_to_recordset(cast(%(changes)s as json))
            as mine (partition integer))
        order by partition for no key update skip locked) as free using (partition)"""


_OWN_TABLE: Final = (
    "create temporary table if not exists waraq_secrets"
    " (partition integer, place bigint, secret text)"
)
_NO_SECRETS: Final = "truncate pg_temp.waraq_secrets"
_HAND_IN: Final = "copy pg_temp.waraq_secrets (partition, place, secret) from stdin"
_HANDED_IN: Final = "left join pg_temp.waraq_secrets as hidden using (partition, place)"
_NONE_HANDED_IN: Final = "cross join (select cast(null as text) as secret) as hidden"


def _statement(among: LiteralString, secrets: LiteralString) -> LiteralString:
    """What is not advanced, because it is claimed by another since, gets no rows of any kind."""
    return f"""
    with advanced as (
        update partitions set position = partitions.position + mine.count,
            published = greatest(partitions.published, mine.published)
        from json_to_recordset(cast(%(changes)s as json))
            as mine (partition integer, epoch bigint, count bigint, published bigint) {among}
        where partitions.partition = mine.partition and partitions.epoch = mine.epoch
        returning partitions.partition, partitions.position - mine.count as before,
            partitions.position),
    added as (
        insert into events
            (partition, position, stream, version, type, command, line, head, secret)
        select partition, before + place, stream, version, type, command, line, head, secret
        from advanced join json_to_recordset(cast(%(events)s as json)) as event (
            partition integer, place bigint, stream text, version integer, type text,
            command text, line text, head text) using (partition) {secrets}),
    opened as (
        insert into open_matches (stream, partition)
        select stream, partition from advanced join json_to_recordset(cast(%(opened)s as json))
            as match (partition integer, stream text) using (partition)
        on conflict do nothing),
    closed as (
        delete from open_matches using advanced join json_to_recordset(cast(%(closed)s as json))
            as match (partition integer, stream text) using (partition)
        where open_matches.stream = match.stream),
    buried as (
        insert into dead_letters (subject, body, error, time)
        select subject, body, error, time
        from advanced join json_to_recordset(cast(%(buried)s as json)) as letter (
            partition integer, subject text, body text, error text, time bigint)
            using (partition))
    select partition, position from advanced"""  # noqa: S608  # our own words


# One partition that another owner is busy with would hold up all the others: `free`.
_STATEMENTS: Final[Mapping[tuple[bool, bool], LiteralString]] = {
    (waits, hidden): _statement("" if waits else _FREE, _HANDED_IN if hidden else _NONE_HANDED_IN)
    for waits in (True, False)
    for hidden in (True, False)
}
"""By whether it waits for locks, and whether secrets were handed in."""


class _Change(Struct, frozen=True):
    partition: int
    epoch: int
    count: int
    published: int


class _Event(Struct, frozen=True):
    partition: int
    place: int
    stream: str
    version: int
    type: str
    command: str | None
    line: str
    head: str


class _Match(Struct, frozen=True):
    partition: int
    stream: str


class _Letter(Struct, frozen=True):
    partition: int
    subject: str
    body: str
    error: str
    time: int


def append(
    connection: psycopg.Connection, appends: Sequence[Append], *, waits: bool
) -> dict[int, int]:
    """As `Database.append`."""
    secrets = list(_secrets(appends))
    statement = _STATEMENTS[waits, bool(secrets)]
    try:
        if secrets:
            _hand_in(connection, secrets)
        return dict(connection.execute(statement, _parameters(appends)).fetchall())
    except psycopg.Error as error:
        # `from None`: the whole error may quote a row, and with it a pack's order.
        raise fault(error) from None


def _secrets(appends: Sequence[Append]) -> Iterator[tuple[int, int, str]]:
    for one in appends:
        for place, entry in enumerate(one.batch.entries, 1):
            if entry.secret is not None:
                yield one.claim.partition, place, entry.secret


def _hand_in(connection: psycopg.Connection, secrets: Sequence[tuple[int, int, str]]) -> None:
    connection.execute(_OWN_TABLE)
    connection.execute(_NO_SECRETS)
    with connection.cursor() as cursor, cursor.copy(_HAND_IN) as copy:
        for row in secrets:
            copy.write_row(row)


def _parameters(appends: Sequence[Append]) -> dict[str, str]:
    """Rows as JSON: Python's objects become text in one step, and the server reads it fast."""
    batches = [(one.claim.partition, one.batch) for one in appends]
    return {
        "changes": _json(_change(one) for one in appends),
        "events": _json(e for p, batch in batches for e in _events(p, batch.entries)),
        # Parts of one statement do not see each other: what is closed at once was never open.
        "opened": _json(
            _Match(p, stream)
            for p, batch in batches
            for stream in batch.opened
            if stream not in batch.closed
        ),
        "closed": _json(_Match(p, stream) for p, batch in batches for stream in batch.closed),
        "buried": _json(_letter(p, letter) for p, batch in batches for letter in batch.dead),
    }


def _json(rows: Iterable[Struct]) -> str:
    return msgspec.json.encode(list(rows)).decode()


def _change(one: Append) -> _Change:
    claim, batch = one.claim, one.batch
    return _Change(claim.partition, claim.epoch, len(batch.entries), batch.published)


def _events(partition: int, entries: Sequence[Entry]) -> Iterable[_Event]:
    for place, e in enumerate(entries, 1):
        yield _Event(partition, place, e.stream, e.version, e.type, e.command, e.line, e.head)


def _letter(partition: int, letter: DeadLetter) -> _Letter:
    return _Letter(partition, letter.subject, letter.body, legible(letter), letter.time)
