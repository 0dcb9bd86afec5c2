"""Every golden log is what it was: its bytes, the rules, its bots, and what everybody saw."""

from functools import cache

import msgspec
import pytest

from schemas.events import Body
from services.replay.audit import Finding, Questions
from services.replay.match_entries import as_rows, audit_file, entries
from services.replay.match_file import MatchFile, write
from services.replay.text import match_text
from tests.golden_logs import DIGEST, POLICY, SEEDS, digest, files, path_of, recipes
from tests.verifier.node import verify_all

FILES = files()
every_file = pytest.mark.parametrize("file", FILES.values(), ids=FILES.keys())


def test_there_is_one_of_every_game_variant_and_number_of_seats() -> None:
    assert set(FILES) == set(recipes())
    assert set(SEEDS) < set(FILES)


def test_together_they_hold_every_kind_of_event() -> None:
    kinds = {entry.type for file in FILES.values() for entry in entries(file)}
    assert kinds == {kind.__struct_config__.tag for kind in Body.__args__}
    assert any('"label":"stock1"' in line.event for file in FILES.values() for line in file.lines)


@every_file
def test_it_is_written_again_to_the_byte(file: MatchFile) -> None:
    name = next(name for name, one in FILES.items() if one is file)
    assert b"".join(write(file)) == path_of(name).read_bytes()


@cache
def audited(name: str) -> Finding:
    return audit_file(FILES[name], Questions(policy=POLICY))


@pytest.mark.parametrize("name", FILES)
def test_it_is_made_again_by_the_rules_and_its_bots_decide_again_as_they_did(name: str) -> None:
    """A bot that decides otherwise has another policy: give it another name (`BOT_POLICY`), and
    make the golden logs anew.
    """
    finding = audited(name)
    assert finding.ok, finding
    assert finding.bots is not None
    assert finding.bots.verdict == "checked"


def test_bots_decide_in_some_of_them() -> None:
    bots = [audited(name).bots for name in FILES]
    assert sum(one.decisions for one in bots if one is not None) > 100


def test_those_that_are_called_abandoned_are() -> None:
    ends = {name: entries(file)[-1].type for name, file in FILES.items()}
    abandoned = {name for name, end in ends.items() if end == "match_abandoned"}
    assert abandoned == {"hokm-abandoned-in-play", "hand-new-stock-unscored"}


def test_all_of_them_fit_into_one_log() -> None:
    assert len({file.header.match for file in FILES.values()}) == len(FILES)


@every_file
def test_everybody_sees_at_every_version_what_was_seen(file: MatchFile) -> None:
    (note,) = file.header.notes
    assert note.name == DIGEST
    assert digest(as_rows(entries(file))) == msgspec.json.decode(note.value)


@every_file
def test_its_text_is_read_back_to_the_same_match(file: MatchFile) -> None:
    stored = entries(file)
    assert match_text.read(match_text.write(stored)) == stored


def test_the_verifier_in_javascript_finds_each_of_them_whole() -> None:
    texts = [path_of(name).read_text() for name in FILES]
    for name, report in zip(FILES, verify_all((text, {}) for text in texts), strict=True):
        assert report["ok"], (name, report["firstBad"])
        assert report["events"] == FILES[name].header.events
