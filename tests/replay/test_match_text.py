"""Matches as texts: what is written is the match, to the byte, and a person can follow it."""

from collections.abc import Callable
from typing import Any, Final

import msgspec
import pytest
from msgspec.structs import replace

from schemas.commands import HokmOptions, Options
from services.event_log.chain import NO_HEAD, next_head
from services.event_log.port import Entry
from services.replay.text.form import MatchUnwritable
from services.replay.text.match_text import read, write
from services.rules.games import PRESETS
from tests.eventful import FATES, Fate, asleep, eventful, mixed
from tests.replay.example_texts import HOKM, SAUDI, SAUDI_SHOWN
from tests.rules.hand_play import VARIANTS
from tests.streams import played

OPTIONS: dict[str, Options] = {
    "hakem": PRESETS["hokm"]["hakem"],
    "home": PRESETS["hokm"]["home"],
    "dear": HokmOptions(target=100, win=20, kot=30, hakem_kot=100, show_five_before_trump=True),
    **{f"{table.variant}-{table.seats}": table for table in VARIANTS},
}


def entries(seed: int, options: Options, fate: Fate | None = None) -> tuple[Entry, ...]:
    return tuple(row.entry for row in eventful(seed, options, fate))


# Lossless -------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
@pytest.mark.parametrize("fate", FATES)
def test_every_game_and_variant_comes_back_to_the_byte(options: Options, fate: Fate) -> None:
    match = entries(101, options, fate)
    assert read(write(match)) == match


def test_a_mixture_of_eventful_matches_comes_back_to_the_byte() -> None:
    seen: set[str] = set()
    for rows in mixed(40, first=500):
        match = tuple(row.entry for row in rows)
        text = write(match)
        assert read(text) == match
        seen |= {word for word in WORDS if word in text}
    assert seen == set(WORDS)


WORDS: Final = (
    *(" sits ", " leaves)", " nonce ", " late)", " back)", " house)", "(start)", "(new stock "),
    *("(abandoned operator)", "(abandoned expired)", "(abandoned fault)", "[Invitation "),
    *("fire ", "lay #", "open ", "off #", " low", " high", "swap #", " for JK", "drop "),
    *("Draw ", "Five ", "Trump ", "-> 0", "Winner side", "Winner seat"),
)
"""What the mixture must have shown to say anything."""


def test_a_match_in_which_everybody_sleeps_comes_back_to_the_byte() -> None:
    for options in (OPTIONS["classic-3"], OPTIONS["saudi_partnership-4"], OPTIONS["hakem"]):
        match = tuple(row.entry for row in asleep(1, options))
        text = write(match)
        assert read(text) == match
        assert ("Ended void\nScore void, now 0:0" in text) == (options != OPTIONS["hakem"])


@pytest.mark.parametrize("seed", range(8))
def test_matches_that_are_moved_at_random_come_back_to_the_byte(seed: int) -> None:
    match = tuple(row.entry for row in played(seed).rows)
    assert read(write(match)) == match


@pytest.mark.parametrize("text", [HOKM, SAUDI], ids=["hokm", "saudi"])
def test_texts_of_the_first_form_are_read_and_written_for_ever(text: str) -> None:
    assert write(read(text)) == text


def test_the_page_shows_a_round_of_a_real_match() -> None:
    lines = SAUDI.splitlines()
    at = 0
    for shown in SAUDI_SHOWN.splitlines():
        if shown != "…":
            at = lines.index(shown, at) + 1


# For people -----------------------------------------------------------------------------------


def test_the_play_comes_before_what_only_the_bytes_need() -> None:
    lines = SAUDI.splitlines()
    play = [n for n, line in enumerate(lines) if line and not line.startswith("[")]
    winner = lines.index("Winner seat 2")
    assert all(len(line) <= 160 for line in lines[:winner])
    assert lines.index('[Ruleset "hand@1"]') < play[0]
    assert [line.split(" ")[0] for line in lines[winner + 2 : winner + 7]] == [
        "[Policy",
        "[Key",
        "[Shuffle",
        "[Seal",
        "[Secret",
    ]


