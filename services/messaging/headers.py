"""Headers that may be believed: what a player sends has none."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

SPOKEN: Final = ("cmd.", "cmdin.", "ask.")
"""Where players speak: commands as stored and as sent, and asks."""
NONE: Final[Mapping[str, str]] = MappingProxyType({})


def trusted(subject: str, headers: Mapping[str, str] | None) -> Mapping[str, str]:
    """`headers`, or none if a player may have set them."""
    if not headers or subject.startswith(SPOKEN):
        return NONE
    return headers
