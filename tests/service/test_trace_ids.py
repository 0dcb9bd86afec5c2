"""An id is one command's within its match and nowhere else: each has the trace that was its own."""

from collections.abc import Sequence

import pytest

from schemas import subjects
from schemas.commands import ChooseTrump, Command, StartMatch, encode_command
from schemas.events import decode_event
from schemas.traces import HEADER
from services.messaging.port import Message
from tests.service.test_traces import events, opening, traced
from tests.table.hall import ALL_HOUSE, ANNE, BEHROUZ, MATCH, Hall, at_once
from tests.waiting import until


async def together(hall: Hall, said: Sequence[Message], rows: int) -> list[Message]:
    """The events, once there are so many, after all of this was taken up in one turn."""
    async with at_once(hall) as tenure:
        await hall.line.publish(list(said))
        await until(lambda: tenure.inbox.commands == len(said), "all to wait")
    return await events(hall, rows)


@pytest.mark.parametrize("order", [1, -1])
async def test_one_id_in_two_matches_is_two_commands_each_with_its_own_trace(
    order: int,
) -> None:
    other = "m_" + "f" * 32
    anne, bob = (f"00-{digit * 32}-{digit * 16}-01" for digit in "12")
    data = encode_command(opening())
    said = [
        Message(subject=subjects.command_in(MATCH, ANNE), data=data, headers={HEADER: anne}),
        Message(subject=subjects.command_in(other, BEHROUZ), data=data, headers={HEADER: bob}),
    ]
    async with traced() as found:
        sent = await together(found.hall, said[::order], 2)
        await until(lambda: len(found.spans) == 2, "both spans to end")
    traces = {decode_event(event.data).match: event.headers[HEADER].split("-")[1] for event in sent}
    assert traces == {MATCH: "1" * 32, other: "2" * 32}
    assert {(dict(s.attributes or {})["waraq.match"]) for s in found.spans} == {MATCH, other}
    assert sorted(found.ids()) == ["1" * 32, "2" * 32]


@pytest.mark.parametrize("voice", [BEHROUZ, ANNE])
@pytest.mark.parametrize("order", [1, -1])
async def test_the_trace_is_that_of_the_message_which_was_accepted_of_several_with_one_id(
    voice: str, order: int
) -> None:
    """The other one is somebody else's, or his own; it comes too late for its move."""
    mine, others = (f"00-{digit * 32}-{digit * 16}-01" for digit in "12")
    start = encode_command(Command(id="s" * 16, action=StartMatch()))
    wrong = Command(id="s" * 16, move=0, action=ChooseTrump(suit="S"))
    said = [
        Message(subject=subjects.command_in(MATCH, ANNE), data=start, headers={HEADER: mine}),
        Message(
            subject=subjects.command_in(MATCH, voice),
            data=encode_command(wrong),
            headers={HEADER: others},
        ),
    ]
    async with traced() as found:
        await found.hall.open(ALL_HOUSE)
        await events(found.hall, 1)
        sent = await together(found.hall, said[::order], 4)
        assert {event.headers[HEADER].split("-")[1] for event in sent[1:]} == {"1" * 32}