def test_comments_blanks_and_commas_are_free() -> None:
    text, match = HOKM, read(HOKM)
    noisy = text.replace("(start)", '(start) {now it\nbegins: شروع [x] (y) }\n% "ruff" {')
    noisy = noisy.replace("\n", "\n\n").replace(" 0:", ",\t0:").replace("[Key", " [Key")
    assert read("\ufeff" + noisy) == match
    assert read(text.replace("\n", "\r\n")) == match


def test_tags_for_the_eye_may_be_missing() -> None:
    bare = [line for line in HOKM.splitlines() if not line.startswith(("[Opened", "[Ev", "[Res"))]
    assert write(read("\n".join(bare))) == HOKM


MATCH = tuple(row.entry for row in played(3).rows)


def changed(place: int, change: Callable[[dict[str, Any]], None]) -> tuple[Entry, ...]:
    """The match with one line changed and all later heads made anew."""
    head, made = NO_HEAD, []
    for number, entry in enumerate(MATCH):
        line = msgspec.json.decode(entry.line)
        if number == place % len(MATCH):
            change(line)
        written = msgspec.json.encode(line).decode()
        head = next_head(head, written)
        made.append(replace(entry, line=written, head=head))
    return tuple(made)


def unwritable(match: tuple[Entry, ...]) -> str:
    with pytest.raises(MatchUnwritable) as raised:
        write(match)
    return str(raised.value)


@pytest.mark.parametrize("length", [0, 1, 20, len(MATCH) - 1])
def test_a_match_in_play_has_none(length: int) -> None:
    assert "only a match that is over" in unwritable(MATCH[:length])


def test_a_time_that_differs_within_one_act_is_noticed() -> None:
    place = next(n for n, entry in enumerate(MATCH) if entry.type == "trick_taken")
    match = changed(place, lambda line: line.update(time=1))
    assert unwritable(match) == f"the rules make another match, from version {place + 1} on"


def test_a_result_that_is_not_the_rules_own_is_noticed() -> None:
    match = changed(-1, lambda line: line["body"].update(totals=[7, 7]))
    assert unwritable(match) == f"the rules make another match, from version {len(MATCH)} on"


def test_a_secret_that_was_not_sealed_is_noticed() -> None:
    match = changed(-1, lambda line: line["body"].update(secret="00" * 32))
    assert "not the one that was sealed" in unwritable(match)


def test_a_card_that_may_not_be_played_is_noticed() -> None:
    place = next(n for n, entry in enumerate(MATCH) if entry.type == "card_played")
    match = changed(place, lambda line: line["body"].update(card="2S"))
    assert unwritable(match).startswith("the stream is damaged: AssertionError at play.py")


def test_a_line_that_is_missing_is_noticed() -> None:
    assert unwritable((*MATCH[:40], *MATCH[41:]))


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("card_played", {"head": NO_HEAD}),
        ("card_played", {"version": 9_999}),
        ("card_played", {"secret": '{"order":[]}'}),
        ("card_played", {"command": "too-short"}),
        ("trick_taken", {"command": "of-no-act-at-all-"}),
        ("trick_taken", {"type": "card_played"}),
        ("cards_shuffled", {"secret": None}),
        ("match_ended", {"stream": "m_" + "0" * 32}),
    ],
)
def test_a_row_that_is_not_its_lines_own_is_noticed(kind: str, change: dict[str, object]) -> None:
    place = next(n for n, entry in enumerate(MATCH) if entry.type == kind)
    other = replace(MATCH[place], **change)
    assert unwritable((*MATCH[:place], other, *MATCH[place + 1 :]))


def test_lines_that_are_none_are_noticed() -> None:
    garbage = replace(MATCH[5], line="\x00{")
    found = unwritable((*MATCH[:5], garbage, *MATCH[6:]))
    assert found.startswith("the stream is damaged: DecodeError at decoding.py:")
