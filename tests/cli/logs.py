"""The command line on logs of its own, in this process."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from click.testing import CliRunner, Result
from msgspec import Struct

from schemas.subjects import partition_of
from services.cli.__main__ import main
from services.event_log.port import Batch, Row
from services.event_log.sql import open_log, open_reader
from services.replay.audit import Finding
from services.replay.audit_log import audit_all

HEAD_SEED: Final = b"h" * 32


class Log(Struct, frozen=True):
    """A log for the command line: what it is told of it."""

    url: str
    environ: Mapping[str, str]

    def waraq(self, *words: str, said: bytes | None = None) -> Result:
        """Run a command to its end."""
        return CliRunner().invoke(main, list(words), env=dict(self.environ), input=said)

    def rows(self, match: str) -> tuple[Row, ...]:
        log = open_reader(self.url)
        try:
            return log.load(match)
        finally:
            log.close()

    def faults(self) -> list[Finding]:
        """What the audit of the whole log finds."""
        log = open_reader(self.url)
        try:
            return [finding for finding in audit_all(log) if not finding.ok]
        finally:
            log.close()

    def open_matches(self) -> tuple[str, ...]:
        log = open_reader(self.url)
        try:
            partitions = range(log.info().partitions)
            return tuple(match for p in partitions for match in log.open_streams(p))
        finally:
            log.close()

    def store(self, *matches: Sequence[Row]) -> None:
        """Append matches as a table does."""
        log = open_log(self.url)
        try:
            for rows in matches:
                entries, match = tuple(row.entry for row in rows), rows[0].entry.stream
                over = entries[-1].type in {"match_ended", "match_abandoned"}
                claim = log.claim(partition_of(match, log.info().partitions), "test")
                closed = (match,) if over else ()
                log.append(claim, Batch(entries=entries, opened=(match,), closed=closed))
        finally:
            log.close()


def with_key(folder: Path) -> dict[str, str]:
    """The environment of a place that signs heads."""
    key = folder / "head.key"
    key.touch(mode=0o600)
    key.write_bytes(HEAD_SEED)
    return {"WARAQ_HEAD_KEY_FILE": str(key)}


def told(result: Result) -> list[dict[str, Any]]:
    """What a command said as JSON, once it has ended well."""
    assert result.exit_code == 0, result.stderr
    return [json.loads(line) for line in result.stdout.splitlines()]


def stopped(result: Result) -> tuple[int, str]:
    """A command's exit code and its last words."""
    assert "Traceback" not in result.stderr
    return result.exit_code, result.stderr.splitlines()[-1]
