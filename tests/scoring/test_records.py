"""A player's record: matches played, won and left, by game (docs/standings.md)."""

from random import Random

import sqlalchemy as sa

from schemas.commands import AbandonMatch, HokmOptions, LeaveSeat, StartMatch, TakeSeat
from schemas.events import MatchEnded, decode_event
from schemas.ids import OPS
from services.event_log.port import Row
from services.replay.rebuild import summary
from services.scoring.database import reading
from services.scoring.records import PlayerStanding, Record, standing_of
from services.scoring.standings import Standings
from tests.eventful import PEOPLE, mixed
from tests.scoring.databases import new_log, store_together
from tests.streams import FRIEND, OWNER, Played, match_id, played

LATER = "u_later0000"


def counted(engine: sa.Engine, *matches: list[Row]) -> dict[str, PlayerStanding]:
    log = new_log()
    store_together(log, matches)
    Standings(engine).catch_up(log)
    with reading(engine) as connection:
        return {who: standing_of(connection, who) for who in (*PEOPLE, FRIEND, LATER)}


def record(found: PlayerStanding) -> Record | None:
    return found.records[0] if found.records else None


def hokm(*, won: int, left: int, played_: int = 1) -> Record:
    return Record(game="hokm", played=played_, won=won, left=left)


def begun(seed: int) -> Played:
    match = Played(match_id(seed), HokmOptions(target=1))
    match.seat_everybody()
    return match


def play_on(match: Played) -> int:
    """Play to the end; the side that won."""
    random = Random(1)
    while not match.live.state.over:
        match.move(random)
    body = decode_event(match.rows[-1].entry.line).body
    assert isinstance(body, MatchEnded)
    return body.winner


def test_who_sits_at_the_end_has_played_and_perhaps_won(engine: sa.Engine) -> None:
    matches = [played(seed) for seed in range(6)]
    winners = [decode_event(one.rows[-1].entry.line).body for one in matches]
    wins = sum(isinstance(body, MatchEnded) and body.winner == 0 for body in winners)
    assert 0 < wins < 6
    found = counted(engine, *(one.rows for one in matches))
    assert record(found[OWNER]) == hokm(won=wins, left=0, played_=6)
    assert record(found[FRIEND]) == record(found[OWNER])
    assert found[LATER] == PlayerStanding(player=LATER, xo=0, rounds=0, records=())


def test_who_left_has_left_and_who_took_the_seat_has_its_end(engine: sa.Engine) -> None:
    match = begun(1)
    match.say(FRIEND, LeaveSeat())
    match.say(LATER, TakeSeat(seat=2))
    won = int(play_on(match) == 0)
    found = counted(engine, match.rows)
    assert record(found[FRIEND]) == hokm(won=0, left=1)
    assert record(found[LATER]) == record(found[OWNER]) == hokm(won=won, left=0)


def test_who_came_back_to_his_seat_has_not_left(engine: sa.Engine) -> None:
    match = begun(1)
    match.say(FRIEND, LeaveSeat())
    match.say(FRIEND, TakeSeat(seat=2))
    won = int(play_on(match) == 0)
    assert record(counted(engine, match.rows)[FRIEND]) == hokm(won=won, left=0)


def test_who_left_the_lobby_has_not_played(engine: sa.Engine) -> None:
    match = Played(match_id(1), HokmOptions(target=1))
    match.say(FRIEND, TakeSeat(seat=2))
    match.say(FRIEND, LeaveSeat())
    match.say(LATER, TakeSeat(seat=2))
    match.say(OWNER, StartMatch())
    play_on(match)
    assert record(counted(engine, match.rows)[FRIEND]) is None


def test_an_abandoned_match_counts_for_nobody_and_its_points_stay(engine: sa.Engine) -> None:
    seed = next(seed for seed in range(20) if points_first(seed))
    match = two_rounds(seed)
    match.say(OPS, AbandonMatch(reason="operator"))
    found = counted(engine, match.rows)
    assert found[OWNER].records == ()
    assert (found[OWNER].xo, found[OWNER].rounds) == (10, 1)


def two_rounds(seed: int) -> Played:
    """A match whose first round is scored and whose second is being played."""
    match, random = Played(match_id(seed), HokmOptions(target=100)), Random(seed)
    match.seat_everybody()
    while match.rows[-1].entry.type != "five_dealt" or match.live.state.game.round < 2:
        match.move(random)
    return match


def points_first(seed: int) -> bool:
    score: tuple[int, int] = two_rounds(seed).live.state.game.score
    return score[0] > 0


def test_records_of_eventful_matches_are_those_that_a_whole_fold_gives(engine: sa.Engine) -> None:
    """Counted again in another way: from each whole match, by who sat at all and at its end."""
    matches = list(mixed(30))
    wanted: dict[tuple[str, str], list[int]] = {}
    for rows in matches:
        found = summary(rows)
        if found.status != "ended":
            continue
        sitting = {one.player: one.seat for one in found.sitting if one.player}
        for player in took_part(rows):
            line = wanted.setdefault((player, found.game), [0, 0, 0])
            line[0] += 1
            seat = sitting.get(player)
            sides = len(found.score) < len(found.sitting)
            line[1] += seat is not None and (seat % 2 if sides else seat) == found.winner
            line[2] += seat is None
    told = counted(engine, *matches)
    assert {
        (who, one.game): [one.played, one.won, one.left]
        for who, standing in told.items()
        for one in standing.records
    } == wanted
    assert sum(line[2] for line in wanted.values()) > 0


def took_part(rows: list[Row]) -> set[str]:
    """Who owned a seat after the start."""
    sitting: dict[int, str] = {}
    found: set[str] = set()
    started = False
    for row in rows:
        event = decode_event(row.entry.line)
        body = event.body
        started = started or row.entry.type == "match_started"
        if row.entry.type == "match_opened":
            owned = [p.seat for p in body.seats if p.filled_by == "owner"]  # type: ignore[union-attr]
            sitting |= dict.fromkeys(owned, body.owner)  # type: ignore[union-attr]
        elif row.entry.type == "seat_taken":
            sitting[body.seat] = body.player  # type: ignore[union-attr]
        elif row.entry.type == "seat_left":
            sitting.pop(body.seat, None)  # type: ignore[union-attr]
        if started:
            found |= set(sitting.values())
    return found
