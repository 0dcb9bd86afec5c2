"""Two fixed positions, as seat 0 sees them."""

import msgspec

from schemas.commands import HandOptions, HokmOptions
from schemas.ids import Seat
from schemas.views import HandView, HokmView, Meld, Play, Toss
from tests.rules.hand_play import cards


def plays(text: str, first: Seat) -> tuple[Play, ...]:
    return tuple(Play((first + at) % 4, card) for at, card in enumerate(text.split()))


def hokm_view(**given: object) -> HokmView:
    """Seat 0 of four after two tricks and two cards of a third; hearts are trump."""
    view = HokmView(
        options=HokmOptions(),
        phase="playing",
        round=1,
        hakem=0,
        trump="H",
        turn=0,
        trick=plays("3C 9C", 2),
        earlier=(plays("AS 2S 2H 4S", 0), plays("AD 5D 6D 7S", 2)),
        tricks=(1, 1),
        score=(0, 0),
        left=(11, 11, 10, 10),
        seat=0,
        hand=cards("KS QS JS AH KH 3H KD 2D AC KC 2C"),
        playable=cards("AC KC 2C"),
        winner=None,
    )
    return msgspec.structs.replace(view, **given)


def hand_view(**given: object) -> HandView:
    """Seat 0 of three, seat 1 on turn; seat 1 has taken two cards, of which it placed one."""
    view = HandView(
        options=HandOptions(variant="classic", seats=3, rounds=3),
        phase="draw",
        round=1,
        dealer=2,
        turn=1,
        bar=51,
        opened=(False, True, False),
        melds=(Meld(1, 1, "run", ("9H1", "TH1", "JH2")),),
        fire=("2C1", "8D2"),
        tosses=(
            Toss(0, "2C1", None),
            Toss(0, "JH2", 1),
            Toss(1, "5S1", 2),
            Toss(0, "KD1", 1),
            Toss(2, "5S1", None),
            Toss(0, "8D2", None),
        ),
        stock=60,
        reshuffles=0,
        left=(13, 11, 14),
        must_open=False,
        must_place=(),
        taken=None,
        drawn=None,
        totals=(0, 0, 0),
        contenders=(0, 1, 2),
        seat=0,
        hand=cards("2S1 3S1 4S1 6S1 7S1 2H1 3H1 4H1 5H1 6H1 7H1 8H1 JK1"),
        winner=None,
    )
    return msgspec.structs.replace(view, **given)
