"""Every ruleset by its name; a game is a folder, and naming it here is all that it takes."""

from collections.abc import Mapping
from typing import Final

import msgspec

from schemas.commands import (
    HAND_ACTIONS,
    HOKM_ACTIONS,
    GameAction,
    HandOptions,
    HokmOptions,
    Options,
)
from services.rules import hand, hokm
from services.rules.decider import Game

GAMES: Final[Mapping[str, Game]] = {"hokm@1": hokm.GAME, "hand@1": hand.GAME}
ACTIONS: Final[Mapping[str, tuple[type[GameAction], ...]]] = {
    "hokm@1": HOKM_ACTIONS,
    "hand@1": HAND_ACTIONS,
}
"""What is said in a game at all, by ruleset."""
PRESETS: Final[Mapping[str, Mapping[str, Options]]] = {"hokm": hokm.PRESETS}
"""Named options, by game."""
OPTIONS: Final[Mapping[str, type[Options]]] = {"hokm": HokmOptions, "hand": HandOptions}
"""What each game's options are read as."""


def game_name(options: Options) -> str:
    """`hokm` or `hand`, as `OPTIONS` names them."""
    return next(name for name, kind in OPTIONS.items() if isinstance(options, kind))


def ruleset_of(options: Options) -> str:
    """The ruleset that a match opened now with these options gets; it never changes it."""
    return "hokm@1" if isinstance(options, HokmOptions) else "hand@1"


def read_options(game: str, words: Mapping[str, object]) -> Options:
    """Options from plain words: those of the preset that `words` names, the other words over them.

    Raises `ValueError` with what is wrong. Whether they are sound is the game's to say.
    """
    stated = {key: value for key, value in words.items() if key != "preset"}
    preset = _preset(game, words["preset"]) if "preset" in words else {}
    chosen = {**preset, **stated}
    _check_names(game, chosen)
    options: Options = msgspec.convert({**chosen, "game": game}, Options)
    return options


def _check_names(game: str, words: Mapping[str, object]) -> None:
    if game not in OPTIONS:
        raise ValueError(f"there is no game {game!r}, only {' and '.join(OPTIONS)}")
    fields = msgspec.structs.fields(OPTIONS[game])
    missing = [field.name for field in fields if field.required and field.name not in words]
    if missing:
        raise ValueError(f"{game} needs {', '.join(missing)}")
    unknown = words.keys() - {field.name for field in fields}
    if unknown:
        raise ValueError(f"{game} has no {', '.join(sorted(unknown))}")


def _preset(game: str, name: object) -> dict[str, object]:
    presets = PRESETS.get(game, {})
    if not isinstance(name, str) or name not in presets:
        raise ValueError(f"{game} has no preset {name!r}; it has: {', '.join(presets) or 'none'}")
    stated: dict[str, object] = msgspec.to_builtins(presets[name])
    del stated["game"]
    return stated
