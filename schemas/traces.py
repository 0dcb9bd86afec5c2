"""How a trace is carried in a message's headers, by W3C's Trace Context."""

from typing import Annotated, Final

from msgspec import Meta

from schemas.ids import matches

HEADER: Final = "traceparent"
TraceParent = Annotated[
    str,
    Meta(pattern=r"^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$", max_length=55),
]
"""Version 00, the trace, who is asked from, its flags: no number of zeros alone but for these."""


def parent_of(value: str | None) -> str | None:
    """The header's value as it is, None for one that has not the form."""
    return value if value is not None and matches(value, TraceParent) else None


def carried(value: str | None) -> dict[str, str]:
    """The headers of what follows from that; none for None."""
    return {} if value is None else {HEADER: value}
