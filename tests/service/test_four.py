"""Four clients at a table, two in Python and two in JavaScript, all of whom drop all the time."""

import asyncio
import os
import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import msgspec
import pytest

from schemas.events import decode_event
from services.event_log.port import Row
from services.replay import rebuild
from services.rules import seats, sight
from tests.npm_packages import NODE, beside_packages
from tests.service.four.cutter import AT_A_COMMAND, TIMES, Cut
from tests.service.four.table import Chair, Options, Played, Table, Words
from tests.service.up_process import CHECKOUT, Up, running

pytestmark = pytest.mark.slow

PLAYER: Final = CHECKOUT / "tests" / "service" / "four" / "player.mjs"
OPTIONS: Final[tuple[Options, ...]] = (
    {"game": "hokm", "target": 4, "kot": 1, "hakem_kot": 1},
    *(
        {"game": "hand", "variant": variant, "seats": 4, "rounds": 3}
        for variant in ("classic", "partnership", "saudi", "saudi_partnership")
    ),
)
SEED: Final = os.environ.get("WARAQ_TEST_SEED") or str(random.SystemRandom().getrandbits(32))
"""Says when who is cut; a failure names it."""
SEEN: Final = 50
"""Versions of a match that at least are seen by both."""


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    with running(tmp_path_factory.mktemp("four") / "data") as found:
        yield found


@pytest.fixture(scope="module")
def played(up: Up, tmp_path_factory: pytest.TempPathFactory) -> tuple[Played, ...]:
    """A match of each kind, all at once. Who opens is now in Python, now in JavaScript."""
    python: Words = (sys.executable, "-m", "tests.service.four.player")
    node: Words = (NODE, beside_packages(PLAYER, tmp_path_factory.mktemp("node")))
    clients = (python, python, node, node)

    tables = [
        Table(up, options, clients[at % 4 :] + clients[: at % 4], f"{SEED} {at}")
        for at, options in enumerate(OPTIONS)
    ]

    async def play() -> tuple[Played, ...]:
        async with asyncio.TaskGroup() as group:
            playing = [group.create_task(table.play()) for table in tables]
        return tuple(one.result() for one in playing)

    try:
        return asyncio.run(play())
    except BaseException as error:
        error.add_note(f"WARAQ_TEST_SEED={SEED}")
        raise


def chairs(played: tuple[Played, ...]) -> Iterator[Chair]:
    return (chair for match in played for chair in match.chairs)


def stream(up: Up, match: Played) -> tuple[Row, ...]:
    with up.log() as log:
        return log.load(match.match)


def shown(snapshot: Mapping[str, Any]) -> bytes:
    """What of it depends on the version and on nothing else, byte for byte."""
    kept = {key: snapshot[key] for key in ("version", "head", "move", "sitting", "view")}
    return msgspec.json.encode(kept, order="sorted")


def test_each_loses_its_connection_ten_times_and_at_every_end_and_has_it_back(
    played: tuple[Played, ...],
) -> None:
    for chair in chairs(played):
        assert chair.cuts[-1] is Cut.END, chair.name
        assert Counter(cut for cut in chair.cuts if cut is not Cut.END) == TIMES, chair.name
        assert chair.saw.drops == chair.saw.returns == len(chair.cuts), chair.name
        assert chair.saw.again >= AT_A_COMMAND, chair.name


def test_who_drops_ends_with_the_view_of_who_never_did(played: tuple[Played, ...]) -> None:
    """And has it at every version that both have seen: one by snapshots, the other by events."""
    for chair in chairs(played):
        dropping, steady = chair.saw.views, chair.steady.views
        both = dropping.keys() & steady.keys()
        assert max(dropping) == max(steady) == max(both), chair.name
        assert dropping[max(both)]["view"]["phase"] == "match_over", chair.name
        assert len(both) >= SEEN, chair.name
        for version in both:
            assert shown(dropping[version]) == shown(steady[version]), (chair.name, version)


def test_who_never_drops_is_told_every_event(up: Up, played: tuple[Played, ...]) -> None:
    """So its views are a fold of events: it had a snapshot when it came, and one when it sat."""
    for match in played:
        versions = range(1, len(stream(up, match)) + 1)
        for chair in match.chairs:
            jumps = chair.steady.jumps
            assert len(jumps) <= 2, chair.name
            assert set(versions[max(jumps) - 1 :]) <= chair.steady.views.keys(), chair.name


def test_all_that_is_seen_and_heard_is_what_the_log_has(up: Up, played: tuple[Played, ...]) -> None:
    for match in played:
        for moment in rebuild.moments(stream(up, match)):
            for chair in match.chairs:
                compare(chair, moment)


def compare(chair: Chair, moment: rebuild.Moment) -> None:
    """What was seen and heard of one version with the match as the log has it there."""
    version, state, where = moment.version, moment.state, (chair.name, moment.version)
    true = {
        "version": version,
        "head": moment.head,
        "move": state.move,
        "sitting": seats.sitting(state.chairs),
        "view": sight.view(state, chair.seat),
    }
    for saw in (chair.saw, chair.steady):
        assert saw.heads.get(version, moment.head) == moment.head, where
        assert shown(saw.views.get(version, true)) == shown(true), where


def test_what_was_said_again_is_done_once_and_by_whom_it_was_said(
    up: Up, played: tuple[Played, ...]
) -> None:
    for match in played:
        rows = stream(up, match)
        done = list(commands_of_players(rows))
        answered = sorted(one for chair in match.chairs for one in accepted(chair))
        assert sorted(done) == answered, match.chairs[0].name
        assert len(done) == len(set(done)), match.chairs[0].name
        timed_out = any(row.entry.type == "turn_timed_out" for row in rows)
        for chair in match.chairs:
            said = [command["id"] for command in chair.saw.said]
            assert [one for one in done if one in said] == accepted(chair), chair.name
            assert timed_out or (accepted(chair), chair.saw.refused) == (said, []), chair.name


def commands_of_players(rows: Iterable[Row]) -> Iterator[str]:
    """The ids of those that were done, in that order."""
    for row in rows:
        event, command = decode_event(row.entry.line), row.entry.command
        if event.origin == "player" and command is not None:
            yield command


def accepted(chair: Chair) -> list[str]:
    """The ids of what was answered by an event."""
    return [event["command"] for event in chair.saw.accepted]


def test_every_match_is_played_to_its_end_and_audited(up: Up, played: tuple[Played, ...]) -> None:
    audited = up.waraq("audit", "--all", "--json")
    assert audited.code == 0, audited.err
    good = {line["match"] for line in audited.lines if line["ok"]}
    for match in played:
        assert match.match in good
        assert stream(up, match)[-1].entry.type == "match_ended", match.options
