"""`waraq worker`: one worker of the service, as its settings say (docs/architecture.md)."""

from collections.abc import Callable, Mapping
from typing import Final, NoReturn

import click

from services.auth.__main__ import main as auth
from services.bot.__main__ import main as bot
from services.scoring.__main__ import main as scoring
from services.table.__main__ import main as table
from services.web.__main__ import main as web

WORKERS: Final[Mapping[str, Callable[[], NoReturn]]] = {
    "table": table,
    "bot": bot,
    "scoring": scoring,
    "auth": auth,
    "web": web,
}


@click.command()
@click.argument("name", type=click.Choice(sorted(WORKERS)))
def worker(name: str) -> None:
    """Run one worker in the foreground; its settings come from WARAQ_* variables."""
    WORKERS[name]()
