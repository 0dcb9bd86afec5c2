"""Whole matches at a terminal, Hokm and every variant of Hand, with bots at the other seats."""

import random
import re

import pytest

from schemas.commands import HandOptions, HokmOptions, Options
from services.cli.join.arrival import Parting, Wishes
from services.cli.join.speech import LANGUAGES, Language, speech
from tests.cli.joining import CARD, ME, Answer, Paper, Seat, first, house, of_bots
from tests.rules.hand_play import VARIANTS
from tests.table.hall import Hall

OFFER = re.compile(r"(?<![0-9])([0-9]+)\) ")


async def played(options: Options, answer: Answer = first, language: Language = "en") -> Paper:
    """A whole match, every line of it."""
    async with Hall() as hall, house(hall):
        paper = Paper(answer)
        parting = await Seat(hall, language=language).play(
            paper, Wishes(opening=of_bots(options).action)
        )
        assert parting is Parting.ENDED
        assert hall.types()[-1] == "match_ended"
        return paper


def any_offer(seed: int) -> Answer:
    """One of the offers that were shown last, at random."""
    dice = random.Random(seed)

    def answer(paper: Paper) -> str:
        shown = next((line for line in reversed(paper.lines) if "The match starts" in line), None)
        if shown is None:
            return "yes"
        page = paper.lines[_last_blank(paper.lines) :]
        numbers = [int(number) for line in page for number in OFFER.findall(line)]
        return str(dice.choice(numbers or [1]))

    return answer


def _last_blank(lines: list[str]) -> int:
    """Where the last page begins."""
    return max((at for at, line in enumerate(lines) if not line), default=0)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_whole_match_of_hokm_by_the_first_offer(language: Language) -> None:
    paper = await played(HokmOptions(), language=language)
    assert paper.prompts


@pytest.mark.parametrize("options", VARIANTS, ids=lambda one: f"{one.variant}-{one.seats}")
async def test_a_whole_match_of_each_variant_of_hand_by_the_first_offer(
    options: HandOptions,
) -> None:
    paper = await played(options)
    assert "The match is over" in paper.text


@pytest.mark.parametrize("language", ["fa", "ar"])
async def test_a_whole_match_of_hand_in_the_other_languages(language: Language) -> None:
    options = HandOptions(variant="saudi", seats=2, rounds=3)
    paper = await played(options, language=language)
    assert paper.prompts


@pytest.mark.parametrize("seed", range(3))
async def test_any_offer_is_legal(seed: int) -> None:
    """No refusal is shown to who takes what is offered."""
    for options in (HokmOptions(), HandOptions(variant="classic", seats=2, rounds=3)):
        paper = await played(options, any_offer(seed))
        refusals = set(speech("en").refusals.values())
        assert not refusals & set(paper.lines)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("options", [HokmOptions(), *VARIANTS[2:3], *VARIANTS[5:]])
async def test_no_card_is_shown_that_the_feed_has_not_told(options: Options, seed: int) -> None:
    """In the first round, at whose end all is told."""
    async with Hall() as hall, house(hall):
        seat = Seat(hall, match=f"m_{seed:032x}")
        choose = any_offer(seed)
        checked = 0

        def told() -> set[str]:
            own = (m.data.decode() for m in hall.feeds if m.subject.split(".")[1] == ME)
            return {card for text in own for card in CARD.findall(text)}

        def answer(paper: Paper) -> str | None:
            nonlocal checked
            if "round_revealed" in hall.types(seat.match):
                return None
            assert set(CARD.findall(paper.text)) <= told()
            checked += 1
            return choose(paper)

        parting = await seat.play(Paper(answer), Wishes(opening=of_bots(options).action))
        assert parting in {Parting.AWAY, Parting.ENDED}
        assert checked > 3
