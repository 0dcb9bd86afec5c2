"""A moment as a page of text, as one viewer saw it: plain, and as wide as is asked for.

Made from a `Look`, which holds what the viewer may see and nothing else, and from the public event.
"""

from datetime import UTC, datetime
from typing import assert_never

from schemas.views import HandView, HokmView
from services.replay.looks import Look
from services.replay.pages import hand, hokm, lobby
from services.replay.pages.events import words
from services.replay.pages.layout import WIDTH, Line
from services.replay.rebuild import Moment, unit_word

__all__ = ["WIDTH", "happened", "page", "table", "title"]


def page(moment: Moment, look: Look, last: int) -> str:
    """The whole page; `last`: the latest version that the match has."""
    return f"{title(moment, look, last)}\n> {happened(moment)}\n\n{table(look)}"


def title(moment: Moment, look: Look, last: int) -> str:
    """The most wanted first: a narrow screen cuts the rest."""
    when = datetime.fromtimestamp(moment.event.time / 1000, UTC)
    return (
        f"{look.viewer}  version {moment.version} of {last}  {moment.match}"
        f"  {when:%Y-%m-%d %H:%M:%S} UTC"
    )


def happened(moment: Moment) -> str:
    """The event that led to this moment, in words."""
    return words(moment.event, unit_word(moment.state))


def table(look: Look, width: int = WIDTH) -> str:
    """What is on the table and in the hands, and what could be told from it, in `width` columns."""
    return "\n".join(part for line in _table(look) for part in line.wrapped(width))


def _table(look: Look) -> list[Line]:
    match look.view:
        case None:
            return lobby.lines(look)
        case HokmView() as view:
            return hokm.lines(look, view)
        case HandView() as view:
            return hand.lines(look, view)
        case _:
            assert_never(look.view)
