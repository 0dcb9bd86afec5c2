"""The master's look (H21) in a terminal: asked for by a word, told in words, never invented."""

from typing import Final

import pytest
from msgspec.structs import replace

from schemas.advice import Candidate, Reason
from schemas.commands import (
    ChooseTrump,
    Discard,
    HandOptions,
    HokmOptions,
    LayMelds,
    LayOff,
    Options,
    PlayCard,
    Suggestion,
)
from services.cli.join import person
from services.cli.join.advice import advice_lines
from services.cli.join.arrival import Wishes
from services.cli.join.speech import LANGUAGES, Language, speech
from services.rules.hand.view import view as hand_view
from tests.bot.positions import position
from tests.cli.joining import Keys, Paper, Seat, after_lines, first, house, of_bots
from tests.cli.test_join_direction import runs_to_the_left
from tests.cli.test_join_stay import playing, shows
from tests.rules.hand_play import position as hand_position
from tests.table.hall import Hall
from tests.table.playing import play_house
from tests.waiting import until

ENGLISH: Final = speech("en")
VIEW: Final = position("AD 2D 9H", trump="S", trick="KD")
HAND: Final = HandOptions(variant="classic", seats=2, rounds=3)
SAID: Final = Suggestion(
    actions=(PlayCard(card="AD"),),
    reason=Reason(why="cash_winner", cards=("AD",)),
    candidates=(
        Candidate(card="AD", chance=704, equal=True),
        Candidate(card="2D", chance=699, equal=True),
        Candidate(card="9H", chance=120, equal=False),
    ),
)
HINT: Final[dict[Language, str]] = {"en": "hint", "fa": "استاد", "ar": "أستاذ"}


def test_H21_the_best_card_the_reason_and_the_chances_in_percent() -> None:
    assert advice_lines(ENGLISH, VIEW, SAID) == [
        "The master's look: AD",
        "  This can take the trick: AD.",
        "Chance to win the round: AD 70%, 2D 70% (as good), 9H 12%",
    ]


NOT_ALL: Final = ENGLISH.say("hint_chance_is_not_all")


@pytest.mark.parametrize(
    ("other", "told"),
    [
        pytest.param(Candidate(card="2D", chance=900, equal=False), True, id="a better number"),
        pytest.param(Candidate(card="2D", chance=731, equal=True), True, id="better, and as good"),
        pytest.param(Candidate(card="2D", chance=702, equal=False), True, id="the same, and worse"),
        pytest.param(Candidate(card="2D", chance=702, equal=True), False, id="the same"),
        pytest.param(Candidate(card="2D", chance=610, equal=False), False, id="a worse number"),
    ],
)
def test_H21_where_the_numbers_say_another_card_it_is_told_that_they_are_not_all(
    other: Candidate, *, told: bool
) -> None:
    """A number is of the round; the choice goes by the match and by what is never done."""
    said = replace(SAID, candidates=(SAID.candidates[0], other))
    assert (NOT_ALL in advice_lines(ENGLISH, VIEW, said)) is told


def test_H21_a_trump_is_named_by_its_suit_and_has_no_chances() -> None:
    naming = Suggestion(
        actions=(ChooseTrump(suit="H"),), reason=Reason(why="long_suit", cards=("AH", "KH"))
    )
    assert advice_lines(ENGLISH, VIEW, naming) == [
        "The master's look: ♥ hearts (h)",
        "  Your longest and strongest suit makes the best trump: AH KH.",
    ]


def test_H21_in_hand_the_whole_turn_is_told_in_its_order() -> None:
    state = hand_position("5H1 6H1 7H2 9S2 2C1", table="9C1 9D1 9H1")
    turn = Suggestion(
        actions=(
            LayMelds(melds=(("5H1", "6H1", "7H2"),)),
            LayOff(meld=1, card="9S2"),
            Discard(card="2C1"),
        ),
        reason=Reason(why="go_out", cards=("5H1", "6H1", "7H2", "9S2", "2C1")),
    )
    assert advice_lines(ENGLISH, hand_view(state, state.turn), turn) == [
        "The master's look: lay 5H1 6H1 7H2 (worth 18)",
        "  and then: lay 9S2 off on meld 1",
        "  and then: throw 2C1",
        "  You can get rid of all your cards this turn: 5H1 6H1 7H2 9S2 2C1.",
    ]


@pytest.mark.parametrize("language", ["fa", "ar"])
def test_every_line_of_it_runs_to_the_left(language: Language) -> None:
    higher = Candidate(card="9H", chance=990, equal=False)
    said = replace(SAID, candidates=(*SAID.candidates, higher))
    for line in advice_lines(speech(language), VIEW, said):
        assert runs_to_the_left(line), ascii(line)
        assert "{" not in line


@pytest.mark.parametrize("language", LANGUAGES)
def test_its_word_is_known_in_every_language(language: Language) -> None:
    assert speech(language).meaning(HINT[language]) == "hint"


@pytest.mark.parametrize("options", [HokmOptions(target=1), HAND])
async def test_H21_at_a_table_the_masters_look_is_had_on_ones_turn(options: Options) -> None:
    """At two turns, and the match goes on to its end."""
    async with Hall() as hall, house(hall):
        paper = Paper(after_lines(["1", "hint", "1", "hint"], first))
        await Seat(hall).play(paper, wishes(options))
        assert sum(line.startswith("The master's look: ") for line in paper.lines) == 2
        assert not any("gave no answer" in line for line in paper.lines)


def wishes(options: Options) -> Wishes:
    return Wishes(opening=of_bots(options).action, nonce=False)


async def started(keys: Keys, seat: Seat) -> None:
    """The match has been started, and its first round dealt."""
    await shows(keys, "Start?")
    keys.type("")
    await until(lambda: seat.client.view is not None, "the first deal")


async def test_H21_off_turn_it_is_said_that_it_is_not_ones_turn() -> None:
    """Nobody plays for the bots here, and seat 0 begins no match of Hand."""
    async with Hall() as hall:
        seat = Seat(hall)
        keys = Keys(seat.wake)
        async with playing(keys, seat, wishes(HAND)):
            await started(keys, seat)
            while seat.client.my_turn() is not None:
                await play_house(hall, own=True)
            keys.type("hint")
            await shows(keys, "It is not your turn")


async def test_H21_where_no_bot_answers_it_is_said_within_a_bounded_wait(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(person, "HINT_WITHIN", 0.05)
    async with Hall() as hall:
        seat = Seat(hall)
        keys = Keys(seat.wake)
        async with playing(keys, seat, wishes(HAND)):
            await started(keys, seat)
            while seat.client.my_turn() is None:
                heard = seat.client.version
                await play_house(hall, own=False)
                await until(lambda: seat.client.version > heard, "to hear of it")  # noqa: B023
            keys.type("hint")
            await shows(keys, "gave no answer")
            assert "The master's look" not in keys.text
