"""A real broker for tests: its own process, a free port, the permissions of production.

Besides the roles it knows `SPY`, who may do everything, and the players a test asks for.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from services.messaging.jetstream import JetStreamBus, connect
from services.messaging.permissions import ROLES, WARDEN, Permissions, player
from services.messaging.server import (
    Broker,
    BrokerConfig,
    BrokerUser,
    Door,
    role_users,
    start_broker,
)

SPY: Final = "spy"


def password(user: str) -> str:
    """Each user's own; the signs are such as a careless configuration would stumble over."""
    return f'{user} "\\$pass#{{}}'


def broker_config(players: Sequence[str] = (), door: Door | None = None) -> BrokerConfig:
    everything = Permissions(publish=(">",), subscribe=(">",))
    named = {SPY: everything} | {name: player(name) for name in players}
    others = tuple(
        BrokerUser(name=name, password=password(name), permissions=may)
        for name, may in named.items()
    )
    users = role_users({role: password(role) for role in ROLES}) + others
    return BrokerConfig(users=users, warden=password(WARDEN), door=door)


@contextmanager
def running_broker(
    directory: Path, players: Sequence[str] = (), door: Door | None = None
) -> Iterator[Broker]:
    """A broker that is ready; it is killed in the end, unless the test has."""
    broker = start_broker(broker_config(players, door), directory)
    try:
        yield broker
    finally:
        broker.kill()


async def bus_as(broker: Broker, user: str) -> JetStreamBus:
    return await connect(broker.url, user=user, password=password(user), name=f"test {user}")
