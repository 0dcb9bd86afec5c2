"""A view of seat 0, written as a player would tell it."""

from collections.abc import Sequence

from schemas.cards import HokmCard, Suit
from schemas.commands import HokmOptions, PlayCard
from schemas.ids import Seat
from schemas.views import BotTurn, HokmView, Play
from services.rules.tricks import SUIT_OF, following, winner
from tests.bot.rounds import MATCH, Player, rule

ME = 0
RIGHT, PARTNER, LEFT = 1, 2, 3
"""The seat that plays after me, the one opposite, and the one that plays before me."""


def position(
    hand: str,
    *,
    trump: Suit,
    trick: str = "",
    earlier: Sequence[str] = (),
    hakem: Seat = LEFT,
    tricks: tuple[int, int] | None = None,
) -> HokmView:
    """I hold `hand` and am on turn. `trick`: the cards on the table, in order, the last by my
    left neighbour. `earlier`: tricks such as "2: KD 3D 4D AD", the seat that led first.
    `tricks`: mine and theirs, by default as `earlier` went.
    """
    cards, table = tuple(hand.split()), _plays(trick, -len(trick.split()) % 4)
    past = tuple(_plays(line.split(":")[1], int(line.split(":")[0])) for line in earlier)
    led = SUIT_OF[table[0].card] if table else None
    known = [*cards, *(play.card for plays in (*past, table) for play in plays)]
    assert len(known) == len(set(known)), "a card is there twice"
    return HokmView(
        options=HokmOptions(),
        phase="playing",
        round=1,
        hakem=hakem,
        trump=trump,
        turn=ME,
        trick=table,
        earlier=past,
        tricks=tricks or _taken(past, trump),
        score=(0, 0),
        left=(len(cards),) * 4,
        seat=ME,
        hand=cards,
        playable=following(cards, led),
        winner=None,
    )


def card(view: HokmView, player: Player = rule) -> HokmCard:
    """The card that `player` plays, by default the rules of thumb."""
    action = player(turn(view))
    assert isinstance(action, PlayCard)
    return action.card


def turn(view: HokmView) -> BotTurn:
    assert view.seat is not None
    return BotTurn(match=MATCH, seat=view.seat, move=7, level="white", task="play", view=view)


def _plays(cards: str, leader: int) -> tuple[Play, ...]:
    return tuple(Play((leader + at) % 4, card) for at, card in enumerate(cards.split()))


def _taken(past: Sequence[tuple[Play, ...]], trump: Suit) -> tuple[int, int]:
    sides = [winner(trick, trump).seat % 2 for trick in past]
    return sides.count(0), sides.count(1)
