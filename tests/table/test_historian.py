"""Who asks much about the past waits by himself."""

from schemas.feed import Ask
from schemas.subjects import Address
from services.table import historian
from services.table.historian import Queue
from services.table.stage import Asked
from tests.table.hall import ANNE, BEHROUZ, CYRUS

MATCHES = tuple(f"m_{number:032x}" for number in range(historian.WAITING_EACH + 5))


def asked(voice: str, match: str) -> Asked:
    return Asked(Address(match, voice), Ask(what="history"))


async def taken(queue: Queue, most: int) -> list[Asked]:
    return [await queue.get() for _ in range(most)]


async def test_each_voice_is_answered_in_turn() -> None:
    queue = Queue()
    anne = [asked(ANNE, match) for match in MATCHES[:4]]
    others = [asked(BEHROUZ, MATCHES[0]), asked(CYRUS, MATCHES[0])]
    for one in (*anne, *others):
        queue.put(one)
    assert await taken(queue, 6) == [anne[0], *others, *anne[1:]]


async def test_of_one_voice_so_many_wait_and_another_still_has_a_place() -> None:
    queue = Queue()
    for match in MATCHES:
        queue.put(asked(ANNE, match))
    late = asked(BEHROUZ, MATCHES[0])
    queue.put(late)
    found = await taken(queue, historian.WAITING_EACH + 1)
    assert found[1] == late
    assert [one.address.match for one in found if one != late] == [*MATCHES[:-5]]


async def test_what_waits_already_is_not_put_in_again() -> None:
    queue = Queue()
    for _ in range(3):
        queue.put(asked(ANNE, MATCHES[0]))
    queue.put(asked(ANNE, MATCHES[1]))
    assert await taken(queue, 2) == [asked(ANNE, MATCHES[0]), asked(ANNE, MATCHES[1])]
