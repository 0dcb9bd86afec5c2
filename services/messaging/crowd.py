"""Who is connected, as the broker tells it: each player's connections, and since when."""

from collections import OrderedDict
from datetime import datetime
from typing import Final

from msgspec import Struct

from schemas.ids import PlayerId

COUNTED: Final = 100_000
"""Players whose connections are known; of more those are forgotten that came in longest ago."""


class Connection(Struct, frozen=True):
    """One connection of a broker: its number at one of the servers, never given again there."""

    server: str
    cid: int


class Crowd:
    """At most `most` connections of each player. What the broker did not tell is not known: a
    connection that is gone and still counted is the first to be cut, which does nothing.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._players: OrderedDict[PlayerId, dict[Connection, datetime]] = OrderedDict()

    def came(self, player: PlayerId, connection: Connection, since: datetime) -> Connection | None:
        """Count it; the oldest, to be cut for it and counted no more, or None. They may be told in
        any order: who comes while everybody is counted is heard of before the others.
        """
        own = self._players.setdefault(player, {})
        self._players.move_to_end(player)
        own[connection] = since
        if len(self._players) > COUNTED:
            self._players.popitem(last=False)
        if len(own) <= self._most:
            return None
        oldest = min(own, key=own.__getitem__)
        del own[oldest]
        return oldest

    def went(self, player: PlayerId, connection: Connection) -> None:
        own = self._players.get(player)
        if own is None:
            return
        own.pop(connection, None)
        if not own:
            del self._players[player]

    def leave(self, player: PlayerId) -> tuple[Connection, ...]:
        """All of that player's, which are counted no more."""
        return tuple(self._players.pop(player, ()))

    def forget(self) -> None:
        """Nobody is known any more: it is counted anew."""
        self._players.clear()
