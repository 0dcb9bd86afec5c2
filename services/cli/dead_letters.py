"""`waraq dead-letters`: messages that made the rules raise, looked at and said again."""

import asyncio
from contextlib import closing
from datetime import UTC, datetime

import click
import msgspec

from schemas import subjects
from services.cli import say
from services.cli.exits import FAILED, NOT_FOUND, UNREACHABLE, stop
from services.cli.letters import Letter, letters, seen
from services.cli.place import Place, as_json, at_place, login, no_broker, reader, stop_for
from services.event_log.port import DeadLetter, LogError, Reader
from services.messaging.jetstream import connect
from services.messaging.port import BusError, Message

with_body = click.option(
    "--body",
    is_flag=True,
    help="Print what was said too: it may be a card that nobody else has seen.",
)


@click.group("dead-letters")
def dead_letters() -> None:
    """Messages that the rules could not take."""


@dead_letters.command("list")
@click.option("--waiting", is_flag=True, help="Only those that may still be said again.")
@with_body
@at_place
@as_json
def list_letters(place: Place, *, waiting: bool, body: bool, as_json: bool) -> None:
    """A line for each, the oldest first, without what it says.

    One that `waits` may be said again once the fault is mended; of one that was `accepted`, or
    whose match is `over`, nothing is left to do.
    """
    with closing(reader(place)) as log:
        for letter in letters(log):
            found = _seen(log, letter)
            if found.state == "waits" or not waiting:
                _print(found, letter, body=body, as_json=as_json)


@dead_letters.command()
@click.argument("number", metavar="ID", type=int)
@with_body
@at_place
@as_json
def show(place: Place, number: int, *, body: bool, as_json: bool) -> None:
    """One of them: who said what kind of thing where, when, and where the rules raised."""
    with closing(reader(place)) as log:
        letter = _letter(log, number)
        _print(_seen(log, letter), letter, body=body, as_json=as_json)


@dead_letters.command()
@click.argument("number", metavar="ID", type=int)
@at_place
@as_json
def retry(place: Place, number: int, *, as_json: bool) -> None:
    """Say one again, byte for byte. By now it may be late: then it is refused `stale_move`.

    Said twice it is accepted once: its command's id is the same.
    """
    with closing(reader(place)) as log:
        letter = _letter(log, number)
    asyncio.run(_say_again(place, letter))
    shown = say.foreign(letter.subject)
    say.result(
        {"id": letter.id, "subject": letter.subject, "sent": True},
        f"said again: {shown}; `waraq dead-letters show {letter.id}` says what became of it",
        as_json=as_json,
    )


async def _say_again(place: Place, letter: DeadLetter) -> None:
    entry = login(place, "cli")
    try:
        address = subjects.command_address(letter.subject)
    except ValueError:
        shown = say.foreign(letter.subject)
        stop(FAILED, f"letter {letter.id} was on no command's subject: {shown}")
    subject = subjects.command_in(address.match, address.voice)
    try:
        bus = await connect(entry.url, user=entry.user, password=entry.password, name="retry")
    except BusError as error:
        stop(UNREACHABLE, no_broker(place, error))
    await bus.publish([Message(subject=subject, data=letter.body.encode())])
    await bus.close()


def _letter(log: Reader, number: int) -> DeadLetter:
    found = next((one for one in letters(log) if one.id == number), None)
    if found is None:
        stop(NOT_FOUND, f"there is no dead letter {number}: see `waraq dead-letters list`")
    return found


def _seen(log: Reader, letter: DeadLetter) -> Letter:
    try:
        return seen(log, letter)
    except LogError as error:
        stop_for(error)


def _print(found: Letter, letter: DeadLetter, *, body: bool, as_json: bool) -> None:
    if as_json:
        say.line({**msgspec.to_builtins(found), **({"body": letter.body} if body else {})})
        return
    when = datetime.fromtimestamp(found.time / 1000, UTC).isoformat(timespec="seconds")
    what = f"{found.subject} {found.action} {found.state}: {found.error}"
    said = f"{found.id} {when} {say.foreign(what)}"
    say.prose(f"{said}\n  {say.foreign(letter.body)}" if body else said)
