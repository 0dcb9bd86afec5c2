"""The rows of a match: as many as the log has, each what the log says, none before its time."""

from collections import Counter
from datetime import UTC, datetime

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from schemas.cards import HAND_PACK, HOKM_PACK, decode_pack, encode_pack
from schemas.events import decode_event
from services.analytics.counts import counts
from services.analytics.match_rows import MatchRows
from services.analytics.tables import TABLES, BotRow, DealRow, MatchRow, PlayRow, RoundRow
from services.analytics.told import told
from services.event_log.port import Row
from services.replay.audit import Questions, audit_match
from tests.analytics.lake import golden, many, rows_of, running
from tests.analytics.lines import revealed_rounds
from tests.golden_logs import POLICY
from tests.replay.files import over

LONG = [rows for rows in golden() if sum(r.entry.type == "round_revealed" for r in rows) > 1]
"""Matches of two rounds at least."""


def of(rows: MatchRows | None) -> MatchRows:
    assert rows is not None
    return rows


def as_bytes(rows: MatchRows | None) -> bytes:
    return msgspec.json.encode(rows)


# As many as the log has -----------------------------------------------------------------------


def test_every_table_has_the_rows_that_the_log_has_events() -> None:
    got, due, types = Counter[str](), Counter[str](), Counter[str]()
    for rows in many():
        made, known = of(rows_of(rows)), told([row.entry for row in rows])
        assert known is not None
        assert {name: len(made.rows[name]) for name in TABLES} == {
            name: counts(known)[name] for name in TABLES
        }
        got.update({name: len(made.rows[name]) for name in TABLES})
        due += counts(known)
        types.update(row.entry.type for row in rows)
    assert got == due
    assert got["matches"] == len(many())
    assert got["rounds"] == types["round_revealed"]
    assert got["scores"] > types["round_scored"] > 0
    rounds = revealed_rounds(many())
    assert got["deals"] == sum(len(one.seats) for one in rounds)
    assert got["plays"] == sum(len(one.decisions()) for one in rounds)
    laid = (body for one in rounds for body in one.bodies("melds_laid"))
    assert got["melds"] == sum(len(body["melds"]) for body in laid)
    bots = (did for one in rounds for did in one.decisions())
    assert got["bot_decisions"] == sum(did.held != "player" and not did.rule for did in bots)
    assert min(got.values()) > 0


@pytest.mark.parametrize("rows", golden())
def test_a_bots_decisions_are_those_that_the_audit_makes_again(rows: tuple[Row, ...]) -> None:
    entries = [row.entry for row in rows]
    if not any(entry.type == "match_ended" for entry in entries):
        return  # of a round that was broken off the audit has some more
    found = audit_match(entries, Questions(policy=POLICY))
    assert found.bots is not None
    assert len(of(rows_of(rows)).rows["bot_decisions"]) == found.bots.decisions


# What they say --------------------------------------------------------------------------------


def test_the_dealt_cards_are_a_pack_and_every_play_is_of_a_hand() -> None:
    for rows in many():
        made = of(rows_of(rows))
        held: dict[tuple[int, int], set[str]] = {}
        for deal in made.rows["deals"]:
            assert isinstance(deal, DealRow)
            held[deal.round, deal.seat] = set(deal.cards)
            assert set(deal.cards) <= set(HOKM_PACK if made.game == "hokm" else HAND_PACK)
        for play in made.rows["plays"]:
            assert isinstance(play, PlayRow)
            hand = held[play.round, play.seat]
            if str(play.card).startswith("JK"):
                continue  # it may be one that was swapped out of a meld
            match play.action:
                case "card_drawn" | "fire_taken":
                    assert play.card not in hand
                    hand.add(str(play.card))
                case "card_played" | "card_discarded" | "card_laid_off" | "joker_swapped":
                    hand.remove(str(play.card))
                case _:
                    pass


def test_each_trick_is_led_once_and_taken_once() -> None:
    tricks: Counter[tuple[str, int, int | None]] = Counter()
    for rows in many():
        for play in of(rows_of(rows)).rows["plays"]:
            assert isinstance(play, PlayRow)
            if play.action == "card_played":
                tricks[play.match, play.round, play.trick] += bool(play.took)
                assert play.card is not None
                assert play.place != 1 or play.led == play.card[1]
    assert set(tricks.values()) == {1}


def test_who_decided_when_and_after_how_long() -> None:
    for rows in many():
        plays = [p for p in of(rows_of(rows)).rows["plays"] if isinstance(p, PlayRow)]
        did = [one for r in revealed_rounds([rows]) for one in r.decisions()]
        assert [(p.held, p.level, p.player, p.timed_out, p.think_ms, p.seat) for p in plays] == [
            (d.held, d.level, d.player, d.rule, d.waited, d.seat) for d in did
        ]
        for play in plays:
            event = decode_event(rows[play.version - 1].entry.line)
            assert datetime.fromtimestamp(event.time / 1000, UTC).replace(tzinfo=None) == play.time


