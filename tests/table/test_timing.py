"""How long commands take, and that what is late is counted: in the real path, on a turned clock."""

import asyncio
from functools import partial

from schemas import subjects
from schemas.commands import Command, HokmOptions, OpenMatch, StartMatch, encode_command
from schemas.refusals import Refusal
from services.messaging.port import Message
from services.rules.hokm.play import TRUMP_CLOCK
from services.table.tenure import LATE, Tenure
from tests.table.hall import (
    ALL_HOUSE,
    ANNE,
    BEHROUZ,
    MATCH,
    Hall,
    assert_happened,
    assert_refused,
    at_once,
)
from tests.waiting import until

OTHER = "m_" + "f" * 32


def value(hall: Hall, name: str) -> float:
    found = hall.registry.get_sample_value(name)
    assert found is not None, name
    return found


def many(hall: Hall, what: str) -> float:
    return value(hall, f"waraq_command_{what}_seconds_count")


def waits(tenure: Tenure, commands: int) -> bool:
    return tenure.inbox.commands == commands


async def test_each_accepted_command_is_timed_once_to_the_log_and_once_to_the_stream() -> None:
    async with Hall() as hall:
        await hall.start(ALL_HOUSE)
        accepted = hall.registry.get_sample_value("waraq_commands_total", {"outcome": "accepted"})
        assert accepted == 2
        assert many(hall, "appended") == accepted
        await until(lambda: many(hall, "confirmed") == accepted, "both to be confirmed")


async def test_what_is_refused_is_not_timed() -> None:
    async with Hall() as hall:
        await hall.open(ALL_HOUSE)
        await until(lambda: many(hall, "confirmed") == 1, "it to be confirmed")
        again = OpenMatch(options=HokmOptions(), seats=ALL_HOUSE)
        assert_refused(await hall.say(ANNE, again), Refusal.MATCH_EXISTS)
        assert (many(hall, "appended"), many(hall, "confirmed")) == (1, 1)


async def test_the_wait_of_a_command_before_its_turn_is_a_part_of_it() -> None:
    """While too many events are unconfirmed no command is taken; what came meanwhile has waited."""
    async with Hall() as hall:
        await hall.open(ALL_HOUSE)
        async with at_once(hall) as tenure:
            starting = asyncio.create_task(hall.say(ANNE, StartMatch()))
            await until(lambda: tenure.inbox.commands == 1, "the command to wait")
            before = value(hall, "waraq_command_appended_seconds_sum")
            hall.clock.seconds += 3.0
        assert_happened(await starting)
        assert value(hall, "waraq_command_appended_seconds_sum") == before + 3.0


async def test_of_two_commands_with_one_id_in_one_turn_each_has_waited_as_long_as_it_has() -> None:
    opening = Command(id="o" * 16, action=OpenMatch(options=HokmOptions(), seats=ALL_HOUSE))
    async with Hall() as hall:
        async with at_once(hall) as tenure:
            for waiting, (match, voice) in enumerate(((MATCH, ANNE), (OTHER, BEHROUZ)), 1):
                subject = subjects.command_in(match, voice)
                said = Message(subject=subject, data=encode_command(opening))
                await hall.line.publish([said])
                await until(partial(waits, tenure, waiting), "it to wait")
                hall.clock.seconds += 2.0
        await until(lambda: many(hall, "confirmed") == 2, "both to be confirmed")
        assert value(hall, "waraq_command_appended_seconds_sum") == 4.0 + 2.0
        assert value(hall, "waraq_command_confirmed_seconds_sum") == 4.0 + 2.0


async def test_the_end_of_a_turn_that_comes_late_is_counted_and_one_in_time_is_not() -> None:
    async with Hall() as hall:
        await hall.start()
        hall.turn_clock(TRUMP_CLOCK)
        await until(lambda: hall.types()[-1] == "rest_dealt", "the house to name trump")
        assert value(hall, "waraq_alarms_late_total") == 0
        due = (await hall.snapshot(ANNE)).due
        assert due is not None
        hall.turn_clock((due - hall.clock.now()) / 1_000 + LATE + 0.5)
        await until(lambda: hall.types().count("turn_timed_out") == 2, "the house to play")
        assert value(hall, "waraq_alarms_late_total") == 1
