"""What each user may say and hear: one table for the embedded broker and the auth callout.

Identity is the subject, and these lists are what enforces it. Whatever is not listed is refused.
Nobody may publish an inbox, subscribe to `cmdin.>`, or answer a reply subject
(`allow_responses`): an answer would be written with rights its reader did not give. There are two
exceptions. The auth worker answers the broker itself, in an account of its own; and the others tell
operators how they stand, each kind below `answers_of` itself, where no player can listen or be
answered and no worker of another kind can answer in its name.

A user with JetStream's API chooses where the broker delivers and answers, so it can have the
broker write the broker's own words on any subject. That is why players have none of it, and why
each worker has it for one stream only; such words decode as no command (they are `malformed`).
"""

from collections.abc import Mapping
from typing import Final, Literal, get_args

from msgspec import Struct

from schemas import subjects
from schemas.ids import HOUSES, OPS, SCORING, PlayerId
from services.messaging import streams

Role = Literal["table", "bot", "scoring", "cli", "auth", "analytics"]
"""The static users of the embedded broker, one for each worker that speaks, one for the command
line and one for whoever reads EVENTS (docs/analytics.md). Everybody else is a player, let in by
the auth callout.
"""
ANALYTICS: Final = "analytics"
"""The one consumer of EVENTS that the user of that name may have."""

WARDEN: Final = "warden"
"""The user in the broker's system account: it finds a player's connections and ends them."""
CAME: Final = "$SYS.ACCOUNT.*.CONNECT"
WENT: Final = "$SYS.ACCOUNT.*.DISCONNECT"
"""Where the broker says who came in and who went."""
COMMAND_LINE_PLAYER: Final = "u_commandline"
"""The one player that the command line speaks as."""

CALLOUT: Final = "$SYS.REQ.USER.AUTH"
"""Where the broker asks who somebody is."""
CALLOUT_ANSWERS: Final = "$SYS._INBOX."
"""What the subjects begin with on which it waits for the answers."""

Verb = Literal["PING", "INFO", "STATS"]
"""What may be asked of a worker by NATS' convention for services."""
Kind = Literal["table", "bot", "scoring"]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
"""The workers that can be asked. Auth workers are alone in an account of their own, and the web
worker is no user of the broker.
"""

_API: Final = "$JS.API"
_STREAMS: Final = (streams.COMMANDS, streams.EVENTS, streams.TURNS)


class Permissions(Struct, frozen=True, kw_only=True):
    """Subjects with the broker's wildcards; `publish_deny` outranks `publish`."""

    publish: tuple[str, ...]
    subscribe: tuple[str, ...]
    publish_deny: tuple[str, ...] = ()


def inbox(user: str) -> str:
    """The prefix of the inboxes that only `user` may listen on."""
    return f"_INBOX_{user}"


ANSWERS: Final = f"{inbox('cli')}.srv."
"""Below this workers answer operators who ask them how they stand. It is a part of the command
line's inbox that nothing else comes on: JetStream answers on names that it draws, of another form,
so that no worker can put an answer in the broker's place.
"""


def answers_of(kind: Kind) -> str:
    """Below this workers of that kind answer, and nobody else may: who answers is the subject. The
    kind comes first, so that whoever asks by the convention may draw what follows.
    """
    return f"{ANSWERS}{kind}."


def service_of(kind: Kind) -> str:
    """What workers of that kind are called where they are asked."""
    return f"waraq-{kind}"


def asked_on(verb: Verb, *of: str) -> str:
    """Where all workers are asked, those of a name, or the one of a name and an id."""
    return ".".join(("$SRV", verb, *of))


def deliveries(group: str) -> str:
    """The subject on which a group's members get their messages; nobody may publish on it."""
    return f"deliver.{group}"


def player(name: PlayerId) -> Permissions:
    """A player speaks as himself and hears his own feed; nothing of JetStream, ever."""
    return Permissions(
        publish=(f"cmdin.*.{name}", f"ask.*.{name}"),
        subscribe=(f"feed.{name}.*", f"{inbox(name)}.>"),
    )


def _owned(stream: str) -> tuple[str, ...]:
    """The API that reading `stream` with exclusive consumers of any name needs."""
    return (
        f"{_API}.CONSUMER.LIST.{stream}",
        f"{_API}.CONSUMER.NAMES.{stream}",
        f"{_API}.CONSUMER.INFO.{stream}.*",
        f"{_API}.CONSUMER.CREATE.{stream}.*.>",
        f"{_API}.CONSUMER.DELETE.{stream}.*",
        f"$JS.ACK.{stream}.>",
    )


