"""A service at which much has happened, so that every list of the page has something in it."""

import sqlite3
from contextlib import closing
from typing import Final

from msgspec import Struct

from schemas.commands import (
    Action,
    ChooseTrump,
    HandOptions,
    HokmOptions,
    LeaveSeat,
    OpenMatch,
    Options,
    PlayCard,
    SeatPlan,
    StartMatch,
)
from schemas.feed import Happened, Refused
from schemas.views import HokmView
from services.cli.client import new_match_id
from tests.service.guests import Guest, ask, guests
from tests.service.up_process import Up
from tests.waiting import until, until_async

DAILY: Final = 40
"""Free matches of a day: one host opens all tables."""
TABLES: Final = 22
"""Open tables: more than a page of them."""
STRANGERS: Final = 24
"""Players with more points than Anne: more than a page of them."""
OVER: Final = 2
RUNNING: Final = 3
"""Matches of Anne's, in lists."""
NAMES: Final = ("<b>W</b> " + "W" * 15, "نامی بسیار دراز و فارسی")
"""The longest that there may be, one of them nothing to be read as HTML."""
WITHIN: Final = 30.0

MASKS: Final = (
    SeatPlan(seat=0, filled_by="owner"),
    *(SeatPlan(seat=seat, filled_by="house", level="white") for seat in (1, 2, 3)),
)
FRIENDS: Final = (
    SeatPlan(seat=0, filled_by="owner"),
    *(SeatPlan(seat=seat, filled_by="anyone") for seat in (1, 2, 3)),
)
HALF: Final = (*MASKS[:2], SeatPlan(seat=2, filled_by="anyone"), MASKS[3])
SAUDI: Final = HandOptions(variant="saudi_partnership", seats=4, rounds=9)
LONG: Final = HandOptions(variant="classic", seats=4, rounds=9)
"""Like Hokm to 100: the house may play it for her, and it is not over while somebody looks."""
ODD: Final = HokmOptions(target=100, kot=50, hakem_kot=100, show_five_before_trump=True)


class House(Struct, frozen=True):
    """Whose lists are looked at, and her matches of Hokm and Hand that wait for her card."""

    token: str
    player: str
    running: str
    hand: str


async def furnished(up: Up) -> House:
    """Anne has matches of every kind, others have points, and tables wait."""
    async with guests(up, 2) as (anne, host):
        for guest, name in zip((anne, host), NAMES, strict=True):
            assert ask(up, "PUT", "/profile", guest.token, {"name": name}).status == 200
        for number in range(TABLES):
            await opened(up, host, *((SAUDI, FRIENDS) if number % 3 else (ODD, HALF)))
        await play(anne, await opened(up, anne, HokmOptions(target=1), MASKS))
        await leave(anne, await opened(up, anne, HokmOptions(target=1), MASKS))
        hand = await opened(up, anne, LONG, MASKS)
        await do(anne, hand, StartMatch())
        await opened(up, anne, SAUDI, FRIENDS)
        running = await opened(up, anne, HokmOptions(target=100), MASKS)
        await do(anne, running, StartMatch())
        await until_async(lambda: dealt(anne, running), "her five cards", within=WITHIN)
    await until(lambda: counted(up, anne), "her matches to be counted", within=WITHIN)
    endow(up, anne.name)
    return House(anne.token, anne.name, running, hand)


async def opened(up: Up, guest: Guest, options: Options, seats: tuple[SeatPlan, ...]) -> str:
    match = new_match_id()
    said = ask(up, "POST", "/ticket", guest.token, {"match": match, "offset": 0})
    opening = OpenMatch(options=options, seats=seats, ticket=said.json["ticket"])
    await do(guest, match, opening)
    return match


async def do(guest: Guest, match: str, action: Action, move: int | None = None) -> None:
    answer = await guest.do(match, action, move=move)
    assert not isinstance(answer, Refused), answer


async def dealt(guest: Guest, match: str) -> bool:
    view = (await guest.snapshot(match)).view
    return isinstance(view, HokmView) and view.phase in ("choosing_trump", "playing")


async def play(guest: Guest, match: str) -> None:
    """To its end, each time the first card that may be played."""
    await do(guest, match, StartMatch())
    while (now := await guest.snapshot(match)).over is None:
        if isinstance(now.view, HokmView) and now.view.turn == now.view.seat:
            await do(guest, match, decision(now.view), now.move)
        else:
            await until(lambda seen=now.version: newest(guest, match) > seen, "news")  # type: ignore[misc] # bound now


def newest(guest: Guest, match: str) -> int:
    """The last version that she was told of."""
    told = guest.told(match)
    return max((one.event.version for one in told if isinstance(one, Happened)), default=0)


def decision(view: HokmView) -> Action:
    if view.phase == "choosing_trump":
        return ChooseTrump(suit="S")
    return PlayCard(card=view.playable[0])


async def leave(guest: Guest, match: str) -> None:
    """The house plays it to its end for her."""
    await do(guest, match, StartMatch())
    await do(guest, match, LeaveSeat())


def counted(up: Up, guest: Guest) -> bool:
    def of(status: str) -> int:
        return len(ask(up, "GET", f"/matches?status={status}", guest.token).json["matches"])

    return of("over") == OVER and of("running") == RUNNING


def endow(up: Up, player: str) -> None:
    """Strangers have points, and Anne fewer: so many matches would have to be played."""
    rows = [(f"u_stranger{number:02}", 10 * number, number) for number in range(9, 9 + STRANGERS)]
    with closing(sqlite3.connect(up.data / "standings.db", timeout=WITHIN)) as written, written:
        written.executemany("REPLACE INTO tallies VALUES (?, ?, ?)", [*rows, (player, 10, 1)])
