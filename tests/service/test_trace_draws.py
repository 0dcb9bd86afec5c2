"""Which traces are kept: a share of them, and no player chooses whether his are among it."""

from typing import Final

import pytest

from schemas import subjects
from schemas.commands import ChooseTrump, Command, encode_command
from schemas.ids import house_voice
from schemas.traces import HEADER
from services.messaging.port import Message
from services.scoring.recorder import Recorder
from tests.service.test_traces import ASKED, TRACE, Traced, events, opening, said, traced
from tests.table.hall import ALL_HOUSE, MATCH, Hall
from tests.table.playing import live, to_the_end_of_a_round
from tests.waiting import until

KEPT: Final = "01"
DROPPED: Final = "00"


def chosen(number: int, flags: str = KEPT) -> str:
    """One that looks at the lowest bits of an id keeps this one, whatever the share is."""
    return f"00-{'a' * 16}{number:016x}-b7ad6b7169203331-{flags}"


def kept(found: Traced, *parents: str) -> list[int]:
    """The lowest bits of those that are kept, of traces that players named."""
    for parent in parents:
        found.tracer.begin("command", parent, {}, drawn=True).end()
    return [int(trace[16:], 16) for trace in found.ids()]


@pytest.mark.parametrize("flags", [KEPT, DROPPED])
async def test_no_id_and_no_flag_of_a_players_beats_the_share(flags: str) -> None:
    async with traced(ratio=0.001) as found:
        await said(found.hall, opening(), **{HEADER: chosen(1, flags)})
        (event,) = await events(found.hall, 1)
        assert not found.spans
        _, trace, _, told = event.headers[HEADER].split("-")
        assert (trace, told) == (chosen(1).split("-")[1], DROPPED), "it goes on all the same"


def test_of_what_players_name_so_many_are_kept_as_the_share_says() -> None:
    numbers = range(1, 2_001)
    assert 150 < len(kept(Traced(ratio=0.1), *map(chosen, numbers))) < 250
    assert kept(Traced(ratio=1.0), *map(chosen, numbers)) == list(numbers)
    assert kept(Traced(ratio=0.0), *map(chosen, numbers)) == []


def test_all_of_a_trace_is_kept_or_nothing_of_it_and_flags_say_nothing() -> None:
    numbers = range(1, 101)
    first, again = (kept(Traced(ratio=0.5), *map(chosen, numbers)) for _ in range(2))
    unasked = kept(Traced(ratio=0.5), *(chosen(number, DROPPED) for number in numbers))
    assert first == again == unasked
    assert 0 < len(first) < 100


def test_nobody_learns_from_one_worker_what_another_keeps() -> None:
    numbers = range(1, 101)
    one, another = (
        kept(Traced(ratio=0.5, key=key), *map(chosen, numbers)) for key in (b"1" * 16, b"2" * 16)
    )
    assert one != another


def test_a_worker_draws_its_key_itself() -> None:
    numbers = range(1, 101)
    one, another = (kept(Traced(ratio=0.5, key=b""), *map(chosen, numbers)) for _ in range(2))
    assert one != another


# Our own workers --------------------------------------------------------------------------------


async def named_by_the_house(hall: Hall, flags: str) -> None:
    """The house's own worker names trump, in a trace that it has begun."""
    hakem, move = live(hall).state.game.hakem, live(hall).state.move
    command = Command(id="t" * 16, move=move, action=ChooseTrump(suit="S"))
    subject = subjects.command_in(MATCH, house_voice(hakem))
    headers = {HEADER: f"00-{TRACE}-b7ad6b7169203331-{flags}"}
    await hall.line.publish(
        [Message(subject=subject, data=encode_command(command), headers=headers)]
    )
    await until(lambda: "trump_chosen" in hall.types(), "trump")


@pytest.mark.parametrize(("flags", "ratio"), [(KEPT, 0.0), (DROPPED, 1.0)])
async def test_what_a_bot_has_begun_is_kept_if_the_bot_keeps_it(flags: str, ratio: float) -> None:
    async with traced(ratio=ratio) as found:
        await found.hall.start(ALL_HOUSE)
        await named_by_the_house(found.hall, flags)
    assert (TRACE in found.ids()) is (flags == KEPT)


@pytest.mark.parametrize(("flags", "ratio"), [(KEPT, 0.0), (DROPPED, 1.0)])
async def test_scoring_keeps_what_the_table_keeps(flags: str, ratio: float) -> None:
    async with Hall() as hall:
        await hall.start(ALL_HOUSE)
        await to_the_end_of_a_round(hall)
        await events(hall, len(hall.rows()))
        (ended,) = [m for m in hall.published if m.subject.endswith(".round_ended")]
        found = Traced(ratio=ratio)
        traced_end = Message(
            subject=ended.subject,
            data=ended.data,
            headers={**ended.headers, HEADER: ASKED[:-2] + flags},
        )
        answer = Recorder(hall.log, tracer=found.tracer).answer(traced_end)
    assert answer is not None
    assert answer.headers[HEADER].endswith(flags)
    assert found.ids() == ([TRACE] if flags == KEPT else [])
