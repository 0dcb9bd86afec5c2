"""The tables whose matches the verifier is tried on."""

from typing import Final

from schemas.commands import HandOptions, HokmOptions, Options

HOKM: Final = HokmOptions()
HAND: Final = HandOptions(variant="saudi", seats=3, rounds=3)
TABLES: Final[dict[str, Options]] = {
    "hokm": HOKM,
    "hokm, five shown": HokmOptions(target=3, show_five_before_trump=True),
    "hand of two": HandOptions(variant="classic", seats=2, rounds=3),
    "hand of three": HAND,
    "hand of four": HandOptions(variant="classic", seats=4, rounds=3),
    "hand of sides": HandOptions(variant="saudi_partnership", seats=4, rounds=3),
}
