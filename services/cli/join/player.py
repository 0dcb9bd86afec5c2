"""Who plays at this terminal, and how it reaches the broker."""

from msgspec import Struct

from schemas.ids import PlayerId
from services.cli.place import Place, login
from services.messaging.permissions import COMMAND_LINE_PLAYER
from services.runtime.settings import Login


class Player(Struct, frozen=True):
    id: PlayerId
    login: Login


def player_at(place: Place) -> Player:
    """The command line's own player; stops the command if no broker is known here."""
    return Player(COMMAND_LINE_PLAYER, login(place, "cli"))
