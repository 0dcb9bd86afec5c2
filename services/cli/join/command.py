"""`waraq join`: sit down at a table in a terminal."""

import asyncio
import os
import re
from collections.abc import Mapping
from typing import Final

import click
from click.shell_completion import CompletionItem

from schemas.ids import MatchId, Seat, matches
from services.cli import complete
from services.cli.client import new_match_id
from services.cli.exits import FAILED, NOT_FOUND, OK, USAGE, stop
from services.cli.join.arrival import Parting
from services.cli.join.next_match import CODE_CHARS
from services.cli.join.opening import OTHERS, Opening, opening
from services.cli.join.session.kept import kept_names, session_file
from services.cli.join.session.player import server_at
from services.cli.join.speech import LANGUAGES, language_of, speech
from services.cli.join.stay import Entry, Wanted, stay
from services.cli.join.ways import ways_to
from services.cli.place import Place, at_place
from services.cli.wanted import hand_words
from services.runtime.logs import log_to_stderr
from services.web.names import NameRefused, proper_name

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
SERVER: Final = re.compile(r"https?://[A-Za-z0-9.\[\]:-]{1,255}(/[A-Za-z0-9._~/-]*)?")
TABLE_WORDS: Final = ("preset", "variant", "seats", "rounds")


def _others(
    _context: click.Context, _option: click.Parameter, value: str | None
) -> tuple[str, ...] | None:
    words = None if value is None else tuple(value.split(","))
    if words is not None and not set(words) <= set(OTHERS):
        raise click.BadParameter(f"{value!r}: say {', '.join(OTHERS)}, one or one a seat")
    return words


def _server(_context: click.Context, _option: click.Parameter, value: str | None) -> str | None:
    if value is not None and not SERVER.fullmatch(value):
        raise click.BadParameter(f"{value!a}: say an address like https://cards.example")
    return value


def _name(_context: click.Context, _option: click.Parameter, value: str | None) -> str | None:
    proper = None if value is None else proper_name(value)
    if isinstance(proper, NameRefused):
        raise click.BadParameter(proper.why)
    return proper


def _sessions(
    context: click.Context, _parameter: click.Parameter, begun: str
) -> list[CompletionItem]:
    """The sessions that are kept for the server that is named, or files."""
    place, server = context.params.get("place"), context.params.get("server")
    if "/" in begun or not isinstance(place, Place):
        return [CompletionItem(begun, type="file")]
    names = kept_names(os.environ, str(server) if server else str(place.data))
    return [CompletionItem(name) for name in names if name.startswith(begun)]


@click.command()
@click.argument("match_id", metavar="[ID]", required=False)
@at_place
@click.option("--seat", type=click.IntRange(0, 3), help="The seat to take; the first free one.")
@click.option("--code", help="The code of an invitation.")
@click.option("--open", "game", type=click.Choice(["hokm", "hand"]), help="Open a table.")
@click.option("--preset", help="Hokm: hakem (to 2 points, the default) or home (to 7).")
@hand_words
@click.option(
    "--bots",
    "others",
    callback=_others,
    metavar="WORDS",
    shell_complete=complete.words(OTHERS),
    help="The other seats: white, black, chrome, anyone, friend; one word for all (black if not"
    " said; in Hokm the house's partner is chrome then), or one a seat with commas between.",
)
@click.option(
    "--server",
    callback=_server,
    envvar="WARAQ_WEB_URL",
    show_envvar=True,
    metavar="URL",
    help="The web address of a service elsewhere; else the embedded service's.",
)
@click.option(
    "--session",
    metavar="NAME|FILE",
    shell_complete=_sessions,
    help="Another session, so that two may play on one machine; a file if there is a / in it.",
)
@click.option("--name", callback=_name, help="What the others see you called, from now on.")
@click.option("--nonce/--no-nonce", default=True, help="Add randomness of your own to the shuffle.")
@click.option("--lang", type=click.Choice(LANGUAGES), help="Persian, Arabic, English; as LANG.")
def join(place: Place, match_id: str | None, game: str | None, **words: object) -> None:
    """Sit down at the match ID, or at a table of your own with --open, and play it to its end.

    You are the same player each time: your session is kept in a file of yours, one for each server.
    At each prompt `?` says what can be typed. The table and the prompts are on stdout.
    """
    log_to_stderr("join", "error")
    language = words.pop("lang") or language_of(os.environ)
    wanted = _wanted(match_id, game, words)
    said = speech(next(one for one in LANGUAGES if one == language))
    parting = asyncio.run(stay(_entry(place, words), wanted, said))
    if parting is Parting.NO_MATCH:
        stop(NOT_FOUND, "there is no match of that id: ask who opened it")
    raise SystemExit(CODES[parting])


def _entry(place: Place, words: dict[str, object]) -> Entry:
    """Where to come in, as whom, and how one comes back."""
    named, session, name = words["server"], words["session"], words["name"]
    server = server_at(place, None if named is None else str(named))
    label = None if session is None else str(session)
    return Entry(
        server=server,
        file=session_file(os.environ, server.key, label),
        name=None if name is None else str(name),
        ways=ways_to(place, server, label),
    )


def _wanted(match_id: str | None, game: str | None, words: dict[str, object]) -> Wanted:
    """What the words ask for; stops the command where they do not go together."""
    table = {name: words[name] for name in TABLE_WORDS if words[name] is not None}
    if (match_id is None) == (game is None):
        stop(
            USAGE,
            "say either a match's id, as who opened it tells you (`waraq match list --open` has the"
            " tables of this machine), or open a table with --open hokm or --open hand",
        )
    if match_id is not None and not matches(match_id, MatchId):
        stop(NOT_FOUND, f"{match_id!a} is no match's id: ask who opened it for it")
    if game is None and (table or words["others"]):
        stop(USAGE, "options of a table are for --open; a match that is open has its own")
    seat, code = words["seat"], words["code"]
    assert seat is None or isinstance(seat, int)
    return Wanted(
        match=match_id or new_match_id(),
        opening=None if game is None else _opening(game, table, seat or 0, words["others"]),
        seat=seat,
        code=None if code is None else str(code)[:CODE_CHARS],
        nonce=bool(words["nonce"]),
    )


def _opening(game: str, table: dict[str, object], seat: Seat, others: object) -> Opening:
    assert others is None or isinstance(others, tuple)
    try:
        return opening(game, table, seat=seat, others=others or ("black",))
    except ValueError as error:
        stop(USAGE, f"{error}: see docs/join.md, and H17, H19, H20 and N1 in docs/rules")
