"""`waraq up`: the whole service on this machine."""

import asyncio
import shlex
import signal
from typing import Final

import click

from services.cli import say
from services.cli.exits import USAGE, stop
from services.cli.place import Place, as_json, at_place, reader
from services.cli.play import Table, play_matches
from services.cli.program import program
from services.cli.supervisor import TEND_EVERY, Supervisor
from services.runtime.logs import log_to_stderr
from services.runtime.private_files import private_files
from services.runtime.tasks import end

TRIES: Final = (
    "join --open hokm",
    "join --open hokm --bots black,friend,black",
    "join --open hand",
    "play --game hand --variant saudi --seats 3 --rounds 3 --bots black",
    "match list",
)
"""What a newcomer may try, without the program's name and `--data`."""


@click.command()
@at_place
@click.option("--port", type=click.IntRange(1, 65535), help="The broker's port on loopback.")
@as_json
def up(place: Place, port: int | None, *, as_json: bool) -> None:
    """Run the whole service on this machine, in the foreground, until Ctrl-C.

    SIGUSR1 drains it: no match is opened any more, and it ends with the last that is open.
    """
    if port is not None and place.outside_broker is not None:
        stop(USAGE, "--port is our own broker's, and WARAQ_NATS_URL names another: leave one away")
    log_to_stderr("up", "warning")
    supervisor, stopped = Supervisor(place, door=True), Stopped()
    with private_files():
        supervisor.start(port)
        try:
            _announce(place, supervisor, as_json=as_json)
            asyncio.run(_serve(place, supervisor, stopped))
        finally:
            supervisor.stop()


class Stopped:
    """`asked` becomes true on SIGTERM or SIGINT, `draining` on SIGUSR1."""

    def __init__(self) -> None:
        self.asked = False
        self.draining = False
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._ask)
        signal.signal(signal.SIGUSR1, self._drain)

    def _ask(self, *_: object) -> None:
        self.asked = True

    def _drain(self, *_: object) -> None:
        self.draining = True


def _announce(place: Place, supervisor: Supervisor, *, as_json: bool) -> None:
    if as_json:
        nats, web = supervisor.nats_url, supervisor.web_url
        say.line({"ready": True, "nats": nats, "web": web, "log": place.log_name})
    say.prose(f"Waraq is up: broker {supervisor.nats_url}, data {place.data}")
    if supervisor.web_url:
        say.prose(f"Play in a browser: {supervisor.web_url}")
    say.prose("\n".join(("Try, in another terminal:", *_tries(place), "Ctrl-C stops everything.")))


def _tries(place: Place) -> list[str]:
    """Commands that work as they stand in whatever folder the other terminal is."""
    return [
        f"  {shlex.join((program(), *words.split(), '--data', str(place.data)))}" for words in TRIES
    ]


async def _serve(place: Place, supervisor: Supervisor, stopped: Stopped) -> None:
    """Tend the children until asked to stop; the first time, let four bots play a match."""
    first = asyncio.create_task(_first_match(place)) if _empty(place) else None
    draining = False
    while not stopped.asked and not supervisor.drained:
        if stopped.draining and not draining:
            say.prose("Draining: no match is opened any more; it ends with the last that is open.")
            supervisor.drain()
            draining = True
        supervisor.tend()
        await asyncio.sleep(TEND_EVERY)
    if first is not None:
        await end(first)


async def _first_match(place: Place) -> None:
    say.prose("A first match, by four bots:")
    try:
        await play_matches(place, Table.of_bots("hokm", "white"), matches=1, as_json=False)
    except click.ClickException as error:
        say.prose(f"the first match did not end: {error.message}")


def _empty(place: Place) -> bool:
    log = reader(place)
    try:
        return not log.streams(limit=1)
    finally:
        log.close()
