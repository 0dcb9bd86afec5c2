"""What a person typed that cannot be understood, to be said in words."""

from collections.abc import Mapping

from msgspec import Struct, field

from schemas.commands import GameAction


class Trouble(Struct, frozen=True):
    """`text` names one of the texts."""

    text: str
    values: Mapping[str, object] = field(default_factory=dict)


Read = GameAction | Trouble
"""What a line means, or why it means nothing."""
