"""The options a match may be opened with (H17, H19)."""

from collections.abc import Mapping
from typing import Final

from schemas.commands import HokmOptions, Options

PRESETS: Final[Mapping[str, HokmOptions]] = {
    "hakem": HokmOptions(target=2, win=1, kot=2, hakem_kot=3),
    "home": HokmOptions(target=7, win=1, kot=2, hakem_kot=3),
}
MOST_POINTS: Final = 100
"""The largest target, and the most points that a round may be worth."""


def sound(options: Options) -> bool:
    """1 ≤ win ≤ kot ≤ hakem_kot ≤ 100 and 1 ≤ target ≤ 100 (H17)."""
    if not isinstance(options, HokmOptions):
        return False
    ordered = 1 <= options.win <= options.kot <= options.hakem_kot <= MOST_POINTS
    return ordered and 1 <= options.target <= MOST_POINTS
