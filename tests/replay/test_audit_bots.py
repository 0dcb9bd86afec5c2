"""`audit --bots`: what the house's bots decided is decided again, where their policy is at hand."""

from functools import cache
from itertools import count

import pytest

from schemas.views import BotTurn, HokmView
from services.bot.policy import choose
from services.event_log.port import Entry
from services.replay.audit import Bots, Policy, Questions, audit_match
from services.rules import sight
from services.rules.history import Unfolded, unfold
from services.rules.moves import DECISIONS
from services.runtime.settings import BOT_POLICY
from tests.eventful import TABLES, eventful
from tests.golden_logs import POLICY
from tests.replay.forger import changed

HERE = Questions(policy=POLICY)


def decisions(entries: list[Entry]) -> list[Unfolded[Entry]]:
    """What bots decided, with the match before it."""
    return [
        seen
        for seen in unfold(entries)
        if seen.before is not None
        and type(seen.fact.body) in DECISIONS
        and seen.fact.origin == "player"
        and sight.bot_turn(seen.event.match, seen.before) is not None
    ]


@cache
def with_bots(game: str) -> list[Entry]:
    for seed in count():
        entries = [row.entry for row in eventful(seed, TABLES[game][0], "whole", policy=POLICY)]
        if len(decisions(entries)) > 20:
            return entries
    raise AssertionError


@pytest.fixture(params=TABLES)
def entries(request: pytest.FixtureRequest) -> list[Entry]:
    return with_bots(request.param)


def test_every_decision_of_a_bot_is_made_again(entries: list[Entry]) -> None:
    finding = audit_match(entries, HERE)
    assert finding.ok, finding
    assert finding.bots == Bots(BOT_POLICY, "checked", len(decisions(entries)))


def test_another_policy_is_not_checked_and_says_so(entries: list[Entry]) -> None:
    newer = Questions(policy=Policy("another@2", choose))
    finding = audit_match(entries, newer)
    assert finding.ok
    assert finding.bots == Bots(BOT_POLICY, "not checked", 0)


def test_a_changed_decision_of_a_bot_is_named_at_its_version() -> None:
    """A card as legal as the one that the bot played: the rules alone do not mind it there."""
    entries = with_bots("hokm")
    seen, card = next((seen, card) for seen in decisions(entries) for card in other_cards(seen))
    at = seen.event.version - 1
    forged = changed(entries, at, {"card": card})
    by_rules, by_policy = audit_match(forged), audit_match(forged, HERE)
    assert by_rules.ok or (by_rules.first_bad is not None and by_rules.first_bad.version > at + 1)
    assert by_policy.first_bad is not None
    assert by_policy.first_bad.version == at + 1
    assert "decides otherwise on this view" in by_policy.first_bad.reason


def other_cards(seen: Unfolded[Entry]) -> list[str]:
    """What the bot could have played instead, where it played a card."""
    assert seen.before is not None
    turn = sight.bot_turn(seen.event.match, seen.before)
    assert isinstance(turn, BotTurn)
    assert isinstance(turn.view, HokmView)
    played = choose(turn)
    return [card for card in turn.view.playable if card != getattr(played, "card", card)]


def test_a_changed_decision_in_hand_is_named_at_its_version() -> None:
    """A bot threw another card that it held, and the rest of the match is gone."""
    entries = with_bots("saudi")
    thrown = next(seen for seen in decisions(entries) if seen.stored.type == "card_discarded")
    at = thrown.event.version - 1
    forged = next(
        log
        for card in held_before(thrown)
        if (log := changed(entries[: at + 1], at, {"card": card}))[at] != entries[at]
        and audit_match(log).ok
    )
    by_policy = audit_match(forged, HERE)
    assert by_policy.first_bad is not None
    assert by_policy.first_bad.version == at + 1
    assert "decides otherwise on this view" in by_policy.first_bad.reason


def held_before(seen: Unfolded[Entry]) -> tuple[str, ...]:
    assert seen.before is not None
    assert seen.fact.seat is not None
    return sight.hand(seen.before, seen.fact.seat)
