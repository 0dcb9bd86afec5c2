"""Views over an export, as SQL for DuckDB: `plays` instead of a list of files."""

from collections.abc import Collection, Iterator
from typing import Final

from services.analytics.tables import FOLDER_COLUMNS, TABLES, columns

HEAD: Final = """\
-- Views over the folder that this file lies in, for DuckDB:
--     cd FOLDER && duckdb -init views.sql
-- From elsewhere say where it is first: SET file_search_path = 'FOLDER';
"""


def views(filled: Collection[str]) -> str:
    """A view for each table; those that are not in `filled` have no file, and their view no row."""
    return HEAD + "".join(_view(table, has_files=table in filled) for table in TABLES)


def _view(table: str, *, has_files: bool) -> str:
    named = [*columns(table), *FOLDER_COLUMNS]
    comments = (
        f"COMMENT ON COLUMN {table}.{column.name} IS {quoted(column.about)};\n" for column in named
    )
    body = _scan(table) if has_files else _nothing(table)
    return f"\nCREATE OR REPLACE VIEW {table} AS\n{body};\n{''.join(comments)}"


def _scan(table: str) -> str:
    names = ", ".join(column.name for column in (*columns(table), *FOLDER_COLUMNS))
    types = ", ".join(f"'{column.name}': {column.type}" for column in FOLDER_COLUMNS)
    files = f"'{table}/*/*/*.parquet'"
    return (
        f"SELECT {names}\nFROM read_parquet({files}, union_by_name = true,"
        f" hive_partitioning = true, hive_types = {{{types}}})"
    )


def _nothing(table: str) -> str:
    return f"SELECT {', '.join(_nulls(table))}\nWHERE false"


def _nulls(table: str) -> Iterator[str]:
    for column in (*columns(table), *FOLDER_COLUMNS):
        yield f"NULL::{column.type} AS {column.name}"


def quoted(text: str) -> str:
    """As a string of SQL."""
    return "'" + text.replace("'", "''") + "'"
