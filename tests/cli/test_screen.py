"""The full screen, headless: walking, whose eyes, and that no hidden card is on any line of it."""

import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Final

import pytest
from textual.pilot import Pilot

from schemas.cards import HAND_PACK
from services.cli.screen import ReplayScreen
from services.event_log.port import Row
from services.replay.looks import look
from services.replay.pages import happened, table
from services.replay.rebuild import at
from services.replay.timeline import Timeline, timeline
from services.rules import sight
from tests.streams import played
from tests.table.test_hidden_hand import VARIANTS, mover
from tests.table.twins import Script
from tests.waiting import until

ROWS: Final = played(7).rows
LINE: Final = timeline(ROWS)
EVERYBODY: Final = ("judge", "public", "seat:0", "seat:1", "seat:2", "seat:3")
CARD: Final = re.compile(r"\b(?:[2-9TJQKA][SHDC][12]?|JK[12])\b")
WIDE: Final = (160, 50)
NARROW: Final = (100, 50)
SMALL: Final = (80, 24)

Shown = Pilot[None]


@asynccontextmanager
async def showing(
    viewers: Sequence[str] = EVERYBODY,
    *,
    version: int = 40,
    line: Timeline = LINE,
    size: tuple[int, int] = WIDE,
) -> AsyncIterator[Shown]:
    async with ReplayScreen(line, viewers, version=version).run_test(
        size=size, notifications=True
    ) as pilot:
        await pilot.pause()
        yield pilot


def app(pilot: Shown) -> ReplayScreen:
    assert isinstance(pilot.app, ReplayScreen)
    return pilot.app


def text(pilot: Shown) -> str:
    """All that is on the screen, line by line."""
    strips = pilot.app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip).rstrip() for strip in strips)


async def after(pilot: Shown, *keys: str) -> int:
    await pilot.press(*keys)
    await pilot.pause()
    return app(pilot).version


# Walking --------------------------------------------------------------------------------------


async def test_right_and_left_go_one_version() -> None:
    async with showing() as pilot:
        assert await after(pilot, "right") == 41
        assert await after(pilot, "left", "left") == 39
        assert happened(at(ROWS, 39)) in text(pilot)


async def test_down_and_up_go_to_the_next_trick_and_back() -> None:
    async with showing() as pilot:
        assert await after(pilot, "down") == 41
        assert "takes the trick" in text(pilot).splitlines()[1]
        assert await after(pilot, "down") == 46
        assert await after(pilot, "up", "up") == 36


async def test_page_down_and_up_go_to_the_next_deal_and_back() -> None:
    async with showing() as pilot:
        first, second, third = LINE.rounds
        assert await after(pilot, "pagedown") == second
        assert await after(pilot, "pagedown") == third
        assert await after(pilot, "pagedown") == LINE.last
        assert await after(pilot, "pageup", "pageup", "pageup") == first


async def test_home_and_end_are_the_ends_and_nothing_lies_beyond() -> None:
    async with showing() as pilot:
        assert await after(pilot, "home") == 1
        assert await after(pilot, "left", "up", "pageup") == 1
        assert "Not started: the match waits for seat 2 to be taken." in text(pilot)
        assert await after(pilot, "end") == LINE.last
        assert await after(pilot, "right", "down", "pagedown") == LINE.last
        assert f"version {LINE.last} of {LINE.last}" in text(pilot)


@pytest.mark.parametrize("key", ["q", "ctrl+c"])
async def test_q_and_ctrl_c_end_it(key: str) -> None:
    async with showing() as pilot:
        await pilot.press(key)
        assert not pilot.app.is_running
        assert pilot.app.return_code == 0


async def test_j_and_k_scroll_a_page_that_is_longer_than_the_screen() -> None:
    async with showing(line=timeline(hand_rows()), version=50, size=SMALL) as pilot:
        heading = text(pilot).splitlines()[3]
        assert heading.startswith("Hand (classic), round 1 of 3: seat 0 is to draw")
        assert await after(pilot, "j", "shift+down") == 50
        assert heading not in text(pilot)
        await after(pilot, "k", "shift+up")
        assert text(pilot).splitlines()[3] == heading


# Seeing ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_the_table_is_the_page_of_that_moment_and_viewer(size: tuple[int, int]) -> None:
    async with showing(size=size) as pilot:
        for version in (1, 12, 40):
            app(pilot).action_go(version)
            await pilot.pause()
            shown = [line.partition("│")[0].rstrip() for line in text(pilot).splitlines()]
            for line in table(look("judge", at(ROWS, version).state)).splitlines():
                assert line in shown


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_what_happened_is_listed_beside_and_what_comes_later_is_not(
    size: tuple[int, int],
) -> None:
    async with showing(("public",), size=size) as pilot:
        screen = text(pilot)
        assert f"   40 {happened(at(ROWS, 40))}" in screen
        assert f"   39 {happened(at(ROWS, 39))}" in screen
        assert "   41 " not in screen


