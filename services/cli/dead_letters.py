"""`waraq dead-letters`: messages that made the rules raise, looked at and said again."""

import asyncio

import click

from schemas import subjects
from services.cli import say
from services.cli.exits import FAILED, NOT_FOUND, UNREACHABLE, stop
from services.cli.place import Place, as_json, at_place, login, no_broker, reader, stop_for
from services.event_log.port import DeadLetter, LogError, Reader
from services.messaging.jetstream import connect
from services.messaging.port import BusError, Message


@click.group("dead-letters")
def dead_letters() -> None:
    """Messages that the rules could not take."""


@dead_letters.command("list")
@at_place
@as_json
def list_letters(place: Place, *, as_json: bool) -> None:
    """A line for each, the oldest first. A letter may hold a player's own card."""
    for letter in _letters(reader(place)):
        say.result(letter, f"{letter.id} {letter.subject} {letter.error}", as_json=as_json)


@dead_letters.command()
@click.argument("number", metavar="ID", type=int)
@at_place
@as_json
def retry(place: Place, number: int, *, as_json: bool) -> None:
    """Say one again, byte for byte. By now it may be late: then it is refused `stale_move`."""
    letter = next((one for one in _letters(reader(place)) if one.id == number), None)
    if letter is None:
        stop(NOT_FOUND, f"there is no dead letter {number}: see `waraq dead-letters list`")
    asyncio.run(_say_again(place, letter))
    say.result(
        {"id": letter.id, "subject": letter.subject, "sent": True},
        f"said again: {letter.subject}",
        as_json=as_json,
    )


async def _say_again(place: Place, letter: DeadLetter) -> None:
    entry = login(place, "cli")
    try:
        address = subjects.command_address(letter.subject)
    except ValueError:
        stop(FAILED, f"letter {letter.id} was on no command's subject: {letter.subject}")
    subject = subjects.command_in(address.match, address.voice)
    try:
        bus = await connect(entry.url, user=entry.user, password=entry.password, name="retry")
    except BusError as error:
        stop(UNREACHABLE, no_broker(place, error))
    await bus.publish([Message(subject=subject, data=letter.body.encode())])
    await bus.close()


def _letters(log: Reader) -> list[DeadLetter]:
    found: list[DeadLetter] = []
    try:
        while page := log.dead_letters(after=found[-1].id if found else 0):
            found += page
    except LogError as error:
        stop_for(error)
    return found
