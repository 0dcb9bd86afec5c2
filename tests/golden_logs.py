"""Golden logs: a match of every game and variant, kept as match files, to be played again for ever.

    python -m tests.golden_logs        writes tests/golden/ anew (`make golden`)

Until 0.1.0 a change of the rules may write them anew; what changed is then seen in the diff. From
then on a rule that changes an old match is a new ruleset beside the old one.
"""

import io
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec
from msgspec.structs import replace

from schemas.commands import Options
from services.bot.policy import choose
from services.event_log.port import Row
from services.replay.audit import Policy
from services.replay.match_file import MatchFile, Note, match_file, write
from services.replay.match_reading import read
from services.replay.rebuild import JUDGE, moments, seen_by, viewers
from services.replay.signed_heads import HeadKey, key_from
from services.runtime.settings import BOT_POLICY
from tests.eventful import TABLES, Fate, eventful
from tests.rules.hand_play import VARIANTS

FOLDER: Final = Path(__file__).parent / "golden"
KEY: Final[HeadKey] = key_from(b"g" * 32)
POLICY: Final = Policy(BOT_POLICY, choose)
"""The bots as they are."""
DIGEST: Final = "_views"
"""The note in a golden file's header: the digest of what everybody saw at every version."""
SEEDS: Final[Mapping[str, int]] = {
    "hokm-guide": 1017,
    "hokm-home": 1022,
    "hokm-five-shown": 1018,
    "hand-classic-2": 1002,
    "hand-classic-3": 1028,
    "hand-classic-4": 1024,
    "hand-saudi-2": 1026,
    "hand-saudi-3": 1013,
    "hand-saudi-4": 1008,
    "hand-partnership-4": 1019,
    "hand-saudi_partnership-4": 1023,
}
"""Whole matches, the short ones among the first in which somebody slept, came back or left. Each
has a seed, and so an id, of its own: all of them fit into one log.
"""


def recipes() -> Mapping[str, Callable[[], list[Row]]]:
    """By its name how each golden match is made by the rules and the bots of today."""
    return {
        **{name: _recipe(seed, _options(name), "whole") for name, seed in SEEDS.items()},
        "hokm-abandoned-in-play": _recipe(1004, TABLES["hokm"][0], "played"),
        "hand-new-stock-unscored": _recipe(1048, _options("hand-classic-4"), "unscored"),
    }


def _recipe(seed: int, options: Options, fate: Fate) -> Callable[[], list[Row]]:
    return partial(eventful, seed, options, fate, policy=POLICY)


def _options(name: str) -> Options:
    tables: Sequence[Options] = TABLES["hokm"]
    if name.startswith("hokm-"):
        return tables[("hokm-guide", "hokm-home", "hokm-five-shown").index(name)]
    _, variant, seats = name.split("-")
    return next(one for one in VARIANTS if (one.variant, one.seats) == (variant, int(seats)))


def path_of(name: str) -> Path:
    return FOLDER / f"{name}.jsonl"


def files() -> dict[str, MatchFile]:
    """What is kept, by name."""
    found = {path.stem: path.read_bytes() for path in sorted(FOLDER.glob("*.jsonl"))}
    return {name: next(read(io.BytesIO(data))) for name, data in found.items()}


def digest(rows: Sequence[Row]) -> str:
    """SHA-256 of what the judge, everybody and each seat see at each version."""
    sum_ = sha256()
    eyes = viewers(rows)
    for moment in moments(rows):
        for viewer in eyes:
            sum_.update(msgspec.json.encode(seen_by(viewer, moment.state)))
    return sum_.hexdigest()


def golden(rows: Sequence[Row]) -> MatchFile:
    file = match_file(rows, JUDGE, KEY)
    note = Note(place=7, name=DIGEST, value=msgspec.json.encode(digest(rows)))
    return MatchFile(replace(file.header, notes=(note,)), file.lines)


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.jsonl"):
        old.unlink()
    for name, made in recipes().items():
        path_of(name).write_bytes(b"".join(write(golden(made()))))


if __name__ == "__main__":
    main()