async def test_v_looks_with_the_next_eyes_and_comes_round() -> None:
    async with showing(size=SMALL) as pilot:
        for viewer in (*EVERYBODY[1:], EVERYBODY[0]):
            await after(pilot, "v")
            assert app(pilot).viewer == viewer
            assert text(pilot).startswith(f"{viewer}  version 40 of {LINE.last}  ")


async def test_eyes_that_may_not_be_used_are_not_offered_and_their_key_says_why() -> None:
    async with showing(("public",), size=SMALL) as pilot:
        assert " eyes" not in text(pilot).splitlines()[-1]
        await after(pilot, "v")
        assert app(pilot).viewer == "public"
        await until(lambda: "eyes say --live" in text(pilot), "the reason to be shown")


async def test_in_a_small_terminal_every_key_is_offered() -> None:
    async with showing(size=SMALL) as pilot:
        footer = text(pilot).splitlines()[-1]
        for word in ("version", "trick/turn", "round", "ends", "scroll", "v eyes", "q quit"):
            assert word in footer


@pytest.mark.parametrize("game", ["hokm", "hand"])
async def test_in_a_small_terminal_one_sees_whose_turn_it_is_and_the_hands(game: str) -> None:
    line = LINE if game == "hokm" else timeline(hand_rows())
    state = line.at(40).state
    async with showing(line=line, size=SMALL) as pilot:
        shown = text(pilot)
        assert {card for hand in state.game.hands for card in hand} <= set(CARD.findall(shown))
        assert f"seat {sight.turn(state)} is to " in shown
        assert f"> seat {sight.turn(state)} " in shown


async def test_what_the_table_leaves_is_the_pasts_and_none_of_it_is_empty() -> None:
    async with showing(("seat:0",), size=(120, 32)) as pilot:
        lines = text(pilot).splitlines()
        rule = next(at for at, line in enumerate(lines) if line.startswith("────"))
        assert all(lines[rule - 5 : rule])
        assert len(lines[rule + 1 : -1]) >= 8
        assert all(line.strip() for line in lines[rule + 1 : -1])


async def test_the_table_is_wrapped_anew_for_another_size() -> None:
    async with showing(("public",), version=9, size=WIDE) as pilot:
        *_, last = table(look("public", at(ROWS, 9).state)).splitlines()
        assert last in text(pilot)
        await pilot.resize_terminal(1, 1)
        await until(lambda: last not in text(pilot), "a smaller screen")
        await pilot.resize_terminal(*WIDE)
        await until(lambda: last in text(pilot), "the whole table again")


async def test_with_other_eyes_the_hands_are_hidden() -> None:
    async with showing(version=20) as pilot:
        hands = at(ROWS, 20).state.game.hands
        assert {card for cards in hands for card in cards} <= set(CARD.findall(text(pilot)))
        await after(pilot, "v")
        assert text(pilot).count("hidden") == 4
        await after(pilot, "v")
        assert text(pilot).count("hidden") == 3


@pytest.mark.parametrize("game", ["hokm", "hand"])
async def test_no_line_names_a_hidden_card_but_as_one_that_is_unseen(game: str) -> None:
    """Each viewer's screen at a few moments, what could be told left out of it."""
    line = LINE if game == "hokm" else timeline(hand_rows())
    seats = len(line.at(1).state.chairs)
    viewers = ("public", *(f"seat:{seat}" for seat in range(seats)))
    async with showing(viewers, line=line, version=1) as pilot:
        for version in (34, 57):
            app(pilot).action_go(version)
            for seat in (*range(seats), None):
                await after(pilot, "v")
                viewer = app(pilot).viewer
                assert not hidden(line, version, viewer) & named(pilot, viewer), (version, seat)


def named(pilot: Shown, viewer: str) -> set[str]:
    """The cards on the screen, but for those of the part that says what could be told."""
    told = table(look(viewer, app(pilot)._line.at(app(pilot).version).state))
    unseen = told.partition("could tell")[2].splitlines()[1:]
    lines = [line for line in text(pilot).splitlines() if not any(_same(line, u) for u in unseen)]
    return {card for line in lines for card in CARD.findall(line)}


def _same(line: str, told: str) -> bool:
    return bool(told) and line.startswith(told)


def hidden(line: Timeline, version: int, viewer: str) -> set[str]:
    """What lies in others' hands and never lay open in this match."""
    state = line.at(version).state
    if state.game is None:
        return set()
    own = f"seat:{viewer[-1]}" == viewer
    held = {
        card
        for seat, cards in enumerate(state.game.hands)
        if not (own and seat == int(viewer[-1]))
        for card in cards
    }
    shown = {card for moment in line.moments[:version] for card in CARD.findall(happened(moment))}
    return held - shown


def hand_rows() -> list[Row]:
    script = Script(5, VARIANTS[1], HAND_PACK, mover)
    for _ in range(60):
        script.move()
    return script.rows
