"""What the configuration of a broker that is not embedded includes, whatever else it says: the
limits, accounts and rights of `server`, with names in the place of secrets.

The names are nats-server's own variables: they are stated in `secrets.conf` beside the file, which
`waraq secrets` writes. The file itself holds no secret and is the same for every deployment.
"""

import json
import re
from collections.abc import Mapping
from typing import Final

from services.messaging.permissions import ROLES, WARDEN
from services.messaging.server import BrokerConfig, Door, role_users, shared_settings

SECRETS: Final = "secrets.conf"
"""The file that states the variables; nats-server refuses it if it states one that is not used."""
ISSUER: Final = "ISSUER"
"""The variable of the public key whose word for players the broker takes."""
ROUTE_USER: Final = "route"
"""As whom the nodes of a cluster speak to each other."""

_VARIABLE: Final = re.compile(r'"\$([A-Z_]+)"')
"""In quotes it would be a text; no subject has this form, for all of them have dots."""
_HEAD: Final = f"""\
# What every broker of Waraq has: limits, accounts, users and their rights.
# Written by `waraq broker-config` from services/messaging: do not edit it, a test compares.
# It holds no secret: $NAMES are stated in {SECRETS}, which `waraq secrets` writes.
include "{SECRETS}"
"""


def password_variable(user: str) -> str:
    """The variable of a static user's password."""
    return f"{user.upper()}_PASSWORD"


def outside_config() -> str:
    """The file, in nats-server's language."""
    config = BrokerConfig(
        users=role_users({role: f"${password_variable(role)}" for role in ROLES}),
        warden=f"${password_variable(WARDEN)}",
        door=Door(issuer=f"${ISSUER}", origins=()),
    )
    settings = shared_settings(config)
    lines = (f"{name}: {_value(value)}\n" for name, value in settings.items())
    return _HEAD + "".join(lines)


def secrets_config(passwords: Mapping[str, str], issuer: str) -> str:
    """`secrets.conf`: the password of each static user by its name, and the issuer's public key."""
    assert set(passwords) == {*ROLES, WARDEN}, "one password for each static user"
    variables = {password_variable(user): password for user, password in passwords.items()}
    stated = variables | {ISSUER: issuer}
    return "".join(f"{name}: {json.dumps(value)}\n" for name, value in stated.items())


def routes_config(hosts: tuple[str, ...], password: str) -> str:
    """`routes.conf`: how the nodes of a cluster find each other and know each other, to be included
    in `cluster {…}`. The password stands in the routes too: nats-server wants it so.
    """
    routes = [f"nats://{ROUTE_USER}:{password}@{host}" for host in hosts]
    who = {"user": ROUTE_USER, "password": password}
    return f"authorization: {json.dumps(who)}\nroutes: {json.dumps(routes, indent=1)}\n"


def _value(value: object) -> str:
    """JSON is a part of the language, but for variables."""
    return _VARIABLE.sub(r"$\1", json.dumps(value, indent=1))
