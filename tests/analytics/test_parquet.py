"""Batches: whatever fits in one, the rows are the same, and no more than it are held."""

from pathlib import Path

import pytest

from services.analytics.folder import NoExport, Note, files_of, read_note, write_note
from services.analytics.parquet import SCRATCH, TablesUnwritable, TableWriter, row_counts
from services.analytics.tables import TABLES
from services.analytics.views import views
from tests.analytics.lake import answer, many, opened, rows_of


def written(folder: Path, batch_rows: int) -> Path:
    folder.mkdir()
    writer = TableWriter(folder, batch_rows=batch_rows)
    for rows in many()[:20]:
        made = rows_of(rows)
        assert made is not None
        writer.add(made)
    writer.flush()
    writer.close()
    (folder / "views.sql").write_text(views(TABLES))
    return folder


def test_small_batches_make_more_files_and_the_same_rows(tmp_path: Path) -> None:
    one, many_ = written(tmp_path / "one", 10**6), written(tmp_path / "many", 1_000)
    for table in TABLES:
        files = [len(list(files_of(folder, table))) for folder in (one, many_)]
        assert files[0] < files[1]
        select = f"SELECT * FROM {table} ORDER BY ALL"
        assert answer(opened(one), select) == answer(opened(many_), select)
    assert row_counts(one) == row_counts(many_)
    assert not list(tmp_path.rglob(SCRATCH))


def test_no_more_than_a_batch_and_a_match_wait(tmp_path: Path) -> None:
    writer = TableWriter(tmp_path, batch_rows=1_000)
    for rows in many()[:20]:
        made = rows_of(rows)
        assert made is not None
        writer.add(made)
        assert writer.waiting < 1_000
    writer.close()


def test_what_cannot_be_read_says_why(tmp_path: Path) -> None:
    folder = written(tmp_path / "tables", 10**6)
    next(files_of(folder, "plays")).write_bytes(b"PAR1 and nothing else")
    with pytest.raises(TablesUnwritable, match="parquet"):
        row_counts(folder)


def test_a_note_of_another_form_is_no_export(tmp_path: Path) -> None:
    write_note(tmp_path, Note(format="waraq-tables@9", rows={}, days=None, next=None))
    with pytest.raises(NoExport, match="another form"):
        read_note(tmp_path)
    (tmp_path / "export.json").write_text("{}")
    with pytest.raises(NoExport, match="cannot be read"):
        read_note(tmp_path)
