"""`waraq heads`: the key that this deployment signs heads with, and signed heads checked."""

import click
from msgspec import Struct

from schemas.ids import Hex32, MatchId, matches
from services.cli import complete, say
from services.cli.exits import DIFFERENCE, FAILED, NOT_FOUND, USAGE, stop
from services.cli.in_file import Found, matches_at
from services.cli.place import Place, as_json, at_place
from services.replay.match_entries import chain_fault
from services.replay.signed_heads import HeadKey, check, read_key
from services.replay.text.several import Untrue
from services.runtime.key_files import KeyUnusable


class Checked(Struct, frozen=True, kw_only=True):
    """A signed head. `verdict`: `good`, `unsigned`, `other_key`, `forged`, `broken_chain` where
    the head is not that of the lines, or `untrue` for a text that is no match and has no head.
    """

    match: MatchId
    version: int
    head: Hex32 | None
    key: Hex32 | None
    verdict: str


@click.group()
def heads() -> None:
    """Signed heads: what exported matches are signed with."""


@heads.command("key")
@at_place
@as_json
def show_key(place: Place, *, as_json: bool) -> None:
    """The public key, in hex and on stdout: others compare it with the one in a match file."""
    key = _required_key(place)
    if as_json:
        say.line({"key": key})
    else:
        say.plain(key)


@heads.command("check")
@click.argument("name", metavar="FILE", shell_complete=complete.files)
@click.option("--key", metavar="HEX", help="Whose signature it must be; if not given, our own.")
@at_place
@as_json
def check_heads(place: Place, name: str, key: str | None, *, as_json: bool) -> None:
    """Are the matches of a file those that were signed? Needs no log, and no match to be over."""
    if key is not None and not matches(key, Hex32):
        stop(USAGE, f"{key!a} is no key: 64 hex digits, as `waraq heads key` prints them")
    wanted, bad = key or _required_key(place), 0
    for file in matches_at(name):
        found = _checked(file, wanted)
        bad += found.verdict != "good"
        say.result(found, f"{found.match} {found.version}: {found.verdict}", as_json=as_json)
    if bad:
        stop(DIFFERENCE, f"{bad} not signed as they should be")


def _checked(file: Found, key: Hex32) -> Checked:
    if isinstance(file, Untrue):
        version = file.events
        return Checked(match=file.match, version=version, head=None, key=None, verdict="untrue")
    head, signed = file.last_head, file.header.signed
    verdict: str = "unsigned" if signed is None else check(signed, head, key=key)
    if chain_fault(file) is not None:
        verdict = "broken_chain"
    return Checked(
        match=head.match,
        version=head.version,
        head=head.head,
        key=signed.key if signed else None,
        verdict=verdict,
    )


def _required_key(place: Place) -> Hex32:
    key = head_key(place)
    if key is None:
        stop(NOT_FOUND, no_head_key(place))
    return key.public


def no_head_key(place: Place) -> str:
    """Says so, and where one comes from."""
    made = f"`waraq up` makes {place.head_key_file}"
    return f"there is no head key: {made}, or name one in WARAQ_HEAD_KEY_FILE"


def head_key(place: Place) -> HeadKey | None:
    """The key at this place, None if it has none; stops the command if it cannot be used."""
    named = "WARAQ_HEAD_KEY_FILE" in place.environ
    if not named and not place.head_key_file.exists():
        return None
    try:
        return read_key(place.head_key_file)
    except KeyUnusable as error:
        stop(FAILED, str(error))
