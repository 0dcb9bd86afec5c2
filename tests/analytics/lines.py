"""What the lines of a log say, read as JSON: nothing here knows the rules, the tables or SQL.

Answers that are counted from this are held against those of docs/analytics.md.
"""

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final

from msgspec import Struct

from services.event_log.port import Row

DECISIONS: Final = (
    "trump_chosen",
    "card_played",
    "card_drawn",
    "fire_taken",
    "melds_laid",
    "card_laid_off",
    "joker_swapped",
    "card_discarded",
)
ASIDE: Final = ("seat_taken", "seat_left", "nonce_added", "control_changed", "turn_timed_out")


class Seat:
    """Who owns a seat and who plays it."""

    def __init__(self, plan: dict[str, Any], owner: str) -> None:
        self.level: str | None = plan["level"]
        self.house = plan["filled_by"] == "house"
        self.bot = self.house
        self.player = owner if plan["filled_by"] == "owner" else None

    @property
    def held(self) -> str:
        if not self.house:
            return "player"
        return "bot" if self.bot else "house"

    @property
    def level_now(self) -> str | None:
        """An absent person's seat is played by the strongest."""
        return (self.level or "chrome") if self.house else None


class Did(Struct):
    """An event of a round: `held`, `level`, `player` are of its seat then; `waited` is in ms."""

    type: str
    body: dict[str, Any]
    seat: int | None
    rule: bool
    held: str | None
    level: str | None
    player: str | None
    waited: int | None


class PlayedRound(Struct):
    """A round that was revealed: `seats` as they were held when its cards were dealt."""

    match: str
    options: dict[str, Any]
    seats: list[tuple[str, str | None]]
    did: list[Did]

    def bodies(self, type_: str) -> list[dict[str, Any]]:
        return [one.body for one in self.did if one.type == type_]

    def decisions(self) -> list[Did]:
        return [one for one in self.did if one.type in DECISIONS]


def revealed_rounds(matches: Sequence[Sequence[Row]]) -> list[PlayedRound]:
    """Every round of these matches that was revealed."""
    found = [one for rows in matches for one in _rounds(rows)]
    return [one for one in found if one.bodies("round_revealed")]


def _rounds(rows: Sequence[Row]) -> Iterator[PlayedRound]:
    seats: list[Seat] = []
    options: dict[str, Any] = {}
    current: PlayedRound | None = None
    started, since = False, 0
    for row in rows:
        line = json.loads(row.entry.line)
        body, seat = line["body"], line["seat"]
        kind = body["type"]
        if kind == "match_opened":
            seats = [Seat(plan, body["owner"]) for plan in body["seats"]]
            options = body["options"]
        if kind == "cards_shuffled" and body["label"] == "deal":
            if current is not None:
                yield current
            current = PlayedRound(line["match"], options, [], [])
        if current is not None:
            at = seats[seat] if seat is not None else None
            waited = line["time"] - since
            current.did.append(
                Did(
                    type=kind,
                    body=body,
                    seat=seat,
                    rule=line["origin"] == "rule",
                    held=at.held if at else None,
                    level=at.level_now if at else None,
                    player=at.player if at else None,
                    waited=waited if waited >= 0 else None,
                )
            )
        started = started or kind == "match_started"
        _sit(seats, body, started=started)
        if kind not in ASIDE:
            since = line["time"]
        if current is not None and kind in ("rest_dealt", "hand_dealt"):
            current.seats = [(one.held, one.level_now) for one in seats]
    if current is not None:
        yield current


def _sit(seats: list[Seat], body: dict[str, Any], *, started: bool) -> None:
    match body:
        case {"type": "seat_taken", "seat": seat, "player": player}:
            seats[seat].player, seats[seat].house = player, False
        case {"type": "seat_left", "seat": seat}:
            seats[seat].player, seats[seat].house = None, started
        case {"type": "control_changed", "seat": seat, "control": control}:
            seats[seat].house = control == "house"
        case _:
            pass
