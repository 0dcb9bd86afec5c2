"""Stickers (H23): all that players say to each other; rate-limited, and in no log."""

import json
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from schemas import subjects, texts
from schemas.commands import LeaveSeat, TakeSeat
from schemas.feed import Ask, Sticker, decode_ask, decode_feed, encode_ask, encode_feed
from schemas.stickers import StickerId
from services.messaging.port import Message
from services.table import floods, stickers
from services.table.stickers import A_ROUND, EVERY, Manners
from tests.table.hall import ANNE, BEHROUZ, DINA, MASKED, MATCH, PLAYERS, Hall, assert_happened
from tests.table.playing import time_runs_out, to_the_end_of_a_round

WATCHER = "u_watcher00"
SALAM: StickerId = "salam"


async def show(hall: Hall, voice: str, sticker: StickerId = SALAM, match: str = MATCH) -> None:
    """Ask for it to be shown, and wait until that was taken up."""
    data = encode_ask(Ask(what="sticker", sticker=sticker))
    await hall.line.publish([Message(subject=subjects.ask(match, voice), data=data)])
    await hall.snapshot(WATCHER)


def shown(hall: Hall, voice: str) -> list[Sticker]:
    return [feed for feed in hall.heard(voice) if isinstance(feed, Sticker)]


async def test_H23_who_sits_shows_one_to_all_at_the_table() -> None:
    async with Hall() as hall:
        await hall.start()
        await show(hall, BEHROUZ, "well_played")
        said = Sticker(match=MATCH, seat=1, sticker="well_played")
        assert [shown(hall, player) for player in PLAYERS] == [[said]] * 4
        assert shown(hall, WATCHER) == []


async def test_an_owner_who_does_not_sit_sees_it_and_shows_none() -> None:
    async with Hall() as hall:
        await hall.open()
        assert_happened(await hall.say(ANNE, LeaveSeat()))
        await show(hall, ANNE)
        assert shown(hall, ANNE) == []
        assert_happened(await hall.say(BEHROUZ, TakeSeat(seat=1)))
        await show(hall, BEHROUZ)
        assert [one.seat for one in shown(hall, ANNE)] == [1]


@pytest.mark.parametrize("voice", [WATCHER, DINA])
async def test_a_spectators_is_ignored(voice: str) -> None:
    async with Hall() as hall:
        await hall.open(MASKED)
        await show(hall, voice)
        assert [shown(hall, one) for one in (ANNE, voice)] == [[], []]


async def test_it_is_in_no_log_and_no_move_and_touches_no_clock() -> None:
    async with Hall() as hall:
        await hall.start()
        before, rows = await hall.snapshot(BEHROUZ), hall.rows()
        hall.clock.seconds += 5
        await show(hall, BEHROUZ)
        await show(hall, ANNE)
        after = await hall.snapshot(BEHROUZ)
        assert shown(hall, ANNE)
        assert hall.rows() == rows
        assert msgspec.structs.replace(after, now=before.now) == before
        history = await hall.ask(ANNE, Ask(what="history"))
        assert b"salam" not in encode_feed(history)


async def test_one_seat_shows_one_in_three_seconds_and_others_go_on() -> None:
    async with Hall() as hall:
        await hall.start()
        for _ in range(4):
            await show(hall, BEHROUZ)
        await show(hall, ANNE)
        assert [one.seat for one in shown(hall, DINA)] == [1, 0]
        hall.clock.seconds += EVERY
        await show(hall, BEHROUZ, "oops")
        assert [one.sticker for one in shown(hall, DINA)] == ["salam", "salam", "oops"]


async def test_so_many_a_round_and_as_many_again_in_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(stickers, "A_ROUND", 2)
    async with Hall() as hall:
        await hall.start()
        for _ in range(5):
            hall.clock.seconds += EVERY
            await show(hall, BEHROUZ)
        assert len(shown(hall, ANNE)) == 2
        await to_the_end_of_a_round(hall)
        await show(hall, BEHROUZ)
        assert len(shown(hall, ANNE)) == 3


async def test_stickers_count_as_asks_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(floods, "MOST", 10)
    async with Hall() as hall:
        await hall.open()
        data = encode_ask(Ask(what="sticker", sticker="hurry"))
        for number in range(floods.MOST + 2):
            subject = subjects.ask(MATCH, ANNE)
            await hall.line.publish([Message(subject=subject, data=data)])
            await hall.snapshot(f"u_watcher{number:02d}")
        assert not hall.owner._of.floods.hears(ANNE)
        assert len(shown(hall, ANNE)) == 1