def test_a_clock_that_was_put_back_leaves_no_think_time() -> None:
    plays = [p for rows in many() for p in of(rows_of(rows)).rows["plays"]]
    waits = [play.think_ms for play in plays if isinstance(play, PlayRow)]
    assert None in waits
    assert min(wait for wait in waits if wait is not None) >= 0


def test_a_bot_plays_what_its_view_offered() -> None:
    for rows in many():
        for one in of(rows_of(rows)).rows["bot_decisions"]:
            assert isinstance(one, BotRow)
            if one.action == "card_played":
                assert one.playable is not None
                assert one.card in one.playable
            if one.action == "fire_taken":
                assert one.card == one.fire


def test_a_match_that_was_abandoned_has_its_whole_rounds_and_says_how_it_ended() -> None:
    for rows in many():
        (match,) = of(rows_of(rows)).rows["matches"]
        assert isinstance(match, MatchRow)
        last = decode_event(rows[-1].entry.line).body
        assert match.outcome == getattr(last, "reason", "ended")
        assert match.winner == getattr(last, "winner", None)
        assert match.totals == getattr(last, "totals", match.totals)
        assert match.events == len(rows)
        assert match.rounds == len(of(rows_of(rows)).rows["rounds"])


def test_a_revealed_round_without_points_is_not_scored() -> None:
    rows = next(rows for rows in many() if rows[-2].entry.type == "round_revealed")
    made = of(rows_of(rows))
    last = made.rows["rounds"][-1]
    assert isinstance(last, RoundRow)
    assert not last.scored
    assert last.kind
    assert last.round not in {score.round for score in made.rows["scores"]}  # type: ignore[union-attr]  # a row of scores has one


# What must not be seen ------------------------------------------------------------------------


def test_of_a_match_without_a_revealed_round_nothing_is_told() -> None:
    for rows in LONG:
        first = next(at for at, r in enumerate(rows) if r.entry.type == "round_revealed")
        for version in (1, first // 2, first):
            assert told([row.entry for row in rows[:version]]) is None


@given(st.sampled_from(LONG), st.data())
def test_while_a_round_is_played_nothing_of_it_changes_the_tables(
    rows: tuple[Row, ...], data: st.DataObject
) -> None:
    """At any version of a running match they are those of its last revealed round."""
    version = data.draw(st.integers(1, len(rows) - 1))
    seen = rows[:version]
    reveals = [at for at, row in enumerate(seen, 1) if row.entry.type == "round_revealed"]
    now = rows_of(seen)
    if not reveals:
        assert now is None
        return
    deals = [at for at, row in enumerate(seen) if row.entry.type == "cards_shuffled"]
    later = [at for at in deals if at >= reveals[-1]]
    assert as_bytes(now) == as_bytes(rows_of(seen[: later[0]] if later else seen))
    rounds = {row.round for name in ("deals", "plays", "melds") for row in of(now).rows[name]}  # type: ignore[union-attr]  # all of these have one
    assert rounds <= set(range(1, len(reveals) + 1))


def exchanged(rows: tuple[Row, ...], seed: int) -> tuple[Row, ...]:
    """The same lines, with the cards of the last shuffle in another order."""
    last = max(at for at, row in enumerate(rows) if row.entry.secret is not None)
    entry = rows[last].entry
    assert entry.secret is not None
    pack = list(decode_pack(entry.secret))
    turned = seed % (len(pack) - 1) + 1
    other = encode_pack(tuple(pack[turned:] + pack[:turned]))
    return (
        *rows[:last],
        replace(rows[last], entry=replace(entry, secret=other)),
        *rows[last + 1 :],
    )


@given(st.sampled_from(LONG), st.integers(0, 10_000))
def test_two_deals_that_are_the_same_in_public_give_the_same_rows(
    rows: tuple[Row, ...], seed: int
) -> None:
    live = running(rows, rounds=1)
    other = exchanged(live, seed)
    assert [row.entry.line for row in other] == [row.entry.line for row in live]
    assert other != live
    assert as_bytes(rows_of(other)) == as_bytes(rows_of(live))


def test_once_it_is_revealed_the_same_round_is_told_card_by_card() -> None:
    """So the tests above would see a leak: these cards were not there."""
    rows = over(0)
    live, whole = of(rows_of(running(rows, rounds=1))), of(rows_of(rows))
    second = [one for one in whole.rows["deals"] if isinstance(one, DealRow) and one.round == 2]
    assert len(second) == 4
    assert not any(isinstance(one, DealRow) and one.round == 2 for one in live.rows["deals"])


def test_no_row_has_a_seed_a_seal_or_a_secret() -> None:
    for rows in many():
        text = as_bytes(rows_of(rows)).decode()
        for row in rows:
            body = msgspec.to_builtins(decode_event(row.entry.line).body)
            for key in ("seal", "seed", "secret", "nonce", "invitation"):
                if body.get(key):
                    assert body[key] not in text
