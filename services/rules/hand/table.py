"""The melds on the table: how they come there and grow (N13, N20, N21). Ids count from 1."""

from collections.abc import Sequence
from typing import Literal

from schemas.cards import HandCard
from schemas.ids import Seat
from schemas.views import Meld
from services.rules.melds import End, Shape, is_joker, read

Melds = tuple[Meld, ...]


def shape_of(meld: Meld) -> Shape:
    shape = read(meld.cards)
    assert shape is not None, "what lies on the table is a meld"
    return shape


def meld_at(melds: Melds, meld_id: int) -> Meld | None:
    return melds[meld_id - 1] if 1 <= meld_id <= len(melds) else None


def with_melds(melds: Melds, owner: Seat, submitted: Sequence[tuple[HandCard, ...]]) -> Melds:
    """The table with the melds that `owner` lays; they belong to it for the round."""
    laid = (
        Meld(id=number, owner=owner, kind=_kind(cards), cards=cards)
        for number, cards in enumerate(submitted, len(melds) + 1)
    )
    return (*melds, *laid)


def _kind(cards: tuple[HandCard, ...]) -> Literal["run", "set"]:
    first, second, *_ = (card[0] for card in cards if not is_joker(card))
    return "set" if first == second else "run"


def with_card(melds: Melds, meld_id: int, card: HandCard, end: End | None) -> Melds:
    """The table after a lay-off; on a set (`end` None) the card comes last."""
    cards = melds[meld_id - 1].cards
    return _with_cards(melds, meld_id, (card, *cards) if end == "low" else (*cards, card))


def joker_in(melds: Melds, meld_id: int) -> HandCard:
    """The joker of a meld that has one."""
    return next(filter(is_joker, melds[meld_id - 1].cards))


def with_swap(melds: Melds, meld_id: int, card: HandCard) -> Melds:
    """The table with `card` in the place of the meld's joker."""
    cards = tuple(card if is_joker(old) else old for old in melds[meld_id - 1].cards)
    return _with_cards(melds, meld_id, cards)


def _with_cards(melds: Melds, meld_id: int, cards: tuple[HandCard, ...]) -> Melds:
    old = melds[meld_id - 1]
    grown = Meld(id=old.id, owner=old.owner, kind=old.kind, cards=cards)
    return (*melds[: meld_id - 1], grown, *melds[meld_id:])