async def test_one_about_an_unknown_match_is_shown_to_nobody() -> None:
    async with Hall() as hall:
        await hall.open()
        await show(hall, ANNE, match="m_" + "f" * 32)
        assert shown(hall, ANNE) == []
        assert len(hall.heard(ANNE)) == 1


async def test_an_owner_who_shows_one_is_back_at_his_seat() -> None:
    async with Hall() as hall:
        await hall.start()
        voice = PLAYERS[(await hall.snapshot(WATCHER)).view.hakem]  # type: ignore[union-attr]
        for wanted in ("rest_dealt", "control_changed"):
            await time_runs_out(hall)
            assert wanted in hall.types()
        await show(hall, voice)
        assert hall.types().count("control_changed") == 2


@pytest.mark.parametrize(
    "data",
    [
        b'{"what":"sticker"}',
        b'{"what":"sticker","sticker":null}',
        b'{"what":"sticker","sticker":"lead_hearts"}',
        b'{"what":"sticker","sticker":"SALAM"}',
        b'{"what":"sticker","sticker":7}',
        b'{"what":"sticker","sticker":"salam","text":"hearts!"}',
        b'{"what":"snapshot","sticker":"salam"}',
        b'{"sticker":"salam"}',
    ],
)
def test_what_is_no_sticker_of_the_list_is_illegible(data: bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        decode_ask(data)


def test_asks_of_before_mean_what_they_meant() -> None:
    assert decode_ask(b"") == decode_ask(b"{}") == Ask(what="snapshot")
    assert decode_ask(b'{"what":"history","since":7}') == Ask(what="history", since=7)
    said = Sticker(match=MATCH, seat=2, sticker="thanks")
    data = encode_feed(said)
    assert data == f'{{"type":"sticker","match":"{MATCH}","seat":2,"sticker":"thanks"}}'.encode()
    assert decode_feed(data) == said


# The list and its counts ----------------------------------------------------------------------


def words(language: str) -> dict[str, str]:
    folder = Path(texts.__file__).parent / "stickers"
    found: dict[str, str] = json.loads((folder / f"{language}.json").read_text())
    return found


@pytest.mark.parametrize("language", ["fa", "ar", "en"])
def test_every_sticker_has_words_of_its_own_in_each_language(language: str) -> None:
    said = words(language)
    assert list(said) == list(get_args(StickerId))
    assert len(set(said.values())) == len(said)
    for text in said.values():
        assert 0 < len(text) <= 24
        assert text.isprintable() or language == "fa"  # its joiner is a sign that is not seen
        latin = any(letter.isascii() and letter.isalpha() for letter in text)
        assert latin == (language == "en")


def test_no_sticker_speaks_of_cards() -> None:
    said = " ".join(words("en").values()).lower()
    suits = ("heart", "spade", "club", "diamond", "trump", "ace", "king", "lead", "card")
    assert not any(word in said for word in suits)


def test_counts_are_bounded_and_the_quiet_ones_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stickers, "COUNTED", 3)
    manners = Manners()
    for number in range(10):
        assert manners.allow(f"m_{number:032x}", 0, since=None, now=float(number))
    assert len(manners._shown) == 3


def test_a_seat_that_is_refused_is_not_counted_further() -> None:
    manners, now = Manners(), 0.0
    for _ in range(A_ROUND):
        assert manners.allow(MATCH, 1, since=None, now=now)
        assert not manners.allow(MATCH, 1, since=None, now=now + EVERY / 2)
        now += EVERY
    assert not manners.allow(MATCH, 1, since=None, now=now)
    assert manners.allow(MATCH, 2, since=None, now=now)
    assert manners.allow(MATCH, 1, since="a" * 64, now=now)


def test_the_page_has_every_text() -> None:
    page = (Path(__file__).parents[2] / "docs" / "stickers.md").read_text()
    fa, ar, en = words("fa"), words("ar"), words("en")
    for sticker in get_args(StickerId):
        assert f"| `{sticker}` | {fa[sticker]} | {ar[sticker]} | {en[sticker]} |" in page
