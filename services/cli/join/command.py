"""`waraq join`: sit down at a table in a terminal."""

import asyncio
import os
from collections.abc import Mapping
from typing import Final, get_args

import click
from msgspec import Struct

from schemas.commands import HandRounds, HandVariant
from schemas.ids import MatchId, Seat, matches
from services.cli.client import new_match_id
from services.cli.exits import FAILED, NOT_FOUND, OK, UNREACHABLE, USAGE, stop
from services.cli.join.arrival import Parting, Wishes
from services.cli.join.client import TableClient
from services.cli.join.opening import OTHERS, Opening, again, opening
from services.cli.join.player import Player, player_at
from services.cli.join.session import Session
from services.cli.join.speech import LANGUAGES, Speech, language_of, speech
from services.cli.join.terminal import Console
from services.cli.place import Place, at_place, no_broker
from services.messaging.jetstream import connect
from services.messaging.port import Bus, BusError
from services.runtime.logs import log_to_stderr

CODES: Final[Mapping[Parting, int]] = {
    Parting.ENDED: OK,
    Parting.LEFT: OK,
    Parting.AWAY: OK,
    Parting.NO_MATCH: NOT_FOUND,
    Parting.NO_SEAT: FAILED,
    Parting.REFUSED: FAILED,
    Parting.SILENT: FAILED,
}
"""The exit code of each way to part."""
TABLE_WORDS: Final = ("preset", "variant", "seats", "rounds")


class Wanted(Struct, frozen=True, kw_only=True):
    """What the command's words ask for; `opening` is None for a match that is there already."""

    match: MatchId
    opening: Opening | None
    seat: Seat | None
    code: str | None
    nonce: bool


def _others(
    _context: click.Context, _option: click.Parameter, value: str | None
) -> tuple[str, ...] | None:
    words = None if value is None else tuple(value.split(","))
    if words is not None and not set(words) <= set(OTHERS):
        raise click.BadParameter(f"{value!r}: say {', '.join(OTHERS)}, one or one a seat")
    return words


@click.command()
@click.argument("match_id", metavar="[ID]", required=False)
@at_place
@click.option("--seat", type=click.IntRange(0, 3), help="The seat to take; the first free one.")
@click.option("--code", help="The code of an invitation.")
@click.option("--open", "game", type=click.Choice(["hokm", "hand"]), help="Open a table.")
@click.option("--preset", help="Hokm: hakem (to 2 points, the default) or home (to 7).")
@click.option("--variant", type=click.Choice(get_args(HandVariant)), help="Hand: classic if none.")
@click.option("--seats", type=click.IntRange(2, 4), help="Hand: 4 if not said.")
@click.option("--rounds", type=click.Choice(get_args(HandRounds)), help="Hand: 3 if not said.")
@click.option(
    "--bots",
    "others",
    callback=_others,
    metavar="WORDS",
    help="The other seats: white, black, chrome, anyone, friend; one word for all (black if not"
    " said; in Hokm the house's partner is chrome then), or one a seat with commas between.",
)
@click.option("--nonce/--no-nonce", default=True, help="Add randomness of your own to the shuffle.")
@click.option("--lang", type=click.Choice(LANGUAGES), help="Persian, Arabic, English; as LANG.")
def join(place: Place, match_id: str | None, game: str | None, **words: object) -> None:
    """Sit down at the match ID, or at a table of your own with --open, and play it to its end.

    At each prompt `?` says what can be typed. The table and the prompts are on stdout.
    """
    log_to_stderr("join", "error")
    language = words.pop("lang") or language_of(os.environ)
    wanted = _wanted(match_id, game, words)
    said = speech(next(one for one in LANGUAGES if one == language))
    parting = asyncio.run(_join(player_at(place), place, wanted, said))
    if parting is Parting.NO_MATCH:
        stop(NOT_FOUND, f"there is no match {wanted.match}: see `waraq match list`")
    raise SystemExit(CODES[parting])


def _wanted(match_id: str | None, game: str | None, words: dict[str, object]) -> Wanted:
    """What the words ask for; stops the command where they do not go together."""
    table = {name: words[name] for name in TABLE_WORDS if words[name] is not None}
    if (match_id is None) == (game is None):
        stop(USAGE, "say which match, or --open hokm or --open hand: `waraq match list` has ids")
    if match_id is not None and not matches(match_id, MatchId):
        stop(NOT_FOUND, f"{match_id!a} is no match's id: see `waraq match list`")
    if game is None and (table or words["others"]):
        stop(USAGE, "options of a table are for --open; a match that is open has its own")
    seat, code = words["seat"], words["code"]
    assert seat is None or isinstance(seat, int)
    return Wanted(
        match=match_id or new_match_id(),
        opening=None if game is None else _opening(game, table, seat or 0, words["others"]),
        seat=seat,
        code=None if code is None else str(code)[:64],
        nonce=bool(words["nonce"]),
    )


def _opening(game: str, table: dict[str, object], seat: Seat, others: object) -> Opening:
    assert others is None or isinstance(others, tuple)
    try:
        return opening(game, table, seat=seat, others=others or ("black",))
    except ValueError as error:
        stop(USAGE, f"{error}: see docs/join.md, and H17, H19 and N1 in docs/rules")


async def _join(player: Player, place: Place, wanted: Wanted, said: Speech) -> Parting:
    entry = player.login
    try:
        bus = await connect(entry.url, user=entry.user, password=entry.password, name="join")
    except BusError as error:
        stop(UNREACHABLE, no_broker(place, error))
    wake = asyncio.Event()
    console = Console(wake)
    console.start()
    try:
        return await _matches(bus, player, wanted, said, console)
    finally:
        console.stop()
        await bus.close()


async def _matches(
    bus: Bus, player: Player, wanted: Wanted, said: Speech, console: Console
) -> Parting:
    """One match, and rematches for as long as they are wished."""
    opened, match = wanted.opening, wanted.match
    wishes = Wishes(
        opening=None if opened is None else opened.action,
        seat=wanted.seat,
        code=wanted.code,
        nonce=wanted.nonce,
    )
    while True:
        client = TableClient(bus, player.id, match, console.wake)
        if opened is not None and opened.code is not None:
            console.show(said.say("invitation", match=match, code=opened.code))
        parting = await Session(client, console, said, console.wake).run(wishes)
        if parting is not Parting.AGAIN:
            return parting
        assert client.state is not None
        assert client.seat is not None
        opened, match = again(client.state.opened, client.seat), new_match_id()
        wishes = Wishes(opening=opened.action, nonce=wanted.nonce)
