"""Opening a match: what is malformed about it, and its first fact."""

from msgspec import Struct

from schemas.commands import GAME_ACTIONS, Command, OpenMatch
from schemas.events import MatchOpened
from schemas.ids import Hex32
from services.rules import seats
from services.rules.decider import Fact
from services.rules.games import GAMES, ruleset_of
from services.rules.match import Step, Steps, evolve


class Terms(Struct, frozen=True, kw_only=True):
    """What the table adds to an opening: the seal and where it comes from, the bots' policy."""

    seal: Hex32
    shuffle: str
    key: str
    policy: str


def well_formed(command: Command) -> bool:
    """False for what decodes and is malformed all the same: a move missing, options unsound."""
    action = command.action
    if isinstance(action, GAME_ACTIONS):
        return command.move is not None
    if isinstance(action, OpenMatch):
        return _sound_opening(action)
    return True


def _sound_opening(action: OpenMatch) -> bool:
    game = GAMES.get(ruleset_of(action.options))
    if game is None or not game.sound(action.options):
        return False
    return seats.sound_plan(action, game.seats(action.options))


def open_match(voice: str, action: OpenMatch, terms: Terms) -> Steps:
    """The first fact of a match that does not exist yet."""
    body = MatchOpened(
        ruleset=ruleset_of(action.options),
        options=action.options,
        seats=action.seats,
        owner=voice,
        invitation=action.invitation,
        seal=terms.seal,
        shuffle=terms.shuffle,
        key=terms.key,
        policy=terms.policy,
    )
    fact = Fact(body=body, origin="player")
    return (Step(fact, evolve(None, fact)),)
