"""What players are called at a terminal: names beside seats, and nothing that a name could do."""

import asyncio
import unicodedata
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.commands import HokmOptions, OpenMatch, SeatPlan, TakeSeat
from schemas.ids import PlayerId
from services.cli.join.arrival import Parting, Wishes
from services.cli.join.outside import Outside
from services.cli.join.session import names
from services.cli.join.session.names import Names
from services.cli.join.session.strangers import plain, shown_name
from services.cli.join.session.web import WebAway
from services.cli.join.speech import LANGUAGES, Language, speech
from services.rules.seats import Chair
from tests.cli.joining import ME, Keys, Seat, nobody
from tests.table.hall import ANNE, BEHROUZ, FOUR_PEOPLE, Hall, assert_happened
from tests.waiting import until

TRICKS = ("\x1b[2J", "\u202e", "\u2066", "\u2069", "\n", "\r", "\t", "\u200f", "\x9b", "\ufeff")
"""What moves a cursor, turns a line around, or hides."""


class Book:
    """A web worker's answers about names, and how often they were asked for."""

    def __init__(self, **known: str) -> None:
        self.known = known
        self.asked: list[tuple[str, ...]] = []
        self.away = False

    async def __call__(self, players: Sequence[PlayerId]) -> Mapping[PlayerId, str]:
        self.asked.append(tuple(players))
        if self.away:
            raise WebAway("nobody")
        return {player: self.known[player] for player in players if player in self.known}


def outside(book: Book) -> Outside:
    return Outside(names=Names(book))


def sitting(*players: str) -> tuple[Chair, ...]:
    plans = (SeatPlan(seat=seat, filled_by="anyone") for seat in range(len(players)))
    return tuple(
        Chair(plan=plan, player=player) for plan, player in zip(plans, players, strict=True)
    )


# At the table ---------------------------------------------------------------------------------


async def test_names_stand_beside_the_seats_and_who_has_none_is_a_short_id() -> None:
    async with Hall() as hall:
        await hall.open()
        assert_happened(await hall.say(BEHROUZ, TakeSeat(seat=1)))
        paper = nobody()
        book = Book(**{ANNE: "Anne", ME: "Sara"})
        assert await Seat(hall, outside=outside(book)).play(paper, Wishes()) is Parting.AWAY
        assert "seat 0: “Anne”" in paper.text
        assert f"seat 1: {BEHROUZ[:8]}" in paper.text
        assert BEHROUZ not in paper.text


async def test_who_sits_down_later_is_told_by_his_name_and_plays_under_it() -> None:
    bots = tuple(SeatPlan(seat=s, filled_by="house", level="white") for s in (1, 3))
    plan = (FOUR_PEOPLE[0], bots[0], FOUR_PEOPLE[2], bots[1])
    async with Hall() as hall:
        book = Book(**{BEHROUZ: "Behrouz"})
        seat = Seat(hall, outside=outside(book))
        keys = Keys(seat.wake)

        async def sits_down() -> None:
            await until(lambda: "Free seats: 1" in keys.text, "the lobby")
            assert_happened(await hall.say(BEHROUZ, TakeSeat(seat=2)))
            await until(lambda: "Sits down: your partner “Behrouz”" in keys.text, "his name")
            keys.end()

        opening = OpenMatch(options=HokmOptions(), seats=plan)
        await asyncio.gather(sits_down(), seat.play(keys, Wishes(opening=opening)))
        assert book.asked == [(ME,), (BEHROUZ,)]


async def test_a_match_is_played_without_names_where_no_one_answers_for_them() -> None:
    async with Hall() as hall:
        await hall.open()
        book = Book()
        book.away = True
        paper = nobody()
        assert await Seat(hall, outside=outside(book)).play(paper, Wishes()) is Parting.AWAY
        assert f"seat 0: {ANNE[:8]}" in paper.text
        assert len(book.asked) == 1


async def test_names_that_could_not_be_had_are_asked_for_again_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    book = Book(**{ANNE: "Anne"})
    book.away = True
    around = sitting(ANNE)
    met = Names(book)
    await met.learn(around)
    book.away = False
    await met.learn(around)
    assert met.at(around) == {}
    assert len(book.asked) == 1
    monkeypatch.setattr(names, "ASK_AGAIN", 0.0)
    book.away = True
    met = Names(book)
    await met.learn(around)
    book.away = False
    await met.learn(around)
    assert met.at(around) == {0: "Anne"}


# What a name may not do -----------------------------------------------------------------------


@pytest.mark.parametrize("trick", TRICKS, ids=ascii)
async def test_a_name_that_plays_tricks_is_not_shown(trick: str) -> None:
    async with Hall() as hall:
        await hall.open()
        paper = nobody()
        book = Book(**{ANNE: f"An{trick}ne"})
        await Seat(hall, outside=outside(book)).play(paper, Wishes())
        assert trick not in "".join(paper.lines)
        assert f"seat 0: {ANNE[:8]}" in paper.text


@given(name=st.text(max_size=40))
def test_no_name_brings_a_sign_that_is_not_seen(name: str) -> None:
    shown = shown_name(name)
    if shown is None:
        return
    unseen = [sign for sign in shown if unicodedata.category(sign) in {"Cc", "Cs", "Zl", "Zp"}]
    assert unseen == []
    assert not set(shown) & {"\u202a", "\u202b", "\u202d", "\u202e", "\u2066", "\u2067", "\u2069"}
    assert not set(shown) & set('“”«»"')
    assert len(shown) <= 24


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_name_has_a_direction_of_its_own(language: Language) -> None:
    quoted = speech(language).quote("سروش")
    assert "\u2068سروش\u2069" in quoted
    assert quoted[0] in "“«"


def test_a_name_cannot_end_its_own_quotation() -> None:
    assert shown_name("Bob”: AS “") == "Bob': AS '"


def test_a_strangers_text_is_one_line_without_what_is_not_seen() -> None:
    assert plain("none\x1b[2J\nleft\u202e", 9) == "none[2Jle"


async def test_H20_who_sits_down_is_told_the_rules_and_whether_they_give_points() -> None:
    masked = tuple(SeatPlan(seat=s, filled_by="house", level="black") for s in (1, 3))
    plan = (FOUR_PEOPLE[0], masked[0], FOUR_PEOPLE[2], masked[1])
    options = HokmOptions(target=5, show_five_before_trump=True)
    async with Hall() as hall:
        assert_happened(await hall.say(ANNE, OpenMatch(options=options, seats=plan)))
        paper = nobody()
        assert await Seat(hall).play(paper, Wishes()) is Parting.AWAY
        assert "Hokm, the match goes to 5: " in paper.text
        assert "Two masked opponents (black) at seats 1 and 3" in paper.text
        assert "every player sees his own first five cards" in paper.text


async def test_H20_an_open_table_is_told_as_one() -> None:
    async with Hall() as hall:
        await hall.open()
        paper = nobody()
        await Seat(hall).play(paper, Wishes())
        assert "An open table, without masks" in paper.text
