"""`waraq`: the whole command line. Commands are loaded when they are called, to start fast."""

import importlib
import sys
import traceback
from collections.abc import Mapping
from typing import Final

import click

from services.cli import say
from services.cli.exits import FAILED
from services.runtime.faults import place_of

COMMANDS: Final[Mapping[str, str]] = {
    "audit": "services.cli.audit:audit",
    "bench": "services.cli.bench.command:bench",
    "broker-config": "services.cli.broker_config:broker_config",
    "db": "services.cli.db:db",
    "dead-letters": "services.cli.dead_letters:dead_letters",
    "doctor": "services.cli.doctor.command:doctor",
    "duel": "services.cli.duel.command:duel",
    "export": "services.cli.export:export",
    "heads": "services.cli.heads:heads",
    "import": "services.cli.import_file:import_file",
    "join": "services.cli.join.command:join",
    "match": "services.cli.match:match",
    "player": "services.cli.player:player",
    "play": "services.cli.play:play",
    "referee": "services.cli.referee:referee",
    "schema": "services.cli.schema.command:schema",
    "secrets": "services.cli.secret_files:secrets",
    "standings": "services.cli.standings:standings",
    "status": "services.cli.status:status",
    "up": "services.cli.up:up",
    "worker": "services.cli.worker:worker",
}


class Lazy(click.Group):
    """A group that imports a command when it is asked for."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, _ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[name].partition(":")
        found: click.Command = getattr(importlib.import_module(module), attribute)
        return found


@click.group(cls=Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="waraq")
def main() -> None:
    """Waraq (ورق): card tables for Hokm and Hand, on a log that replays."""


def run() -> None:
    """The program: whatever was not foreseen is told by kind and place."""
    try:
        main(prog_name="waraq")
    except Exception as error:  # noqa: BLE001 nobody wants Python's own trace
        sys.stderr.write(f"Error: {_told(error)}\n")
        sys.exit(FAILED)


def _told(error: Exception) -> str:
    if isinstance(error, OSError) and _is_of_output(error):
        say.forget_stdout()
        return say.unwritable(error)
    return f"this should not happen: {place_of(error)}"


def _is_of_output(error: OSError) -> bool:
    """Is it click that could not say something, such as a command's help?"""
    *_, (frame, _line) = traceback.walk_tb(error.__traceback__)
    return frame.f_code is click.echo.__code__


if __name__ == "__main__":
    run()
