"""What strangers wrote, made fit for a terminal: it may move no cursor and turn no line around.

Names and an error's text come from others by way of a service. That the service refuses what plays
tricks is no reason to trust it: this client checks by itself.
"""

import unicodedata
from typing import Final

from services.web.names import INVISIBLE, NameRefused, proper_name

SHORT_ID: Final = 8
"""Letters of an id by which a player without a name is told from others."""
QUOTES: Final = str.maketrans(dict.fromkeys('“”«»"„‟', "'"))
"""A name is shown in quotation marks, so it has none of its own."""


def plain(text: str, most: int) -> str:
    """A stranger's text without what no one sees, in one line of at most so many letters."""
    return "".join(sign for sign in text if unicodedata.category(sign) not in INVISIBLE)[:most]


def shown_name(name: str) -> str | None:
    """A display name as it may be shown in quotation marks; None if it is none."""
    proper = proper_name(name)
    return None if isinstance(proper, NameRefused) else " ".join(proper.split()).translate(QUOTES)


def short_id(player: str) -> str:
    """Enough of an opaque id to tell players apart at one table."""
    return plain(player, SHORT_ID)
