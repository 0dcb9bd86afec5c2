"""The channels of the contract: subjects, what they carry, and who may say and hear it.

Who may is asked of the broker's permissions, so that the document cannot say otherwise.
"""

from collections.abc import Mapping
from typing import Final, Literal

import msgspec
from msgspec import Struct

from schemas import subjects
from services.messaging.permissions import ROLES, Permissions, Role, player

ME: Final = "{player}"
"""Stands for one player, in subjects and in permissions."""


class ChannelPlan(Struct, frozen=True, kw_only=True):
    """A channel. `payload` is the definition of a whole message; `union` the definition of its
    kinds, which stand at its key `kind_at`, or are the message itself where that is None. `answers`
    are kinds of the feed. `by_stream`: who reads it from a stream of the broker's.
    """

    name: str
    address: str
    about: str
    operation: str
    action: Literal["send", "receive"]
    summary: str
    payload: str
    union: str | None = None
    kind_at: str | None = None
    parameters: Mapping[str, str]
    headers: Mapping[str, str] = msgspec.field(default_factory=dict)
    answers: tuple[str, ...] = ()
    by_stream: tuple[Role, ...] = ()


_MATCH: Final = "The match's id (MatchId); of a new match made by whoever opens it."
_PLAYER: Final = "The player's id (PlayerId): one's own."

CHANNELS: Final = (
    ChannelPlan(
        name="commands",
        address="cmdin.{match}.{voice}",
        about="What a voice wants done in a match. At most 4 KiB, and 16 that wait; beyond that the"
        " broker drops them. Without Nats-Msg-Id, and without a reply subject.",
        operation="sendCommand",
        action="send",
        summary="Say a command; it is answered on the feed by the event that carries its id, or by"
        " a refusal. After 2 s of silence say the same bytes again.",
        payload="Command",
        union="Action",
        kind_at="action",
        parameters={
            "match": _MATCH,
            "voice": "Who speaks: a player's own id, house0 to house3, scoring, ops.",
        },
        answers=("Happened", "Refused"),
        by_stream=("table",),
    ),
    ChannelPlan(
        name="asks",
        address="ask.{match}.{player}",
        about="A question about a match: a snapshot, a page of its history, advice; or a sticker to"
        " be shown. Empty means a snapshot.",
        operation="sendAsk",
        action="send",
        summary="Ask; the answer comes on the feed. A sticker that is not shown has none.",
        payload="Ask",
        parameters={"match": _MATCH, "player": _PLAYER},
        answers=("Snapshot", "History", "Advice", "Sticker", "Refused"),
    ),
    ChannelPlan(
        name="feed",
        address="feed.{player}.{match}",
        about="All that the table says to one player about one match. Subscribe to all matches at"
        " once, with * for the match. Messages may be lost, doubled and out of order: go by"
        " version.",
        operation="receiveFeed",
        action="receive",
        summary="Hear events, refusals and the answers to asks.",
        payload="Feed",
        union="Feed",
        parameters={"player": _PLAYER, "match": _MATCH},
    ),
    ChannelPlan(
        name="events",
        address="event.{partition}.{type}",
        about="The public line of every event of every match, in the stream EVENTS, for analytics"
        " and audit; a player may not hear it. Order by position, not by arrival; one that is sent"
        " again has the same position.",
        operation="receiveEvent",
        action="receive",
        summary="Read the public events of all matches.",
        payload="Event",
        union="Body",
        kind_at="body",
        parameters={
            "partition": "The log's partition that the match is in.",
            "type": "The event's type, as `body.type`.",
        },
        headers={
            subjects.MSG_ID_HEADER: "generation:partition:position.",
            subjects.HEAD_HEADER: "The head after this event: SHA-256 over the head before it and"
            " the line.",
        },
        by_stream=("scoring", "analytics"),
    ),
)


def senders(plan: ChannelPlan) -> list[str]:
    """Who may publish there: roles, and `player` for each player on subjects of its own."""
    return [who for who, may in _everybody().items() if _any_covers(may.publish, plan.address)]


def receivers(plan: ChannelPlan) -> list[str]:
    """Who may hear what is published there, or read it from the stream that keeps it."""
    hear = [who for who, may in _everybody().items() if _any_covers(may.subscribe, plan.address)]
    return [*plan.by_stream, *hear]


def _everybody() -> dict[str, Permissions]:
    return {"player": player(ME)} | {str(role): may for role, may in ROLES.items()}


def _any_covers(subjects_: tuple[str, ...], address: str) -> bool:
    return any(_covers(subject.split("."), address.split(".")) for subject in subjects_)


def _covers(subject: list[str], address: list[str]) -> bool:
    """Do they meet? `{name}` in the address is any word, and so are the broker's `*` and `>`."""
    if subject[-1] == ">":
        address = [*address[: len(subject) - 1], ">"]
    return len(subject) == len(address) and all(
        mine == "*" or theirs.startswith("{") or mine == theirs
        for mine, theirs in zip(subject, address, strict=True)
    )
