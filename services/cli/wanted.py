"""The table that a command's words ask for: its options, and what holds where nothing is said."""

from collections.abc import Callable, Mapping
from typing import Any, Final, get_args

import click

from schemas.commands import HandRounds, HandVariant, Options
from services.rules.games import GAMES, read_options, ruleset_of

SOUND: Final[Mapping[str, str]] = {
    "hokm": "a table of hokm has 1 <= win <= kot <= hakem-kot <= 100 and 1 <= target <= 100",
    "hand": "a table of hand has 2 to 4 seats, in the partnership variants 4",
}
"""What the options of a table must be, in the words of whoever types them."""
DEFAULTS: Final[Mapping[str, Mapping[str, object]]] = {
    "hokm": {},
    "hand": {"variant": "classic", "seats": 4, "rounds": 3},
}
"""What is played where nothing else is said."""


def said(game: str, words: Mapping[str, object]) -> Options:
    """The options of what is said, the defaults for the rest; raises ValueError for words that
    are no options. Whether these are sound is another question.
    """
    return read_options(game, {**DEFAULTS[game], **words})


def wanted(game: str, words: Mapping[str, object]) -> Options:
    """As `said`, and a table can be opened with them; raises ValueError with what is wrong."""
    options = said(game, words)
    if not GAMES[ruleset_of(options)].sound(options):
        raise ValueError(SOUND[game])
    return options


def hand_words(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options `--variant`, `--seats` and `--rounds` of a command that opens a table."""
    words = (
        click.option(
            "--variant", type=click.Choice(get_args(HandVariant)), help="Hand: classic if none."
        ),
        click.option("--seats", type=click.IntRange(2, 4), help="Hand: 4 if not said."),
        click.option(
            "--rounds", type=click.Choice(get_args(HandRounds)), help="Hand: 3 if not said."
        ),
    )
    for word in reversed(words):
        command = word(command)
    return command
