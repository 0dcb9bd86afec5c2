"""Points and records counted a second time, from docs/standings.md alone: lines are read as JSON,
and nothing of `services` is asked.
"""

import json
from collections.abc import Iterable
from typing import Any

from msgspec import Struct, field

Rows = set[tuple[Any, ...]]


class Counted(Struct):
    """As scoring's tables have them: `points` by match, round, player; `records` by player, match,
    game, won, left.
    """

    points: Rows = field(default_factory=set)
    records: Rows = field(default_factory=set)


class Sitting(Struct):
    """One match while its lines are read: owners by seat, now and when the latest round ended."""

    opened: dict[str, Any]
    now: dict[int, str]
    at_end: dict[int, str] = field(default_factory=dict)
    dealt: set[str] = field(default_factory=set)
    started: bool = False


def count(lines: Iterable[str]) -> Counted:
    """What the lines of one match are worth."""
    counted, events = Counted(), [json.loads(line) for line in lines]
    opened = events[0]["body"]
    owners = [plan["seat"] for plan in opened["seats"] if plan["filled_by"] == "owner"]
    table = Sitting(opened=opened, now=dict.fromkeys(owners, opened["owner"]))
    for event in events[1:]:
        _sit(table, event["body"])
        _earn(counted, table, event)
    return counted


def _sit(table: Sitting, body: dict[str, Any]) -> None:
    match body["type"]:
        case "seat_taken":
            table.now[body["seat"]] = body["player"]
        case "seat_left":
            del table.now[body["seat"]]
        case "match_started":
            table.started = True
        case "round_ended":
            table.at_end = dict(table.now)
    if table.started:
        table.dealt |= set(table.now.values())


def _earn(counted: Counted, table: Sitting, event: dict[str, Any]) -> None:
    match, body = event["match"], event["body"]
    if body["type"] == "round_scored" and _has_masks(table.opened):
        for seat, player in table.at_end.items():
            if seat % 2 == body["score"]["side"]:
                counted.points.add((match, body["round"], player, 10))
    if body["type"] == "match_ended":
        for player in table.dealt:
            seats = [seat for seat, owner in table.now.items() if owner == player]
            won = any(_unit(table.opened, seat) == body["winner"] for seat in seats)
            game = table.opened["options"]["game"]
            counted.records.add((player, match, game, won, not seats))


def _has_masks(opened: dict[str, Any]) -> bool:
    masks = [plan for plan in opened["seats"] if plan["seat"] in (1, 3)]
    levels = {plan["level"] for plan in masks if plan["filled_by"] == "house"}
    houses = [plan["filled_by"] for plan in masks]
    return opened["options"]["game"] == "hokm" and houses == ["house", "house"] and len(levels) == 1


def _unit(opened: dict[str, Any], seat: int) -> int:
    """The seat, or where partners sit opposite its side."""
    options = opened["options"]
    in_sides = options["game"] == "hokm" or "partnership" in options["variant"]
    return seat % 2 if in_sides else seat
