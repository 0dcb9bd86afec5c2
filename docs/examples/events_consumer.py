"""Follows EVENTS and keeps in SQLite how many events of each type a day had, each counted once.

WARAQ_NATS_URL=... WARAQ_NATS_PASSWORD=... python events_consumer.py FILE [--once]

Kill it at any moment and start it again. With --once it ends when it has caught up.
"""

import asyncio
import json
import os
import sqlite3
import sys

import nats  # pip install nats-py
from nats.js.api import AckPolicy, ConsumerConfig

ME = "analytics"  # the broker's user, and the one consumer that it may have
BATCH = 200  # messages in one transaction
WAIT = 0.5  # seconds until a batch is taken as it is
AHEAD = 10_000  # positions that one is waited for; what is missing then is a gap
TABLES = """
CREATE TABLE IF NOT EXISTS days (day, type, events, PRIMARY KEY (day, type));
CREATE TABLE IF NOT EXISTS cursors (log, partition, position, PRIMARY KEY (log, partition));
CREATE TABLE IF NOT EXISTS ahead (log, partition, position, PRIMARY KEY (log, partition, position));
CREATE TABLE IF NOT EXISTS gaps (log, partition, first, last);
"""


def keep(file, messages):
    """What is counted and how far that is, in one transaction: both or neither."""
    with file:
        for message in messages:
            if is_new(file, message.headers["Nats-Msg-Id"]):
                count(file, json.loads(message.data))


def is_new(file, name):
    """Not by arrival, and not by name: what is said again has the same position (`1:0:17:again1`).

    The cursor is the last position with all before it; those beyond it are kept one by one.
    """
    log, partition, position = map(int, name.split(":")[:3])
    place = (log, partition)
    file.execute("INSERT OR IGNORE INTO cursors VALUES (?, ?, 0)", place)
    query = "SELECT position FROM cursors WHERE log = ? AND partition = ?"
    (cursor,) = file.execute(query, place).fetchone()
    query = "INSERT OR IGNORE INTO ahead VALUES (?, ?, ?)"
    if position <= cursor or not file.execute(query, (*place, position)).rowcount:
        return False
    if position > cursor + AHEAD:  # EVENTS keeps a week: what is older is in the log alone
        query = "SELECT min(position) FROM ahead WHERE log = ? AND partition = ?"
        (first,) = file.execute(query, place).fetchone()
        file.execute("INSERT INTO gaps VALUES (?, ?, ?, ?)", (*place, cursor + 1, first - 1))
        cursor = first - 1
    query = "DELETE FROM ahead WHERE log = ? AND partition = ? AND position = ?"
    while file.execute(query, (*place, cursor + 1)).rowcount:
        cursor += 1
    query = "UPDATE cursors SET position = ? WHERE log = ? AND partition = ?"
    file.execute(query, (cursor, *place))
    return True


def count(file, event):
    """The counting itself; whatever it is, it needs no order: positions may come late."""
    query = """INSERT INTO days VALUES (date(? / 1000, 'unixepoch'), ?, 1)
        ON CONFLICT DO UPDATE SET events = events + 1"""
    file.execute(query, (event["time"], event["body"]["type"]))


async def follow(file, *, once):
    link = await nats.connect(
        os.environ["WARAQ_NATS_URL"],
        user=ME,
        password=os.environ["WARAQ_NATS_PASSWORD"],
        inbox_prefix=f"_INBOX_{ME}",
        max_reconnect_attempts=-1,
    )
    stream = link.jetstream()
    place = ConsumerConfig(
        name=ME,
        durable_name=ME,
        filter_subject="event.>",
        ack_policy=AckPolicy.EXPLICIT,
        ack_wait=5,  # seconds until what was not acknowledged comes again
        max_ack_pending=5 * BATCH,
    )
    await stream.add_consumer("EVENTS", place)
    pulled = await stream.pull_subscribe_bind(ME, stream="EVENTS")
    while True:
        try:
            messages = await pulled.fetch(BATCH, timeout=WAIT)
        except TimeoutError:
            state = await pulled.consumer_info()
            if once and not state.num_pending and not state.num_ack_pending:
                return await link.close()
            continue
        keep(file, messages)
        for message in messages:  # only now: who dies before is told again, and knows it
            await message.ack()


kept = sqlite3.connect(sys.argv[1])
kept.executescript(TABLES)
asyncio.run(follow(kept, once="--once" in sys.argv[2:]))
