"""What the table counts is what was said and done."""

import pytest

from schemas.commands import ChooseTrump, Command, StartMatch
from schemas.refusals import Refusal
from services.rules import match as rules
from services.table.floods import MOST
from tests.table.hall import ALL_HOUSE, ANNE, BEHROUZ, MATCH, Hall, assert_refused
from tests.table.playing import live


def counted(hall: Hall, name: str, **labels: str) -> float:
    value = hall.registry.get_sample_value(name, labels)
    assert value is not None, f"{name} {labels} is not told"
    return value


async def test_a_command_is_counted_by_what_it_was_answered() -> None:
    async with Hall() as hall:
        await hall.start(ALL_HOUSE)
        accepted = sum(row.entry.command is not None for row in hall.rows())
        assert counted(hall, "waraq_commands_total", outcome="accepted") == accepted
        assert counted(hall, "waraq_commands_total", outcome="not_seated") == 0
        assert_refused(await hall.say(BEHROUZ, ChooseTrump(suit="S"), move=1), Refusal.NOT_SEATED)
        assert counted(hall, "waraq_commands_total", outcome="not_seated") == 1
        assert counted(hall, "waraq_commands_total", outcome="accepted") == accepted


async def test_what_is_said_again_is_counted_as_such() -> None:
    async with Hall() as hall:
        await hall.open(ALL_HOUSE)
        start = Command(id="s" * 16, action=StartMatch())
        first, again = await hall.repeat(ANNE, start), await hall.repeat(ANNE, start)
        assert first == again
        assert counted(hall, "waraq_commands_total", outcome="again") == 1


async def test_events_are_counted_by_their_type_as_the_log_has_them() -> None:
    async with Hall() as hall:
        await hall.start(ALL_HOUSE)
        for kind in set(hall.types()):
            assert counted(hall, "waraq_events_total", type=kind) == hall.types().count(kind)
        assert counted(hall, "waraq_turn_seconds_count") > 0
        assert counted(hall, "waraq_append_seconds_count") > 0


async def test_a_dead_letter_and_its_refusal_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("planted")

    async with Hall() as hall:
        await hall.start(ALL_HOUSE)
        hakem = f"house{live(hall).state.game.hakem}"
        monkeypatch.setattr(rules, "decide", broken)
        move = live(hall).state.move
        assert_refused(await hall.say(hakem, ChooseTrump(suit="S"), move=move), Refusal.FAULT)
        assert counted(hall, "waraq_dead_letters_total") == len(hall.log.dead_letters()) == 1
        assert counted(hall, "waraq_commands_total", outcome="fault") == 1


async def test_a_player_who_floods_is_counted_once() -> None:
    async with Hall() as hall:
        hall.floods.count(ANNE, MOST)
        assert counted(hall, "waraq_players_denied_total") == 0
        hall.floods.count(ANNE)
        hall.floods.count(ANNE)
        assert counted(hall, "waraq_players_denied_total") == 1


async def test_what_lies_before_the_owners_is_looked_at_when_asked() -> None:
    async with Hall() as hall:
        assert counted(hall, "waraq_matches_open") == 0
        await hall.open()
        assert counted(hall, "waraq_matches_open") == 1
        assert counted(hall, "waraq_partitions_owned") == 1
        assert counted(hall, "waraq_commands_waiting") == 0
    assert counted(hall, "waraq_partitions_owned") == 0


async def test_no_label_is_a_match_or_a_player() -> None:
    async with Hall() as hall:
        await hall.start(ALL_HOUSE)
        said = [
            value
            for family in hall.registry.collect()
            for sample in family.samples
            for value in sample.labels.values()
        ]
    assert not any(name in value for value in said for name in (MATCH, ANNE))
