"""A moment as a page of text, as one viewer saw it: plain, at most `WIDTH` columns wide.

Made from a `Look`, which holds what the viewer may see and nothing else, and from the public event.
"""

from datetime import UTC, datetime
from typing import assert_never

from schemas.views import HandView, HokmView
from services.replay.looks import Look
from services.replay.pages import hand, hokm
from services.replay.pages.events import words
from services.replay.pages.layout import WIDTH
from services.replay.rebuild import Moment

__all__ = ["WIDTH", "page", "table", "title"]


def page(moment: Moment, look: Look, last: int) -> str:
    """The whole page; `last`: the latest version that the match has."""
    return f"{title(moment, look, last)}\n> {words(moment.event)}\n\n{table(look)}"


def title(moment: Moment, look: Look, last: int) -> str:
    when = datetime.fromtimestamp(moment.event.time / 1000, UTC)
    return (
        f"{moment.match}  version {moment.version} of {last}  {when:%Y-%m-%d %H:%M:%S} UTC"
        f"  {look.viewer}"
    )


def table(look: Look) -> str:
    """What is on the table and in the hands, and what could be told from it."""
    return "\n".join(_table(look))


def _table(look: Look) -> list[str]:
    match look.view:
        case None:
            return _lobby(look)
        case HokmView() as view:
            return hokm.lines(look, view)
        case HandView() as view:
            return hand.lines(look, view)
        case _:
            assert_never(look.view)


def _lobby(look: Look) -> list[str]:
    seats = (
        f"  seat {one.seat}  {one.player or (f'house ({one.level})' if one.level else 'free')}"
        for one in look.sitting
    )
    return ["Nothing is dealt yet.", *seats]
