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
NUMBERS: Final = {
    "hokm": 4,
    "hokm, five shown": 16,
    "hand of two": 2,
    "hand of three": 20,
    "hand of four": 15,
    "hand of sides": 47,
}
"""The numbers of matches in which all happens that gives cards, and which are not long."""
GAMES: Final[dict[str, Options]] = {"hokm": HOKM, "hand": HAND}
SHORT: Final = {"hokm": 26, "hand": 281}
"""The numbers of short matches in which everything happens that the forgeries change."""
