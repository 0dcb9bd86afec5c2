"""Why a bot does what it does, and how good the other ways were: the words of the master's look
(H21).
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from schemas.cards import AnyCard, HokmCard

HokmWhy = Literal[
    "cash_winner",
    "draw_trumps",
    "save_for_partner",
    "make_void",
    "return_suit",
    "ruff",
    "save_from_hakem_kot",
    "low_card",
    "long_suit",
]
"""H21's eight reasons for a card; `long_suit` is the one for naming trump (H9)."""
HandWhy = Literal[
    "draw_stock",
    "take_fire",
    "go_out",
    "open_hand",
    "lay_melds",
    "lay_off",
    "free_joker",
    "throw_useless",
    "keep_from_next",
    "finish_duty",
]
"""`throw_useless`: of least use in this hand; `keep_from_next`: of the cards that would be thrown
first, the one the next seat cannot use; `finish_duty`: something must still go to the table.

A reason names the cards that its action moves, of a swap the joker too: the fire card, the cards of
the melds or the lay-off, the card thrown. `go_out` names all that goes to the table for it, or the
last card, which is thrown; `draw_stock` names none.
"""
Why = HokmWhy | HandWhy


class Reason(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One reason, and the cards that its sentence names, the asker's own or on the table."""

    why: Why
    cards: Annotated[tuple[AnyCard, ...], Meta(max_length=15)]


class Candidate(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A card that could be played. `chance`: of winning the round with it, per mille, as far
    as the seat can tell; `equal`: no worse than the best, as far as could be told.
    """

    card: HokmCard
    chance: Annotated[int, Meta(ge=0, le=1_000)]
    equal: bool
