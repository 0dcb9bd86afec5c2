"""Alembic's way in. `waraq db upgrade` hands over a connection; `alembic upgrade head` opens
the log that `-x url=…` or `WARAQ_LOG_URL` names, made with the default number of partitions
or `-x partitions=N`.
"""

import os
from typing import Final

from alembic import context
from alembic.util import CommandError
from sqlalchemy import Connection

from services.event_log.sql import locate

DEFAULT_URL: Final = "sqlite:///data/log.db"


def migrate(connection: Connection) -> None:
    context.configure(connection=connection)
    with context.begin_transaction():
        context.run_migrations()


def migrate_from_shell() -> None:
    said = context.get_x_argument(as_dictionary=True)
    database = locate(said.get("url") or os.environ.get("WARAQ_LOG_URL") or DEFAULT_URL)
    partitions = int(said.get("partitions") or database.default_partitions)
    context.config.attributes["partitions"] = partitions
    with database.upgrading() as connection:
        migrate(connection)


if context.is_offline_mode():
    raise CommandError("a log is upgraded in one transaction, not by a script")
if "connection" in context.config.attributes:
    migrate(context.config.attributes["connection"])
else:
    migrate_from_shell()
