"""Every event in words: each released line, and the shapes that none of them has."""

import re
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from schemas import released
from schemas.commands import HandScore
from schemas.events import (
    CardPlayed,
    Event,
    HandRound,
    RoundEnded,
    RoundScored,
    decode_event,
)
from services.replay.pages.events import words

LINES: Final = (Path(released.__file__).parent / "events.ndjson").read_text().splitlines()
WORDS: Final = """\
u_owner0000 opens the match (hokm@1)
u_friend000 takes seat 2
seat 0 adds randomness of its own
the match starts
52 cards are shuffled (ace_draw of round 1)
seat 2 is drawn (ace_draw)
seat 1 draws the ace and is hakem: KD 9D 6D JH 8C 8D JD QH 3C KH 8S AC
round 1: five cards each, seat 1 is hakem
seat 1 names ♣ C trump
the other cards are dealt
seat 1 plays AH
seat 1 takes the trick, 0:1
round 1 ends: tricks 6:7
round 1: its seed and packs are revealed
round 1 is scored: 1 for side 1 (win); now 0:1
the match ends: side 1 wins with 0:2
u_owner0000 opens the match (hand@1)
seat 2 is left by its player
time is up for seat 1
the house plays seat 1 from now on
seat 1 is played by its owner again
the match is abandoned (expired)
seat 2 is drawn (first_dealer)
40 cards are shuffled (stock1 of round 2)
round 1: seat 0 deals
seat 1 draws from the stock, 47 are left
seat 1 takes KD2 from the fire
seat 1 opens with AS1 AH1 AD2 + 2C1 3C1 JK1 (worth 52)
seat 1 lays AC1 off on meld 1
seat 1 lays 5C1 off on meld 2, high end
seat 1 swaps 4C2 for JK1 of meld 2
seat 1 throws TD1
round 1 ends: seat 1 goes out
round 1 is scored: penalties -30:2:200; now -30:2:200
"""


def event(body: CardPlayed | RoundEnded | RoundScored) -> Event:
    match = "m_" + "0" * 32
    return Event(match=match, version=9, time=1, origin="player", seat=3, body=body)


def test_every_released_line_has_its_words() -> None:
    assert [words(decode_event(line), "side") for line in LINES] == WORDS.splitlines()


def test_words_name_no_card_that_the_public_line_does_not_name() -> None:
    for line in LINES:
        for card in re.findall(r"\b[2-9TJQKA][SHDC][12]?\b", words(decode_event(line), "side")):
            assert f'"{card}"' in line


def test_H24_what_the_house_did_because_time_was_up_is_said_so() -> None:
    played = event(CardPlayed(card="AS"))
    assert words(played, "side") == "seat 3 plays AS"
    by_house = replace(played, origin="rule")
    assert words(by_house, "side") == "seat 3 plays AS (the house, for time was up)"


def test_N25_N29_how_a_round_of_hand_can_end() -> None:
    result = HandRound(went_out=1, hand=True, opened=(False, True), left=(("2S1",), ()))
    assert words(event(RoundEnded(round=2, result=result)), "seat") == (
        "round 2 ends: seat 1 goes out with Hand"
    )
    void = replace(result, went_out=None, hand=False)
    assert (
        words(event(RoundEnded(round=2, result=void)), "seat")
        == "round 2 ends: void, nobody went out"
    )
    score = HandScore(penalties=(0, 0), void=True)
    scored = RoundScored(round=2, score=score, totals=(5, 7))
    assert words(event(scored), "seat") == "round 2 is scored: void, penalties 0:0; now 5:7"