def _shared(stream: str, consumer: str) -> tuple[str, ...]:
    """The API that reading `stream` with one group's consumer needs."""
    return (
        f"{_API}.CONSUMER.INFO.{stream}.{consumer}",
        f"{_API}.CONSUMER.CREATE.{stream}.{consumer}.>",
        f"$JS.ACK.{stream}.{consumer}.>",
    )


def _place(consumer: str) -> tuple[str, ...]:
    """The API that would take a consumer's place in EVENTS from it."""
    return (
        f"{_API}.CONSUMER.CREATE.{streams.EVENTS}.{consumer}.>",
        f"{_API}.CONSUMER.DELETE.{streams.EVENTS}.{consumer}",
        f"$JS.ACK.{streams.EVENTS}.{consumer}.>",
    )


def _asked(kind: Kind) -> tuple[str, ...]:
    """Where a worker of that kind hears operators, and nobody else."""
    name = service_of(kind)
    of = ((), (name,), (name, "*"))
    return tuple(asked_on(verb, *one) for verb in get_args(Verb) for one in of)


def _table() -> Permissions:
    admin = tuple(
        f"{_API}.STREAM.{verb}.{name}" for name in _STREAMS for verb in ("CREATE", "UPDATE")
    )
    return Permissions(
        publish=(
            "event.>",
            "feed.>",
            "turn.>",
            f"{_API}.STREAM.MSG.GET.{streams.EVENTS}",
            *(f"{_API}.STREAM.INFO.{name}" for name in _STREAMS),
            *admin,
            *_owned(streams.COMMANDS),
            f"{answers_of('table')}>",
        ),
        subscribe=(subjects.ASKS, f"{inbox('table')}.>", *_asked("table")),
    )


def _bot() -> Permissions:
    group = streams.bots()
    return Permissions(
        publish=(
            *(f"cmdin.*.{house}" for house in HOUSES),
            *_shared(streams.TURNS, group.name),
            f"{answers_of('bot')}>",
        ),
        subscribe=(deliveries(group.name), f"{inbox('bot')}.>", *_asked("bot")),
    )


def _scoring() -> Permissions:
    group = streams.ended_rounds()
    return Permissions(
        publish=(
            f"cmdin.*.{SCORING}",
            *_shared(streams.EVENTS, group.name),
            f"{answers_of('scoring')}>",
        ),
        subscribe=(deliveries(group.name), f"{inbox('scoring')}.>", *_asked("scoring")),
    )


def _analytics() -> Permissions:
    """Who reads EVENTS says nothing that anybody acts on: it pulls from a consumer of its own."""
    return Permissions(
        publish=(
            *_shared(streams.EVENTS, ANALYTICS),
            f"{_API}.CONSUMER.MSG.NEXT.{streams.EVENTS}.{ANALYTICS}",
        ),
        subscribe=(f"{inbox(ANALYTICS)}.>",),
    )


def _cli() -> Permissions:
    """The command line as its one player and as operator; it may not touch another's place.

    An operator says a dead letter again on its author's own subject, so it may speak there. Of
    each stream it may ask how it stands: numbers and names, no message of it.
    """
    one = player(COMMAND_LINE_PLAYER)
    return Permissions(
        publish=(
            *one.publish,
            subjects.COMMANDS_IN,
            f"{_API}.STREAM.MSG.GET.{streams.EVENTS}",
            *(f"{_API}.STREAM.INFO.{name}" for name in _STREAMS),
            *(f"{_API}.CONSUMER.LIST.{name}" for name in (streams.COMMANDS, streams.TURNS)),
            *_owned(streams.EVENTS),
            *dict.fromkeys(one for kind in KINDS for one in _asked(kind)),
        ),
        publish_deny=(*_place(SCORING), *_place(ANALYTICS)),
        subscribe=(
            f"feed.{COMMAND_LINE_PLAYER}.*",
            f"feed.{OPS}.*",
            subjects.EVENTS,
            f"{inbox('cli')}.>",
        ),
    )


def _auth() -> Permissions:
    """Nothing of what is played. No player is in its account, so nobody else can ask or answer."""
    return Permissions(publish=(f"{CALLOUT_ANSWERS}>",), subscribe=(CALLOUT, f"{inbox('auth')}.>"))


def warden() -> Permissions:
    """Nothing of what players and workers say reaches the system account, nor the other way."""
    return Permissions(
        publish=("$SYS.REQ.SERVER.PING.CONNZ", "$SYS.REQ.SERVER.*.KICK"),
        subscribe=(CAME, WENT, f"{inbox(WARDEN)}.>"),
    )


ROLES: Final[Mapping[Role, Permissions]] = {
    "table": _table(),
    "bot": _bot(),
    "scoring": _scoring(),
    "cli": _cli(),
    "auth": _auth(),
    "analytics": _analytics(),
}
"""What each role may do."""
