"""Headers that may be believed: of what a player sends none, but for the trace that he names."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from schemas.traces import HEADER, carried, parent_of

SPOKEN: Final = ("cmd.", "cmdin.", "ask.")
"""Where players speak: commands as stored and as sent, and asks."""
NONE: Final[Mapping[str, str]] = MappingProxyType({})


def trusted(subject: str, headers: Mapping[str, str] | None) -> Mapping[str, str]:
    """`headers`, or of those that a player may have set the trace alone, which decides nothing."""
    if not headers:
        return NONE
    if subject.startswith(SPOKEN):
        return carried(parent_of(headers.get(HEADER)))
    return headers
