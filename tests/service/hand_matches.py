"""Every variant and seat count of Hand, whole matches through the service, on both databases.

    python -m tests.service.hand_matches --matches 20 [--rounds 3]

A JSON line for each table on stdout: the matches that ended, and what a fresh fold of the log says
of the cards. Exit code 4 if a match did not end, a card was lost or doubled, or the audit found a
difference.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct

from services.event_log.sql import file_url, open_reader
from services.rules.hand import GAME
from services.rules.hand.state import HandState
from services.rules.history import unfold
from tests.postgres import fresh_database, serving
from tests.rules.hand_play import ALL_CARDS, TABLES, every_place
from tests.service.up_process import Said, running, waraq


class Wanted(Struct, frozen=True):
    """How much is played at each table."""

    matches: int
    rounds: int
    level: str


def words(table: tuple[str, int], wanted: Wanted) -> tuple[str, ...]:
    """The command line for one table."""
    variant, seats = table
    rules = ("--variant", variant, "--seats", str(seats), "--rounds", str(wanted.rounds))
    some = ("--bots", wanted.level, "--matches", str(wanted.matches), "--json")
    return ("play", "--game", "hand", *rules, *some)


def embedded(folder: Path, wanted: Wanted) -> Iterator[dict[str, Any]]:
    """Each table with `--embedded`: the command brings the service up for the time."""
    data = folder / "data"
    for table in TABLES:
        said = waraq(data, *words(table, wanted), "--embedded")
        yield {"log": "embedded", **found(said, table, wanted, file_url(data / "log.db"))}
    yield {"log": "embedded", "audit_exit": waraq(data, "audit", "--all").code}


def on_postgres(folder: Path, wanted: Wanted) -> Iterator[dict[str, Any]]:
    """Each table of one service whose log is on PostgreSQL."""
    with (
        serving() as server,
        fresh_database(server) as url,
        running(folder / "data", WARAQ_LOG_URL=url) as up,
    ):
        for table in TABLES:
            said = up.waraq(*words(table, wanted))
            yield {"log": "postgresql", **found(said, table, wanted, url)}
        yield {"log": "postgresql", "audit_exit": up.waraq("audit", "--all").code}


def found(said: Said, table: tuple[str, int], wanted: Wanted, url: str) -> dict[str, Any]:
    """What became of the matches at one table, in numbers."""
    ended = [line["match"] for line in said.lines if line["winner"] is not None]
    states = [state for match in ended for state in _dealt_states(url, match)]
    return {
        "table": f"{table[0]}/{table[1]}",
        "exit": said.code,
        "asked": wanted.matches,
        "ended": len(ended),
        "rounds": sum(line["rounds"] for line in said.lines),
        "states": len(states),
        "states_with_other_cards": sum(every_place(state) != ALL_CARDS for state in states),
    }


def whole(line: dict[str, Any]) -> bool:
    """Every match ended, every state had the 106 cards, the audit found nothing."""
    if "audit_exit" in line:
        return bool(line["audit_exit"] == 0)
    ended = line["exit"] == 0 and line["ended"] == line["asked"]
    return bool(ended and line["states"] and not line["states_with_other_cards"])


def _dealt_states(url: str, match: str) -> list[HandState]:
    """The states with cards on the table of a fresh fold, one after each event."""
    log = open_reader(url)
    try:
        folded = [seen.after.game for seen in unfold(row.entry for row in log.load(match))]
    finally:
        log.close()
    return [game for game in folded if isinstance(game, HandState) and GAME.dealt(game)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--level", default="black")
    asked = parser.parse_args()
    wanted = Wanted(asked.matches, asked.rounds, asked.level)
    lines = []
    for place in (embedded, on_postgres):
        with tempfile.TemporaryDirectory(prefix="waraq-hand-") as folder:
            for line in place(Path(folder), wanted):
                sys.stdout.write(json.dumps(line) + "\n")
                sys.stdout.flush()
                lines.append(line)
    return 0 if all(map(whole, lines)) else 4


if __name__ == "__main__":
    sys.exit(main())
