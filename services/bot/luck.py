"""A bot's own chance: from the view only, so that a decision can be made again from the log, and
so that the same position has the same answer (H21).
"""

from hashlib import sha256
from random import Random

import msgspec
from msgspec.structs import replace

from schemas.views import HokmView, View

_encode = msgspec.json.Encoder().encode


def luck_of(view: View) -> Random:
    """The chance of one decision; the same wherever and however often it is asked, and in whatever
    order the cards came into the hand.
    """
    seed = int.from_bytes(sha256(_encode(_sorted(view))).digest())
    return Random(seed)  # noqa: S311 - worlds and whims; no card that anybody gets is shuffled here


def _sorted(view: View) -> View:
    if isinstance(view, HokmView):
        return replace(view, hand=tuple(sorted(view.hand)), playable=tuple(sorted(view.playable)))
    return replace(view, hand=tuple(sorted(view.hand)))
