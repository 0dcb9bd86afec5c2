"""Every ruleset by its name; a game is a folder, and naming it here is all that it takes."""

from collections.abc import Mapping
from typing import Final

import msgspec

from schemas.commands import HokmOptions, Options
from services.rules import hand, hokm
from services.rules.decider import Game

GAMES: Final[Mapping[str, Game]] = {"hokm@1": hokm.GAME, "hand@1": hand.GAME}
PRESETS: Final[Mapping[str, Mapping[str, Options]]] = {"hokm": hokm.PRESETS}
"""Named options, by game."""


def ruleset_of(options: Options) -> str:
    """The ruleset that a match opened now with these options gets; it never changes it."""
    return "hokm@1" if isinstance(options, HokmOptions) else "hand@1"


def read_options(game: str, words: Mapping[str, object]) -> Options:
    """Options from plain words: those of the preset that `words` names, the other words over them.

    Raises `ValueError` with what is wrong. Whether they are sound is the game's to say.
    """
    stated = {key: value for key, value in words.items() if key != "preset"}
    preset = _preset(game, words["preset"]) if "preset" in words else {}
    options: Options = msgspec.convert({**preset, **stated, "game": game}, Options)
    return options


def _preset(game: str, name: object) -> dict[str, object]:
    presets = PRESETS.get(game, {})
    if not isinstance(name, str) or name not in presets:
        raise ValueError(f"{game} has no preset {name!r}; it has: {', '.join(presets) or 'none'}")
    stated: dict[str, object] = msgspec.to_builtins(presets[name])
    return stated
